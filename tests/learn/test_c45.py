"""C4.5: the well-known tree, and what each of its own parameters does; its 1,272 J48 records are in test_golden."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from weather import weather_numeric

import clearwood as cw
from clearwood.conditions import Kind

CANCER = load_breast_cancer(return_X_y=True)
WINE = load_wine(return_X_y=True)


def tree(X=CANCER[0], y=CANCER[1], **params):
    return cw.C45Classifier(**params).fit(X, y).tree_


def noisy(seed=0):
    """Nominal and numeric columns, a class that two of them tell, and a fifth of the labels wrong."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=400),
            "b": rng.choice(list("pqrs"), 400),
            "c": rng.normal(size=400),
            "d": rng.choice(list("xy"), 400),
        }
    )
    y = (frame["a"] > 0) ^ frame["b"].isin(["p", "q"])
    return frame, np.where(rng.random(400) < 0.2, ~y, y)


def test_the_weather_gives_quinlans_tree():
    tree = cw.C45Classifier().fit(weather_numeric()).tree_
    assert tree.to_text(style="weka").splitlines()[3:] == [
        "outlook = sunny",
        "|   humidity <= 75: yes (2.0)",
        "|   humidity > 75: no (3.0)",
        "outlook = overcast: yes (4.0)",
        "outlook = rain",
        "|   windy = strong: no (2.0)",
        "|   windy = weak: yes (3.0)",
        "",
        "Number of Leaves  : \t5",
        "",
        "Size of the tree : \t8",
    ]


def test_twoing_needs_two_branches():
    frame = pd.DataFrame({"x": ["u", "v", "w"] * 4})
    with pytest.raises(ValueError, match="column 'x' is nominal; pass binary_splits=True"):
        cw.C45Classifier(criterion="twoing").fit(frame, [0, 1, 1] * 4)
    assert cw.C45Classifier(criterion="twoing", binary_splits=True).fit(frame, [0, 1, 1] * 4).tree_.n_leaves == 2


def test_smaller_confidence_prunes_more():
    sizes = [tree(confidence=c).n_leaves for c in (0.4, 0.1, 1e-6)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]
    assert tree(prune=False).n_leaves > sizes[0]


def test_the_confidence_that_was_used_is_told():
    assert cw.C45Classifier(confidence=0.1).fit(*WINE).confidence_ == 0.1
    chosen = cw.C45Classifier(confidence="cv", random_state=0).fit(*CANCER)
    assert chosen.confidence_ in (0.05, 0.15, 0.25, 0.35, 0.45)
    assert chosen.tree_ == tree(confidence=chosen.confidence_)


def test_c45s_own_estimate_of_errors_is_another_than_j48s():
    X, y = noisy(5)
    ours, j48s = (tree(X, y, confidence=0.9, error_estimate=estimate) for estimate in ("c4.5", "j48"))
    assert ours.n_leaves < j48s.n_leaves  # above one half the normal curve adds no errors, it takes some off
    sizes = [tree(X, y, confidence=c, error_estimate="c4.5").n_leaves for c in (0.9, 0.25, 0.01)]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[-1]


@pytest.mark.parametrize("least", [2, 10, 40.5])
def test_two_branches_hold_min_leaf_rows(least):
    grown = tree(min_leaf=least, prune=False, collapse=False)
    rows = grown.counts.sum(axis=1)
    inner = np.flatnonzero(grown.kind == Kind.THRESHOLD)
    assert len(inner) > 0
    for node in inner:
        first = grown.first_child[node]
        assert min(rows[first], rows[first + 1]) >= least
    assert tree(min_leaf=300).n_leaves == 1  # two branches of 300 do not fit into 569 rows


def test_collapsing_costs_no_training_error():
    X, y = noisy()
    collapsed, whole = (cw.C45Classifier(prune=False, collapse=c).fit(X, y) for c in (True, False))
    assert collapsed.tree_.n_leaves < whole.tree_.n_leaves
    assert collapsed.score(X, y) == whole.score(X, y)


def test_subtrees_are_raised_in_place_of_their_parents():
    for seed in range(20):
        X, y = noisy(seed)
        raised, left = (cw.C45Classifier(raise_subtrees=r).fit(X, y).tree_ for r in (True, False))
        if raised != left:
            break
    assert raised.n_leaves <= left.n_leaves and raised != left


def test_two_way_tests_have_two_branches():
    X, y = noisy()
    two, many = (cw.C45Classifier(binary_splits=b, prune=False).fit(X, y).tree_ for b in (True, False))
    assert set(two.n_children.tolist()) == {0, 2} and Kind.SUBSET in two.kind
    assert 4 in many.n_children.tolist() and Kind.BRANCHES in many.kind


def test_the_correction_for_many_thresholds_keeps_noise_out():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 3)), rng.integers(2, size=120)
    corrected, free = (tree(X, y, mdl_correction=m, prune=False, collapse=False) for m in (True, False))
    assert corrected.n_leaves < free.n_leaves


@pytest.mark.filterwarnings("ignore:the values of column 'x0' lie closer together:UserWarning")
def test_values_closer_than_min_gap_are_one():
    X, y = np.repeat([1.0, 1.5, 3.0], 20)[:, None], np.repeat([0, 1, 2], 20)
    cuts = [tree(X, y, min_gap=gap).threshold for gap in (0.4, 0.6, 1.6)]
    assert [sorted(found[~np.isnan(found)].tolist()) for found in cuts] == [[1.0, 1.5], [1.5], []]


def test_max_leaves_takes_off_the_weakest_links():
    grown = tree(max_leaves=4)
    assert grown.n_leaves <= 4 < tree().n_leaves
    assert tree(max_leaves=1).n_leaves == 1 and tree(max_leaves=100) == tree()


def test_laplace_smooths_probabilities_and_nothing_else():
    plain, smooth = cw.C45Classifier().fit(*WINE), cw.C45Classifier(laplace=True).fit(*WINE)
    X = WINE[0]
    assert np.array_equal(plain.predict(X), smooth.predict(X))
    assert (smooth.predict_proba(X) > 0).all()
    counts = smooth.tree_.counts[smooth.apply(X)]
    assert smooth.predict_proba(X) == pytest.approx((counts + 1) / (counts.sum(axis=1, keepdims=True) + 3))
    assert str(plain.tree_) == str(smooth.tree_)


def test_a_tree_says_how_it_was_grown():
    assert [tree(**p).learner for p in ({}, {"binary_splits": True}, {"prune": False})] == [
        "C4.5",
        "C4.5 two-way",
        "C4.5 unpruned",
    ]


@pytest.mark.filterwarnings("error")
def test_columns_in_plain_units_bring_no_warning():
    steps = np.arange(20)[:, None]
    tree(steps / 10, np.arange(20) > 9)
    tree(steps * 1e-7, np.arange(20) > 9, min_gap=0)
    cw.CARTClassifier(pruning=None).fit(steps * 1e-7, np.arange(20) > 9)
