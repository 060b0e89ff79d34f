"""BlendedForest: regressions speak where they know more, and nobody judges rows that it has seen."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine

import clearwood as cw
from clearwood.learn.distilled.blended_forest import BlendedForest
from clearwood.table import Column, Table

SMALL = {"n_estimators": 40, "random_state": 0}


def test_regressions_speak_where_the_border_is_a_plane():
    table = cw.artificial.ls5(300, random_state=0)
    others = cw.artificial.ls5(2000, random_state=1)
    forest, blend = cw.ForestClassifier(**SMALL).fit(table), BlendedForest(**SMALL).fit(table)
    truth = np.array(others.classes, dtype=object)[others.y]
    right = [float((clf.predict(others) == truth).mean()) for clf in (forest, blend)]
    assert blend.share_ > 0.5 and right[1] > right[0] + 0.03
    assert blend.oob_score_ > forest.oob_score_ and [str(t) for t in blend.trees_] == [str(t) for t in forest.trees_]


def test_they_are_silent_where_it_is_not():
    table = cw.artificial.chess2(400, random_state=0)
    forest, blend = cw.ForestClassifier(**SMALL).fit(table), BlendedForest(**SMALL).fit(table)
    assert blend.share_ == 0 and blend.regression_ is None
    assert np.array_equal(blend.predict_proba(table), forest.predict_proba(table))
    assert np.array_equal(blend.oob_decision_function_, forest.oob_decision_function_)
    assert blend.ensemble_.trees == forest.ensemble_.trees


def test_probabilities_are_the_blend_of_both():
    wine = load_wine()
    blend, forest = (cls(**SMALL).fit(wine.data, wine.target) for cls in (BlendedForest, cw.ForestClassifier))
    table = cw.read(load_wine(as_frame=True).frame, target="target")
    said = blend.regression_.predict_proba(table)
    expected = blend.share_ * said + (1 - blend.share_) * forest.predict_proba(wine.data)
    assert blend.predict_proba(wine.data) == pytest.approx(expected)
    assert 0 < blend.share_ < 1 and blend.oob_decision_function_.sum(axis=1) == pytest.approx(1)
    with pytest.raises(AttributeError, match="no ensemble of trees alone"):
        _ = blend.ensemble_


@pytest.mark.parametrize("fitted", [False, True])
def test_who_wants_trees_alone_is_told_where_they_are(fitted):
    wine = load_wine()
    blend = BlendedForest(**SMALL).fit(wine.data, wine.target)
    with pytest.raises(TypeError, match=r"got BlendedForest: a forest that is blended .* pass its trees_ for these"):
        cw.ISMClassifier(blend if fitted else clone(blend)).fit(wine.data, wine.target)
    assert len(cw.ISMClassifier(blend.trees_).fit(wine.data, wine.target).ensemble_) == 40
    assert cw.evaluate.complexity(blend) == sum(tree.n_nodes for tree in blend.trees_)


def test_what_is_said_of_a_row_is_said_by_those_who_have_not_seen_it():
    """Of labels that are noise nothing can be known, however many columns there are to learn them by heart."""
    rng = np.random.default_rng(0)
    columns = [Column(f"x{i}") for i in range(40)]
    y = np.arange(80) % 2
    table = Table(columns, list(rng.normal(size=(40, 80))), target=Column("y", ("a", "b")), y=y)
    blend = BlendedForest(**SMALL).fit(table)
    own = blend.oob_decision_function_[np.arange(80), y]
    assert np.nanmean(own > 0.5) < 0.7


@pytest.mark.parametrize("labels", [[0, 0, 0, 0], [0, 1, 0, 0], [0, 1]])
def test_hardly_any_rows(labels):
    target = Column("y", ("a", "b"))
    table = Table([Column("x")], [np.arange(float(len(labels)))], target=target, y=labels)
    found = BlendedForest(**SMALL).fit(table).predict_proba(table)
    assert found.sum(axis=1) == pytest.approx(1)


def test_the_same_for_any_number_of_threads():
    table = cw.artificial.ls5(300, random_state=0)
    one, two = (BlendedForest(**SMALL, n_jobs=n).fit(table).predict_proba(table) for n in (1, 2))
    assert np.array_equal(one, two)
