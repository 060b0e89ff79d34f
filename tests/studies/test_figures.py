"""Figures: what stands in them."""

import matplotlib
import numpy as np
import pytest
from sample_comparisons import EVIL, sample_comparison

from clearwood.studies.figures import plot_overview


@pytest.fixture(autouse=True)
def off_screen():
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


def test_bars_are_as_high_as_the_means():
    comparison = sample_comparison()
    ax = comparison.plot("bars", score="accuracy")
    heights = np.array([[bar.get_height() for bar in bars] for bars in ax.containers if hasattr(bars, "patches")])
    assert np.allclose(heights.T, 100 * comparison.means("accuracy"))
    assert [text.get_text() for text in ax.get_xticklabels()] == ["iris", "wine", "glass"]


def test_a_learner_without_size_has_no_bar():
    ax = sample_comparison().plot("bars", score="nodes")
    assert {bar.get_height() for bar in ax.patches[6:]} == {0.0}


def test_the_axes_that_are_given_are_used():
    import matplotlib.pyplot as plt

    ax = plt.figure().add_subplot()
    for kind in ("bars", "critical_difference", "scatter"):
        assert sample_comparison().plot(kind, ax=ax) is ax


def test_the_overview_has_error_size_and_features():
    figure = plot_overview(sample_comparison())
    assert [ax.get_ylabel() for ax in figure.axes] == ["error (%)", "nodes", "features"]
    treeless = sample_comparison(without_tree=("c45", "cart", "forest"))
    assert [ax.get_ylabel() for ax in plot_overview(treeless).axes] == ["error (%)"]


def test_learners_that_do_not_differ_are_joined():
    data = tuple(f"set {i}" for i in range(20))
    comparison = sample_comparison(learners=("a", "b", "c", "d"), gaps=(0, 0, 0.3, 0.3), data=data)
    ranking = comparison.rank()
    ax = comparison.plot("critical_difference")
    bars = [line for line in ax.lines if line.get_linewidth() > 3]
    assert len(bars) == len(ranking.groups) == 2
    for bar, group in zip(bars, ranking.groups, strict=True):
        assert min(bar.get_xdata()) <= min(ranking.ranks[j] for j in group)
        assert max(bar.get_xdata()) >= max(ranking.ranks[j] for j in group)
    words = [text.get_text() for text in ax.texts]
    assert any(word.startswith("critical difference") for word in words)
    assert all(any(f"{rank:.2f}" in word for word in words) for rank in ranking.ranks)


@pytest.mark.parametrize("n_learners", [2, 3, 9])
def test_names_lie_within_the_picture_and_do_not_overlap(n_learners):
    learners = tuple(f"learner number {i}" for i in range(n_learners))
    comparison = sample_comparison(learners=learners, gaps=tuple(0.01 * i for i in range(n_learners)))
    ax = comparison.plot("critical_difference")
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    frame = ax.figure.bbox
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in boxes)
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_names_with_dollar_signs_are_only_names():
    comparison = sample_comparison(learners=("c45", EVIL), data=(EVIL, "iris"), gaps=(0, 0.01))
    for kind in ("bars", "critical_difference", "scatter"):
        comparison.plot(kind).figure.canvas.draw()  # mathtext would not understand them
