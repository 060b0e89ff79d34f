"""Our own study: a quick run on a set that scikit-learn ships, its tables and its files."""

import dataclasses
import json

import numpy as np
import pytest
from sklearn.datasets import load_wine

from clearwood import C45Classifier, DistilledTreeClassifier, ForestClassifier
from clearwood.learn.bagging import BaggedTreesClassifier
from clearwood.studies.distilled.measured import read_measured
from clearwood.studies.distilled.report import SCORES
from clearwood.studies.distilled.study import STUDY
from clearwood.studies.reproduce import run_again


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """A few learners under the study's names."""
    folder = tmp_path_factory.mktemp("distilled")
    frame = load_wine(as_frame=True).frame
    frame["target"] = load_wine().target_names[frame["target"]]
    frame.to_csv(folder / "iris.csv", index=False)
    study = dataclasses.replace(
        STUDY,
        cv=3,
        quick=("iris",),
        quick_learners=lambda: {
            "c45": C45Classifier(binary_splits=True),
            "bagging": BaggedTreesClassifier(oob=False, random_state=0),
            "forest": ForestClassifier(n_estimators=20, random_state=0),
            "sparse": DistilledTreeClassifier(tests="sparse", n_synthetic=300, cv=3, random_state=0),
        },
    )
    return run_again(study, quick=True, folder=folder, progress=False)


def test_the_learners_and_sets_are_those_that_the_notes_name():
    assert list(STUDY.learners()) == [
        "c45", "cart", "pareto", "ism_td", "cmm", "bagging", "forest", "axis", "sparse", "linear",
    ]  # fmt: skip
    assert len(STUDY.published()) == 34 and len(STUDY.quick) == 8
    assert set(STUDY.quick) <= set(STUDY.published())
    assert (STUDY.repeats_of("letter"), STUDY.repeats_of("iris")) == (1, 5)


def test_a_quick_run_prints_shares_sizes_and_losses(found):
    text = str(found)
    for part in ("Means over 1 data set", "of bagging's gain", "leaves / C4.5's", "against C4.5", "features a test"):
        assert part in text
    assert not found.comparison.failures


def test_a_share_is_what_is_kept_of_an_ensembles_gain(found):
    accuracy = {name: found.of_learner("accuracy", name).mean() for name in found.comparison.learners}
    share = found.share("sparse", "forest")
    wanted = (accuracy["sparse"] - accuracy["c45"]) / (accuracy["forest"] - accuracy["c45"])
    assert share.value == pytest.approx(100 * wanted) and share.low <= share.value <= share.high
    assert np.isnan(found.share("sparse", "c45").value)  # nothing was gained
    assert 1 <= found.of_learner("terms", "sparse")[0] <= 3
    assert 0.5 < found.of_learner("fidelity", "sparse")[0] <= 1


def test_the_picture_has_a_point_for_each_tree_and_a_line_for_each_ensemble(found):
    ax = found.plot()
    points = [line for line in ax.lines if line.get_marker() == "o"]
    assert len(points) == 2 and len(ax.lines) == 4
    sparse = points[1].get_xydata()[0]
    assert sparse[1] == pytest.approx(100 * found.of_learner("accuracy", "sparse").mean())


def test_the_files_hold_the_figures(found, tmp_path):
    found.write_csv(tmp_path / "distilled.csv")
    again = read_measured(tmp_path / "distilled.csv")
    assert again.comparison.learners == found.comparison.learners and again.comparison.tables == found.comparison.tables
    for score in SCORES:
        assert again.comparison.means(score) == pytest.approx(found.comparison.means(score), rel=1e-5, nan_ok=True)
    assert again.comparison.scores() == pytest.approx(found.comparison.scores(), rel=1e-5)
    assert str(again).splitlines()[4:] == str(found).splitlines()[4:]
    found.write_page(tmp_path / "distilled.html")
    assert "of bagging" in (tmp_path / "distilled.html").read_text(encoding="utf-8")
    document = json.loads(json.dumps(found.to_dict()))
    assert document["learners"]["sparse"]["relative_leaves"] > 0
