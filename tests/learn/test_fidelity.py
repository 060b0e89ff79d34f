"""Where a tree and an ensemble disagree, and how their agreement grows with the leaves."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from clearwood import BaggedTreesClassifier, Column, ISMClassifier, Table
from clearwood.evaluate import uniform_examples
from clearwood.learn.fidelity import FidelityCurve, disagreement_rules

X, Y = load_wine(return_X_y=True)


BAG = BaggedTreesClassifier(n_estimators=10, random_state=0).fit(X, Y)


def test_disagreements_are_rules_that_hold():
    clf = ISMClassifier(BAG, max_leaves=3).fit(X, Y)
    rows = uniform_examples(Table(clf.tree_.columns, X.T), 3000, 0)
    differs = clf.tree_.predict(rows) != BAG.ensemble_.predict(rows)
    rules = clf.disagreements(rows, min_rows=20)
    assert rules
    covered = np.zeros(rows.n_rows, dtype=bool)
    for rule in rules:
        inside = np.ones(rows.n_rows, dtype=bool)
        for condition in rule.conditions:
            cells = rows.column(condition.feature)
            inside &= (cells > condition.lower) & (cells <= condition.upper)
        assert inside.sum() == rule.support >= 20
        assert differs[inside].mean() == pytest.approx(rule.confidence)
        assert rule.confidence > 0.5
        covered |= inside
    assert differs[covered].sum() > 0.7 * differs.sum()
    assert ISMClassifier(BAG, stop="exact").fit(X, Y).disagreements(rows) == []


def test_the_curve_names_the_fewest_leaves():
    curve = FidelityCurve(np.array([1, 2, 3, 4]), np.array([0.6, 0.9, 0.85, 0.95]))
    assert [curve.leaves_for(share) for share in (0.0, 0.6, 0.61, 0.9, 0.91)] == [1, 1, 2, 2, 4]
    with pytest.raises(ValueError, match=r"the tree reaches a fidelity of 0\.9500 at most, not 0\.99"):
        curve.leaves_for(0.99)
    with pytest.raises(ValueError, match="fidelity must be a number between 0 and 1, got 90"):
        curve.leaves_for(90)
    assert curve.to_dict() == {"n_leaves": [1, 2, 3, 4], "fidelity": [0.6, 0.9, 0.85, 0.95]}


def test_the_curve_is_drawn_in_per_cent():
    plt = pytest.importorskip("matplotlib.pyplot")
    ax = FidelityCurve(np.array([1, 2]), np.array([0.5, 1.0])).plot(plt.subplots()[1], color="red")
    (line,) = ax.lines
    assert line.get_ydata().tolist() == [50, 100] and line.get_color() == "red"
    plt.close(ax.figure)


def test_rows_that_agree_everywhere_give_no_rules_and_a_feature_may_be_called_labels():
    table = Table([Column("labels")], [np.arange(8.0)])
    assert disagreement_rules(table, np.zeros(8, dtype=bool)) == []
    (rule,) = disagreement_rules(table, np.arange(8) > 5)
    assert rule.support == 2 and rule.conditions[0].lower == 5.0
