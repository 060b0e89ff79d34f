"""ISM as an estimator: its forms, its limits, what it is given and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine

from clearwood import BaggedTreesClassifier, C45Classifier, Column, ISMClassifier, Table
from clearwood.evaluate import fidelity, uniform_examples
from clearwood.learn.inputs import prediction_table

X, Y = load_wine(return_X_y=True)
BAG = BaggedTreesClassifier(n_estimators=10, random_state=0).fit(X, Y)
ESTIMATES = ["trees", "mixed", "data"]


def mixed_table(n: int = 200, seed: int = 0, missing: float = 0.0) -> Table:
    """Numbers and values, some missing, with a class that depends on both."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.random(n), rng.integers(4, size=n), rng.random(n)
    y = ((a > 0.5) ^ (b > 1)).astype(int) + (c > 0.8) * (rng.random(n) < 0.7)
    a[rng.random(n) < missing] = np.nan
    b[rng.random(n) < missing] = -1
    columns = [Column("a"), Column("b", ("p", "q", "r", "s")), Column("c")]
    return Table(columns, [a, b, c], target=Column("y", ("0", "1", "2")), y=y)


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_the_training_rows_are_labelled_as_by_the_ensemble(estimate):
    clf = ISMClassifier(BAG, estimate=estimate).fit(X, Y)
    assert clf.fidelity_ == 1.0
    assert np.array_equal(clf.predict(X), BAG.predict(X))


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("estimate", ESTIMATES)
def test_unlabelled_rows_are_labelled_as_by_the_ensemble(estimate, missing):
    table = mixed_table(missing=missing)
    train, tests = table.take(np.arange(120)), table.take(np.arange(120, 200))
    without = ISMClassifier(estimate=estimate, random_state=0).fit(train)
    clf = ISMClassifier(estimate=estimate, unlabelled=tests, random_state=0).fit(train)
    assert clf.ensemble_.trees == without.ensemble_.trees
    alike = fidelity(clf.tree_, clf.ensemble_, tests)
    assert alike == 1.0 if missing == 0 else alike >= 0.95
    assert alike > fidelity(without.tree_, without.ensemble_, tests)
    assert clf.tree_.learner == {"trees": "ISM_tu", "mixed": "ISM_tdu", "data": "ISM_du"}[estimate]


def test_unlabelled_rows_may_come_as_arrays_and_frames():
    frame = pd.DataFrame(X, columns=[f"v{i}" for i in range(13)])
    for rows, more in ((X[:100], X[100:]), (frame[:100], frame[100:])):
        clf = ISMClassifier(unlabelled=more, random_state=0).fit(rows, Y[:100])
        table = prediction_table(clf, more, clf.ensemble_)
        assert fidelity(clf.tree_, clf.ensemble_, table) == 1.0


def test_unlabelled_rows_with_other_columns_are_refused():
    with pytest.raises(ValueError, match="unlabelled must have the columns of the other rows"):
        ISMClassifier(BAG, unlabelled=X[:, :5]).fit(X, Y)
    table = mixed_table()
    with pytest.raises(ValueError, match=r"unlabelled must have the columns of the other rows: .*'b'"):
        ISMClassifier(unlabelled=table.select(["a", "c"])).fit(table)
    with pytest.raises(ValueError, match=r"unlabelled='tests' has a meaning in compare and evaluate only"):
        ISMClassifier(unlabelled="tests").fit(table)


def test_values_that_the_ensemble_has_not_seen_count_as_missing():
    table = mixed_table()
    wider = Table(
        [table.columns[0], Column("b", ("p", "q", "r", "s", "t")), table.columns[2]],
        [table.column(0), np.where(np.arange(200) < 5, 4, table.column(1)), table.column(2)],
        target=table.target,
        y=table.y,
    )
    bag = BaggedTreesClassifier(n_estimators=5, random_state=0).fit(table)
    clf = ISMClassifier(bag).fit(wider)
    assert clf.tree_.columns == table.columns
    gone = Table(table.columns, [wider.column(0), np.where(wider.column(1) == 4, -1, wider.column(1)), wider.column(2)])
    assert np.array_equal(clf.predict(wider), clf.predict(gone))
    assert clf.fidelity_ > 0.97


def test_one_tree_and_trees_that_are_leaves():
    one = C45Classifier().fit(X, Y)
    assert np.array_equal(ISMClassifier(one, stop="exact").fit(X, Y).predict(X), one.predict(X))
    leaf = C45Classifier(min_leaf=1000).fit(X, Y).tree_
    clf = ISMClassifier([leaf, leaf]).fit(X, Y)
    assert clf.tree_.n_nodes == 1
    assert np.allclose(clf.predict_proba(X), leaf.predict_proba(Table(leaf.columns, X.T)))
    assert ISMClassifier(random_state=0).fit(X, np.zeros(len(X))).tree_.n_nodes == 1


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("estimate", ESTIMATES)
def test_an_exact_tree_predicts_as_the_ensemble_for_all_rows_without_missing_cells(estimate, missing):
    table = mixed_table(missing=missing)
    bag = BaggedTreesClassifier(n_estimators=5, random_state=0).fit(table)
    clf = ISMClassifier(bag, estimate=estimate, stop="exact").fit(table)
    anywhere = uniform_examples(table, 5000, 1)
    assert not np.isnan(anywhere.numeric).any() and (anywhere.nominal >= 0).all()
    assert np.array_equal(clf.tree_.predict(anywhere), bag.ensemble_.predict(anywhere))
    assert clf.tree_.n_nodes > ISMClassifier(bag, estimate=estimate).fit(table).tree_.n_nodes


def test_no_two_sister_leaves_of_an_exact_tree_predict_the_same():
    tree = ISMClassifier(BAG, stop="exact", max_leaves=None).fit(X[:, :], Y).tree_
    for node in range(tree.n_nodes):
        if not tree.is_leaf(node) and all(tree.is_leaf(child) for child in tree.children(node)):
            assert len({int(tree.leaf_class[child]) for child in tree.children(node)}) == 2


def test_leaves_that_no_row_reaches_speak_with_the_trees():
    tree = ISMClassifier(BAG, stop="exact").fit(X, Y).tree_
    weight = tree.counts.sum(axis=1)
    assert (weight < 0.01).any()
    assert np.allclose(tree.node_proba.sum(axis=1), 1)


def test_size_limits_and_the_curve():
    whole = ISMClassifier(BAG, estimate="mixed").fit(X, Y)
    curve = whole.fidelity_curve_
    assert len(curve) == whole.tree_.n_leaves
    assert curve.fidelity[-1] == 1.0
    for size in (1, 3, 6):
        part = ISMClassifier(BAG, estimate="mixed", max_leaves=size).fit(X, Y)
        assert (part.tree_.n_leaves, part.fidelity_) == (size, pytest.approx(curve.fidelity[size - 1]))
    assert curve.fidelity[curve.leaves_for(0.9) - 1] >= 0.9
    with pytest.raises(ValueError, match="reaches a fidelity of"):
        ISMClassifier(BAG, max_leaves=2).fit(X, Y).fidelity_curve_.leaves_for(1.0)


def test_pruning_makes_trees_smaller():
    cancer, ill = load_breast_cancer(return_X_y=True)
    bag = BaggedTreesClassifier(n_estimators=10, random_state=0).fit(cancer, ill)
    whole, mild, hard = (
        ISMClassifier(bag, prune=prune, confidence=level).fit(cancer, ill)
        for prune, level in ((None, 0.25), ("pessimistic", 0.45), ("pessimistic", 0.01))
    )
    assert whole.tree_.n_leaves > mild.tree_.n_leaves >= hard.tree_.n_leaves
    assert 1.0 == whole.fidelity_ > mild.fidelity_ >= hard.fidelity_ > 0.9
    held = ISMClassifier(prune="held_out", random_state=0).fit(cancer, ill)
    assert held.tree_.n_leaves < whole.tree_.n_leaves
    rows = held.tree_.counts[0].sum() - (len(ill) - round(0.25 * len(ill)))
    assert 0 <= rows < 0.1  # leaves that no row reached weighed 0.001 each before they were pruned


def test_weights_count():
    weights = np.where(Y == 0, 100.0, 1.0)
    heavy = ISMClassifier(BAG, estimate="mixed", max_leaves=2).fit(X, Y, sample_weight=weights).tree_
    assert heavy.counts[0].sum() == pytest.approx(weights.sum())
    few = ISMClassifier(BAG, estimate="data").fit(X, Y, sample_weight=(Y < 2).astype(float))
    rows = np.flatnonzero(Y < 2)
    assert few.tree_ == ISMClassifier(BAG, estimate="data").fit(X[rows], Y[rows]).tree_


def test_rows_without_a_class_are_left_out():
    table = mixed_table()
    gaps = Table(table.columns, [table.column(i) for i in range(3)], target=table.target,
                 y=np.where(np.arange(200) < 20, -1, table.y))  # fmt: skip
    with pytest.warns(UserWarning, match="20 rows without a class"):
        clf = ISMClassifier(random_state=0).fit(gaps)
    assert clf.tree_ == ISMClassifier(random_state=0).fit(table.take(np.arange(20, 200))).tree_


def test_a_clone_fits_its_ensemble_anew():
    twin = clone(ISMClassifier(BAG))
    assert len(twin.fit(X[:100], Y[:100]).ensemble_) == 10
    assert twin.ensemble_.trees != BAG.trees_


@pytest.mark.parametrize(
    ("params", "error", "words"),
    [
        ({"estimate": "tree"}, ValueError, "estimate must be one of 'trees', 'mixed', 'data', got 'tree'"),
        ({"stop": None}, ValueError, "stop must be one of 'labels', 'exact'"),
        ({"gain": "ratio"}, ValueError, "gain must be one of 'mixture', 'path'"),
        ({"criterion": "gini"}, ValueError, "criterion must be one of 'gain', 'gain_ratio'"),
        ({"must_part": False, "estimate": "mixed"}, ValueError, "must_part=False needs estimate='trees', got 'mixed'"),
        ({"must_part": 2}, TypeError, "must_part must be True or False"),
        ({"prune": True}, ValueError, "prune must be one of 'pessimistic', 'held_out'"),
        ({"max_leaves": 0}, ValueError, "max_leaves must be a whole number of at least 1"),
        ({"confidence": 1.0}, ValueError, "confidence must be a number between 0 and 1"),
    ],
)
def test_wrong_parameters_are_refused(params, error, words):
    with pytest.raises(error, match=words):
        ISMClassifier(**params).fit(X, Y)
