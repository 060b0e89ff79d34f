"""CART against scikit-learn's trees, and its choice of a size by cross-validation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier
from small_tables import random_small_table

from clearwood import CARTClassifier, Column, Table
from clearwood.evaluate.resampling import fold_numbers
from clearwood.learn.randomness import generator
from clearwood.learn.weakest_links import cut_at, links

SETS = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}


def noisy(n_rows: int = 300, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two columns that matter, three that do not, and a fifth of the labels wrong."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 5))
    y = ((X[:, 0] > 0) & (X[:, 1] > -0.5)).astype(int)
    return X, np.where(rng.random(n_rows) < 0.2, 1 - y, y)


# -- growth ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("ours", "theirs"), [("gini", "gini"), ("gain", "entropy")])
def test_a_full_tree_is_as_pure_as_scikit_learns(name, ours, theirs):
    X, y = SETS[name](return_X_y=True)
    tree = CARTClassifier(criterion=ours, pruning=None).fit(X, y).tree_
    peer = DecisionTreeClassifier(criterion=theirs, random_state=0).fit(X, y)
    assert (CARTClassifier(criterion=ours, pruning=None).fit(X, y).predict(X) == y).all()
    assert abs(tree.n_leaves - peer.get_n_leaves()) <= 3  # equal gains are chosen by chance there


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("min_leaf", [1, 5, 20])
def test_the_first_split_gains_as_much_as_scikit_learns(name, min_leaf):
    X, y = SETS[name](return_X_y=True)
    tree = CARTClassifier(pruning=None, max_depth=1, min_leaf=min_leaf).fit(X, y).tree_
    peer = DecisionTreeClassifier(max_depth=1, min_samples_leaf=min_leaf, random_state=0).fit(X, y).tree_
    share = tree.counts / tree.counts.sum(axis=1, keepdims=True)
    left = (tree.counts.sum(axis=1) * (1 - (share**2).sum(axis=1)))[1:].sum() / len(y)
    assert left == pytest.approx((peer.impurity[1:] @ peer.weighted_n_node_samples[1:]) / len(y), abs=1e-9)


# -- the path ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_the_path_goes_from_the_whole_tree_to_the_root(name):
    path = CARTClassifier(random_state=0).fit(*SETS[name](return_X_y=True)).pruning_path_
    assert path.alphas[0] == 0
    assert path.n_leaves[-1] == 1
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert (np.diff(path.risk) > 0).all()


def test_every_step_is_the_tree_cut_at_its_alpha():
    X, y = noisy()
    full = CARTClassifier(pruning=None).fit(X, y)
    path = full.pruning_path_
    assert full.alpha_ is None
    assert path.chosen is None
    assert np.isnan(path.cv_risk).all()
    for alpha, n_leaves, risk in zip(path.alphas, path.n_leaves, path.risk, strict=True):
        cut = CARTClassifier(pruning=alpha).fit(X, y)
        assert cut.tree_.n_leaves == n_leaves
        assert cut.alpha_ == alpha
        assert 1 - cut.score(X, y) == pytest.approx(risk, abs=1e-12)


def test_the_cross_validated_errors_are_those_of_the_folds_own_trees():
    """By definition: in each fold, grow, cut at the geometric mean of neighbouring alphas, count the errors."""
    X, y = noisy()
    path = CARTClassifier(random_state=4, cv=5).fit(X, y).pruning_path_
    folds = fold_numbers(y, 5, generator(4))
    typical = [*np.sqrt(path.alphas[:-1] * path.alphas[1:]), np.inf]
    wrong = np.zeros(len(path))
    for k in range(5):
        train, test = folds != k, folds == k
        for i, alpha in enumerate(typical):
            wrong[i] += (CARTClassifier(pruning=alpha).fit(X[train], y[train]).predict(X[test]) != y[test]).sum()
    assert path.cv_risk == pytest.approx(wrong / len(y), abs=1e-12)
    assert path.cv_standard_error == pytest.approx(np.sqrt(path.cv_risk * (1 - path.cv_risk) / len(y)), abs=1e-12)


def test_with_missing_values_too():
    rng = np.random.default_rng(9)
    X, y = noisy(120)
    X[rng.random(X.shape) < 0.2] = np.nan
    weights = rng.choice([0.5, 1.0, 2.0], size=120)
    splits = list(StratifiedKFold(3).split(X, y))
    path = CARTClassifier(cv=splits).fit(X, y, sample_weight=weights).pruning_path_
    typical = [*np.sqrt(path.alphas[:-1] * path.alphas[1:]), np.inf]
    wrong = np.zeros(len(path))
    for train, test in splits:
        full = CARTClassifier(pruning=None).fit(X[train], y[train], sample_weight=weights[train])
        for i, alpha in enumerate(typical):
            full.tree_ = cut_at(CARTClassifier(pruning=None).fit(X[train], y[train], weights[train]).tree_, alpha)
            wrong[i] += weights[test][full.predict(X[test]) != y[test]].sum()
    assert path.cv_risk == pytest.approx(wrong / weights.sum(), abs=1e-12)


# -- the choice --------------------------------------------------------------------------------------


def test_the_chosen_tree_has_the_least_error_and_of_equals_the_fewest_leaves():
    fitted = CARTClassifier(random_state=0).fit(*noisy())
    path = fitted.pruning_path_
    assert path.cv_risk[path.chosen] == path.cv_risk.min()
    assert (path.cv_risk[path.chosen + 1 :] > path.cv_risk.min()).all()
    assert fitted.alpha_ == path.alphas[path.chosen]
    assert fitted.tree_.n_leaves == path.n_leaves[path.chosen]


def test_one_standard_error_takes_the_smallest_tree_that_is_not_clearly_worse():
    best = CARTClassifier(random_state=0).fit(*noisy()).pruning_path_
    small = CARTClassifier(random_state=0, one_se=True).fit(*noisy()).pruning_path_
    limit = best.cv_risk[best.chosen] + best.cv_standard_error[best.chosen]
    assert small.chosen == np.flatnonzero(best.cv_risk <= limit)[-1]
    assert small.n_leaves[small.chosen] <= best.n_leaves[best.chosen]


def test_pruning_finds_the_structure_under_the_noise():
    tree = CARTClassifier(random_state=0, one_se=True).fit(*noisy(1000)).tree_
    assert tree.n_leaves == 3
    assert tree.features == ("x0", "x1")
    assert sorted(tree.threshold[tree.kind == 1]) == pytest.approx([-0.5, 0.0], abs=0.15)


def test_pruned_trees_predict_better_than_full_ones():
    (X, y), (unseen, truth) = noisy(600, seed=1), noisy(2000, seed=2)
    pruned = CARTClassifier(random_state=0).fit(X, y).score(unseen, truth)
    assert pruned > CARTClassifier(pruning=None).fit(X, y).score(unseen, truth) + 0.05


@pytest.mark.parametrize("seed", [0, 1, np.random.RandomState(5), np.random.default_rng(5)], ids=str)
def test_a_seed_makes_the_result_repeatable(seed):
    import copy

    first = CARTClassifier(random_state=copy.deepcopy(seed)).fit(*noisy())
    again = CARTClassifier(random_state=copy.deepcopy(seed), n_jobs=2).fit(*noisy())
    assert first.tree_ == again.tree_
    assert np.array_equal(first.pruning_path_.cv_risk, again.pruning_path_.cv_risk)


def test_folds_can_be_given():
    X, y = noisy()
    splitter = KFold(4, shuffle=True, random_state=1)
    one = CARTClassifier(cv=splitter).fit(X, y).pruning_path_
    other = CARTClassifier(cv=list(splitter.split(X))).fit(X, y).pruning_path_
    assert np.array_equal(one.cv_risk, other.cv_risk)


def test_more_folds_than_rows_leave_one_out():
    with pytest.warns(UserWarning, match="fewer rows than the 6 folds"):
        CARTClassifier(cv=50, random_state=0).fit(np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1])


@given(st.integers(0, 10_000))
@settings(max_examples=30)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_any_small_table_can_be_pruned(seed):
    table = random_small_table(np.random.default_rng(seed))
    if not table.weights[table.y >= 0].sum() > 0:
        return
    fitted = CARTClassifier(random_state=0, cv=3).fit(table)
    full = CARTClassifier(pruning=None).fit(table).tree_
    assert fitted.tree_ == cut_at(full, fitted.alpha_)
    assert np.array_equal(fitted.pruning_path_.alphas, links(full).alphas)


# -- as a person sees it -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "chosen"),
    [
        ({}, 2),  # of two equals the smaller
        ({"one_se": True}, 3),  # 0.20 + 0.04 allows 0.24, and not 0.25
        ({"max_leaves": 4}, 3),
        ({"max_leaves": 4, "one_se": True}, 4),
        ({"max_leaves": 1}, 5),
    ],
)
def test_the_step_of_the_path_that_is_chosen(params, chosen):
    n_leaves = np.array([9, 7, 6, 4, 2, 1])
    cv_risk = np.array([0.22, 0.20, 0.20, 0.24, 0.25, 0.50])
    error = np.array([0.04, 0.09, 0.04, 0.02, 0.04, 0.05])
    assert CARTClassifier(**params)._choose(n_leaves, cv_risk, error) == chosen


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_values", [4, 13])
def test_a_set_holds_the_first_value_that_occurs(n_classes, n_values):
    """So that a test reads the same whichever side was found first; value 0 is declared and never occurs."""
    rng = np.random.default_rng(n_values)
    for _ in range(10):
        of_value = rng.random((n_values, n_classes))
        cells = rng.integers(1, n_values, size=200)
        y = np.array([rng.choice(n_classes, p=row / row.sum()) for row in of_value[cells] ** 3])
        columns, target = [Column("v", tuple(map(str, range(n_values))))], Column("y", tuple("abc"[:n_classes]))
        tree = CARTClassifier(pruning=None, max_depth=1).fit(Table(columns, [cells], target=target, y=y)).tree_
        assert 1 in tree.subset(0) and 0 not in tree.subset(0)


def test_folds_without_gaps_are_judged_without_class_weights_and_to_the_same_end():
    from clearwood.learn import path_errors

    for seed in range(5):
        rng = np.random.default_rng(seed)
        columns = [Column("x"), Column("v", tuple("abcdef"))]
        cells = [rng.integers(0, 9, size=90) / 2, rng.integers(0, 6, size=90)]
        weights = rng.choice([0.0, 0.5, 1.0, 3.0], size=90)
        target = Column("y", tuple(f"c{k}" for k in range(7)))
        table = Table(columns, cells, target=target, y=rng.integers(0, 7, size=90), weights=weights)
        split = (np.arange(90)[::2], np.arange(90)[1::2])
        alphas = np.array([0.0, 0.001, 0.01, 0.05, np.finfo(float).max])
        growth = CARTClassifier(min_leaf=0.5).growth()
        found = path_errors._errors_without_gaps(table, growth, alphas, split)
        np.testing.assert_array_equal(found, path_errors._errors(table, growth, alphas, split))


def test_thousands_of_classes_take_little_more_room_than_their_weights_at_all_nodes():
    import tracemalloc

    from clearwood.learn.path_errors import cross_validated_errors

    n_rows, n_classes = 300, 3000
    rng = np.random.default_rng(0)
    y = rng.permutation(n_classes)[:n_rows]
    target = Column("y", tuple(f"c{k}" for k in range(n_classes)))
    table = Table([Column("x")], [rng.permutation(n_rows).astype(float)], target=target, y=y)
    splits = [(np.arange(n_rows), np.arange(10))]
    tracemalloc.start()
    try:
        cross_validated_errors(table, CARTClassifier().growth(), np.array([0.0, 0.1]), splits)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    weights = 2 * 2 * n_rows * n_classes * 8  # of the rows of each node, and of those that its parent sent it
    assert peak < 1.5 * weights


def test_masks_split_as_row_numbers_do():
    """They were taken for the rows 0 and 1."""
    rng = np.random.default_rng(0)
    X, fold = rng.normal(size=(120, 3)), np.arange(120) % 4
    y = ((X[:, 0] > 0) ^ (rng.random(120) < 0.2)).astype(int)
    masks = CARTClassifier(cv=[(fold != k, fold == k) for k in range(4)]).fit(X, y)
    numbers = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(4)]
    rows = CARTClassifier(cv=numbers).fit(X, y)
    assert masks.tree_ == rows.tree_
    np.testing.assert_array_equal(masks.pruning_path_.cv_risk, rows.pruning_path_.cv_risk)
    with pytest.raises(ValueError, match="numbers between 0 and 119, got 120"):
        CARTClassifier(cv=[(np.arange(60), np.arange(60, 121))]).fit(X, y)
