"""What the study has measured: the notes and the guide say what the file holds."""

from pathlib import Path

import numpy as np
import pytest

from clearwood.studies.distilled.measured import read_measured
from clearwood.studies.distilled.study import STUDY

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "ensembles.rst"
NAMES = {
    "c45": "C4.5",
    "cart": "CART",
    "pareto": "Pareto, short search",
    "ism_td": "ISM_td",
    "cmm": "CMM",
    "bagging": "bagging of 25",
    "forest": "forest of 500",
    "axis": "distilled, one feature",
    "sparse": "distilled, sparse",
    "linear": "distilled, linear",
}
FOUND = read_measured()


def mean(score, learner):
    return float(np.nanmean(FOUND.of_learner(score, learner)))


def test_all_learners_were_measured_on_the_same_folds():
    assert set(FOUND.comparison.learners) == set(NAMES)
    known = np.isfinite(FOUND.comparison.scores()).all(axis=3)
    pareto = FOUND.comparison.learners.index("pareto")  # has run the first cross-validation alone
    assert known[:, pareto].any(axis=1).all()
    assert (np.delete(known, pareto, axis=1) == known[:, :1]).all()
    assert set(FOUND.comparison.data) <= set(STUDY.published())


@pytest.mark.parametrize("learner", NAMES)
def test_the_notes_say_what_was_measured(learner):
    lines = [line.split(" | ") for line in STUDY.notes().splitlines() if line.startswith(f"| {NAMES[learner]} |")]
    n_leaves = mean("leaves", learner)
    wanted = (
        f"{100 * mean('accuracy', learner):.2f}",
        f"{n_leaves:.1f}" if n_leaves < 1000 else f"{n_leaves:,.0f}",
        f"{100 * mean('stability', learner):.1f}",
    )
    assert any(wanted == (line[1], line[2], line[4]) for line in lines if len(line) > 4), f"no line has {wanted}"


@pytest.mark.parametrize("learner", ["axis", "sparse", "linear"])
def test_the_notes_say_what_is_kept_of_baggings_gain(learner):
    assert f"| {FOUND.share(learner, 'bagging')} |" in STUDY.notes()


def test_the_picture_in_the_guide_is_described_by_its_figures():
    text = " ".join(GUIDE.read_text(encoding="utf-8").split())
    for learner in NAMES:
        assert f"{100 * mean('accuracy', learner):.1f} %" in text
