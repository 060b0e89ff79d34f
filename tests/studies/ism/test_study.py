"""The study of ISM: the paper's figures as typed, a quick run, and transductive learners in a comparison."""

import dataclasses
import json

import numpy as np
import pytest
from sklearn.datasets import load_iris

import clearwood as cw
from clearwood.read import datasets
from clearwood.studies.ism.study import STUDY
from clearwood.studies.reproduce import run_again
from clearwood.studies.tree_pages import write_tree_pages

# the last row of Table 2
AVERAGES = {
    "c45": 80.58, "bagging": 83.2, "ism_t": 81.49, "ism_td": 81.6,
    "cmm_up": 80.54, "cmm_p": 81.0, "ism_tu": 83.14, "ism_tdu": 83.17,
}  # fmt: skip


def test_the_typed_figures_have_the_averages_that_the_paper_prints():
    published = STUDY.published()
    assert len(published) == 34
    for learner, average in AVERAGES.items():
        assert 100 * np.mean([row[learner] for row in published.values()]) == pytest.approx(average, abs=0.011)


def iris_table() -> cw.Table:
    iris = load_iris()
    return cw.Table(
        [cw.Column(name) for name in iris.feature_names],
        iris.data.T,
        target=cw.Column("species", tuple(iris.target_names)),
        y=iris.target,
        name="iris",
    )


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The quick form on a set that scikit-learn ships, under the paper's name."""
    folder = tmp_path_factory.mktemp("ism")
    frame = load_iris(as_frame=True).frame
    frame["target"] = load_iris().target_names[frame["target"]]
    frame.to_csv(folder / "iris.csv", index=False)
    return run_again(dataclasses.replace(STUDY, quick=("iris",)), quick=True, folder=folder, progress=False)


def test_a_quick_run_prints_the_four_tables(found):
    text = str(found)
    overall = ("25.73", "80.73", "19/15/0")  # the paper's figures over all of its sets
    for part in ("Table 1.", "Table 2.", "Table 3.", "Table 4.", "Fidelity"):
        assert part in text
    assert not any(part in text for part in overall) and "over all of its sets, so they are left out" in text
    whole = str(dataclasses.replace(found, quick=False))
    assert all(part in whole for part in overall) and "left out" not in whole
    assert not found.comparison.failures
    assert found.comparison.data == ("iris",)
    document = json.loads(json.dumps(found.to_dict()))
    assert len(document["wins"]) == 45
    assert sum(document["wins"][0]["ours"]) == 1  # one data set: won, drawn or lost
    assert document["sizes"]["bagging"]["ours"] > 10


def test_transductive_forms_label_the_tests_as_the_ensemble_does(found):
    for learner in ("ism_tu", "ism_tdu", "ism_du"):
        assert found.mean_of("fidelity", learner) == 1.0
        at = found.comparison.learners.index(learner)
        assert np.array_equal(found.comparison.scores()[:, at], found.comparison.scores()[:, 1])  # bagging's accuracy


def test_trees_are_drawn_but_for_those_that_need_the_tests_of_a_fold(found, tmp_path):
    found.comparison.pages = write_tree_pages(found.comparison, STUDY.learners(), {"iris": iris_table()}, tmp_path)
    found.write_page(tmp_path / "ism.html")
    page = (tmp_path / "ism.html").read_text(encoding="utf-8")
    drawn = found.comparison.pages["iris"].trees
    assert {"c45", "ism_t", "cmm_p"} <= drawn.keys() and not {"bagging", "ism_tu"} & drawn.keys()
    assert page.count('<figure class="tree">') == len(drawn) and "(iris): " in page
    assert "% right in 10-fold cross-validation" in page and "quick version: 1 of 34 data sets, 1 repeat" in page


def test_the_page_holds_the_tables(found, tmp_path):
    found.write_page(tmp_path / "ism.html")
    assert "Table 3." in (tmp_path / "ism.html").read_text(encoding="utf-8")


def test_large_sets_are_repeated_fewer_times():
    assert (STUDY.repeats_of("letter"), STUDY.repeats_of("iris"), STUDY.repeats_of("iris", quick=True)) == (1, 5, 1)
    study = dataclasses.replace(STUDY, quick=(), cv=2, repeats=2, fewer={"tae": 1}, learners=lambda: {
        "c45": cw.C45Classifier()}, report=None)  # fmt: skip
    try:
        datasets.load("tae")
    except FileNotFoundError as error:
        pytest.skip(str(error))
    object.__setattr__(study, "published", lambda: {name: {"c45": 0.5} for name in ("tae", "iris")})
    found = run_again(study, progress=False)
    assert found.comparison.data == ("tae", "iris")
    assert np.isfinite(found.comparison.scores()).sum(axis=(1, 2, 3)).tolist() == [2, 4]


def test_a_comparison_shows_accuracy_size_stability_and_fidelity():
    learners = ["c45", "bagging:n_estimators=3", "ism:estimate=data,unlabelled=tests", "cmm:n_artificial=50"]
    comparison = cw.compare(learners, {"iris": iris_table()}, cv=3, repeats=1, progress=False)
    assert not comparison.failures
    head = next(line for line in str(comparison).splitlines() if "accuracy %" in line)
    for column in ("nodes", "stability", "fidelity"):
        assert column in head
    assert np.isnan(comparison.means("fidelity")[0, :2]).all()
    assert comparison.means("fidelity")[0, 2] == 1.0
    assert comparison.means("nodes")[0, 1] > comparison.means("nodes")[0, 0]


def test_unlabelled_rows_of_a_comparison_are_the_tests_or_none():
    found = cw.compare({"ism": cw.ISMClassifier(unlabelled="test")}, {"iris": iris_table()}, cv=2, repeats=1,
                       progress=False)  # fmt: skip
    assert "unlabelled must be rows, 'tests' in a comparison, or None, got 'test'" in found.failures[0].error
