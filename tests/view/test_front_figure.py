"""Pictures of fronts show what the fronts hold."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import load_wine

import clearwood as cw
from clearwood import C45Classifier, Front, ParetoTreeClassifier, join_fronts
from clearwood.evaluate import evaluate
from clearwood.evolve.history import History
from clearwood.view.front_figure import plot_front_during


@pytest.fixture(scope="module")
def clf():
    X, y = load_wine(return_X_y=True)
    return ParetoTreeClassifier(generations=15, population_size=60, max_leaves=6, cv=3, random_state=0).fit(X, y)


def test_both_errors_the_choice_and_marks(clf):
    X, y = load_wine(return_X_y=True)
    judged = evaluate(C45Classifier(), cw.read(load_wine(as_frame=True).frame, target="target"), cv=3, repeats=1)
    ax = clf.plot_front(marks={"C4.5 $x$": C45Classifier().fit(X, y), "there": (4, 12.5), "folds": judged})
    training = ax.lines[0]
    assert training.get_xdata().tolist() == list(clf.front_.sizes)
    assert training.get_ydata() == pytest.approx([100 * e.training_error for e in clf.front_])
    means = ax.containers[0].lines[0]
    assert means.get_ydata() == pytest.approx([100 * e.cv_error for e in clf.front_])
    words = [text.get_text() for text in ax.texts]
    assert f"chosen: {clf.n_leaves_}" in words and "C4.5 $x$, training" in words and "there" in words
    assert "folds, cross-validated" in words
    assert ax.lines[-1].get_xydata().tolist() == [[judged.leaves.mean(), 100 * (1 - judged.interval.mean)]]
    assert ax.figure.number in plt.get_fignums()  # so a notebook shows it
    assert ax.get_xlabel() == "number of rules (leaves)"
    with pytest.raises(TypeError, match="marks must hold"):
        clf.plot_front(marks={"what": "this"})


def test_a_joined_front_has_a_line_for_each_learner(clf):
    X, y = load_wine(return_X_y=True)
    ax = join_fronts(clf, C45Classifier().fit(X, y)).plot(Figure().add_subplot())
    labels = ax.get_legend_handles_labels()[1]
    assert labels == ["Pareto, training", "C4.5, training", "Pareto, cross-validated"]


def test_the_front_during_the_search(clf):
    ax = clf.plot_search()
    assert len(ax.lines) >= 3
    first, last = ax.lines[0].get_ydata(), ax.lines[-1].get_ydata()
    assert (np.array(last) <= np.array(first)).all() and last[-1] < first[-1]
    assert clf.plot_history().get_xlabel() == "generations"
    with pytest.raises(ValueError, match="nothing was recorded"):
        plot_front_during(History())
    with pytest.raises(ValueError, match="front is empty"):
        Front([]).plot()
