"""Compare: the same folds for all, the names that people use, and what is said of wrong ones."""

import warnings

import numpy as np
import pytest
from sample_study import blobs, essence
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from clearwood.evaluate import fold_numbers
from clearwood.studies.store import Store
from clearwood.studies.units import Unit, fold_seed, plan_units, unit_seed
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


def test_folds_depend_on_seed_table_and_repeat_only(tmp_path):
    cw.compare(["c45"], [blobs()], cv=3, repeats=2, seed=5, store=tmp_path / "a.db")
    cw.compare(["cart", "id3"], [blobs(), iris()], cv=3, repeats=1, seed=5, store=tmp_path / "b.db", study="other")
    with Store(tmp_path / "a.db") as first, Store(tmp_path / "b.db") as second:
        ours = first.folds("compare", "blobs")[0]
        assert ours.tolist() == second.folds("other", "blobs")[0].tolist()
    assert ours.tolist() == fold_numbers(blobs().y, 3, fold_seed(5, "blobs", 0)).tolist()


def test_folds_that_the_store_has_are_used(tmp_path):
    numbers = np.arange(60) // 20  # nothing that a seed would give
    with Store(tmp_path / "r.db") as store:
        store.keep_folds("compare", "blobs", 0, numbers)
        found = cw.compare("cart", blobs(), cv=3, repeats=1, store=store)
        tests = [
            cw.CARTClassifier(random_state=r.seed).fit(blobs().take(numbers != r.unit.fold)) for r in found.results
        ]
        for result, fitted in zip(found.results, tests, strict=True):
            part = blobs().take(numbers == result.unit.fold)
            assert result.scores["accuracy"] == np.mean(fitted.tree_.predict(part) == part.y)


def test_seeds_are_stable_and_differ_from_unit_to_unit():
    units = plan_units("s", ["iris", "wine"], ["a", "b"], cv=10, repeats=5)
    assert len({unit_seed(0, unit) for unit in units}) == len(units) == 200
    assert unit_seed(0, units[0]) == unit_seed(0, Unit("another study", *units[0].key[1:]))
    # pinned: a store that is gone on with must find the same seeds in any release
    assert (fold_seed(0, "iris", 0), unit_seed(0, Unit("s", "iris", "c45", 0, 0))) == (1669888647, 1000099727)


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


def test_every_result_says_how_it_came_about():
    (result, *_) = cw.compare("c45:confidence=0.1", blobs(), cv=2, repeats=1).results
    assert result.unit.learner == "c45:confidence=0.1" and result.params["confidence"] == 0.1
    assert result.params["class"] == "clearwood.learn.c45.C45Classifier"
    assert {"python", "clearwood", "numpy", "scikit-learn"} <= result.versions.keys()
    assert result.seconds >= result.scores["fit_seconds"] > 0
    assert result.finished.endswith("+00:00") and result.seed == unit_seed(0, result.unit)
    assert len(result.probe) == 1000 and set(result.probe.tolist()) <= {0, 1}


def test_progress_counts_what_was_there_before(tmp_path):
    told = []
    cw.compare("c45", blobs(), cv=3, repeats=1, store=tmp_path / "r.db")
    cw.compare("c45", blobs(), cv=3, repeats=2, store=tmp_path / "r.db", progress=lambda *counts: told.append(counts))
    assert told[0] == (3, 6) and told[-1] == (6, 6) and told == sorted(told)


def test_a_rare_class_brings_one_warning_with_the_tables_name():
    y = np.array([0] * 20 + [1] * 20 + [2] * 2)
    table = Table([Column("x")], [np.arange(42.0)], target=Column("c", ("a", "b", "rare")), y=y, name="rarity")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = cw.compare("c45", table, cv=5, repeats=3)
    texts = [str(warning.message) for warning in caught]
    assert [text for text in texts if "fewer rows" in text] == [
        "rarity: 1 class has fewer rows than the 5 folds (the smallest has 2), so some folds are tested without it."
    ]
    assert {result.status for result in found.results} == {"done"}


def test_rows_without_a_class_are_left_out():
    table = Table([Column("x")], [np.arange(12.0)], target=Column("c", ("a", "b")), y=[0, 1, -1] * 4, name="gaps")
    with pytest.warns(UserWarning, match="gaps: 4 of 12 rows have no class"):
        found = cw.compare("c45", table, cv=2, repeats=1)
    assert found.tables["gaps"].n_rows == 8


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
