"""Compare: the same folds for all, the names that people use, and what is said of wrong ones."""

import pytest
from sample_study import blobs, essence
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from clearwood.studies.store import Store
from clearwood.table import Column, Table


def iris():
    data = load_iris()
    target = Column("species", tuple(str(name) for name in data.target_names))
    return Table([Column(n) for n in data.feature_names], list(data.data.T), target=target, y=data.target, name="iris")


def test_accuracies_are_scikit_learns_on_the_folds_of_the_store(tmp_path):
    tree = DecisionTreeClassifier(random_state=3)
    found = cw.compare({"tree": tree}, iris(), cv=5, repeats=2, store=tmp_path / "r.db")
    data = load_iris()
    with Store(tmp_path / "r.db") as store:
        folds = store.folds("compare", "iris")
    for repeat, numbers in folds.items():
        theirs = cross_val_score(tree, data.data, data.target, cv=PredefinedSplit(numbers.astype(int)))
        ours = {r.unit.fold: r.scores["accuracy"] for r in found.results if r.unit.repeat == repeat}
        assert [ours[fold] for fold in range(5)] == theirs.tolist()
    assert (folds[0] != folds[1]).any()


def test_random_learners_do_the_same_again_inside_pipelines_too():
    learners = {
        "forest": RandomForestClassifier(n_estimators=3),
        "piped": make_pipeline(StandardScaler(), DecisionTreeClassifier(max_features=1)),
    }
    tables = [iris(), blobs()]
    first = cw.compare(learners, tables, cv=3, repeats=1)
    second = cw.compare(dict(reversed(learners.items())), tables[::-1], cv=3, repeats=1, n_jobs=1)
    assert essence(first.results) == essence(second.results)
    assert learners["forest"].random_state is None and not hasattr(learners["forest"], "estimators_")


def test_more_repeats_and_learners_are_added_to_what_is_there(tmp_path):
    path = tmp_path / "r.db"
    first = cw.compare("c45", blobs(), cv=3, repeats=1, store=path)
    more = cw.compare(["c45", "cart"], [blobs(), iris()], cv=3, repeats=2, store=path)
    assert len(more.results) == 24
    finished = {result.unit: result.finished for result in more.results}
    assert all(finished[result.unit] == result.finished for result in first.results)


def test_another_study_under_the_same_name_is_refused(tmp_path):
    path = tmp_path / "r.db"
    cw.compare({"x": "c45"}, blobs(), cv=3, repeats=1, store=path)
    for change in ({"cv": 4}, {"seed": 1}, {"learners": {"x": "cart"}}, {"tables": {"blobs": blobs(seed=9)}}):
        given = {"learners": {"x": "c45"}, "tables": blobs(), "cv": 3, "repeats": 1, "store": path} | change
        with pytest.raises(ValueError, match=r"use another study= or another store="):
            cw.compare(**given)
        cw.compare(**given, study=f"with other {next(iter(change))}")


def test_progress_counts_what_was_there_before(tmp_path):
    told = []
    cw.compare("c45", blobs(), cv=3, repeats=1, store=tmp_path / "r.db")
    cw.compare("c45", blobs(), cv=3, repeats=2, store=tmp_path / "r.db", progress=lambda *counts: told.append(counts))
    assert told[0] == (3, 6) and told[-1] == (6, 6) and told == sorted(told)


@pytest.mark.parametrize(
    "wrong",
    [
        {"cv": 1},
        {"repeats": 0},
        {"seed": -1},
        {"time_limit": 0},
        {"time_limit": float("nan")},
        {"study": ""},
        {"cv": 61},
    ],
)
def test_wrong_numbers_are_named(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong)) if wrong != {"cv": 61} else "blobs: 61 folds need"):
        cw.compare("c45", blobs(), **wrong)


def test_the_command_runs_it_again(tmp_path):
    file = tmp_path / "w x.csv"
    file.write_text("wind,play\n" + "1,no\n2,yes\n" * 5)
    found = cw.compare(["c45:min_leaf=3", "cart"], str(file), cv=2, repeats=1, seed=4)
    assert found.command == f"clearwood compare c45:min_leaf=3 cart --data '{file}' --cv 2 --repeats 1 --seed 4"
    found = cw.compare({"mine": cw.C45Classifier()}, blobs(), cv=2, repeats=1)
    assert found.command.startswith("clearwood.compare({'mine': …}, [<Table 'blobs'") and "cv=2" in found.command
