"""Pricing links and judging subtrees against the plain sequence and against trying everything."""

import time

import numpy as np
import pytest
from reference_trees import to_tree
from sklearn.tree import DecisionTreeClassifier
from small_tables import random_small_table

from clearwood.kernels import reference
from clearwood.kernels.routing.held_out import held_out_errors
from clearwood.kernels.routing.weakest_links import price_links
from clearwood.learn.weakest_links import cut_at, links
from clearwood.routing import Routing
from clearwood.table import Column
from clearwood.tree import Tree

LEARNERS = {
    "cart": reference.grow_cart,
    "id3": reference.grow_id3,  # many branches, empty leaves
    "c45": lambda table: reference.c45_tree(table, reference.C45Options(prune=False, collapse=False, min_leaf=1)),
}


def grown_trees(learner: str, n: int, seed: int = 0):
    """Trees with something to cut, and the tables they were grown from."""
    rng = np.random.default_rng(seed)
    found = 0
    while found < n:
        table = random_small_table(rng)
        if not table.weights[table.y >= 0].sum() > 0:
            continue
        tree = to_tree(LEARNERS[learner](table), table)
        if tree.n_leaves > 2:
            found += 1
            yield tree, table


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_sequence_is_the_twins(learner):
    for tree, _ in grown_trees(learner, 120):
        alphas, sizes, masks = reference.weakest_links(tree)
        found = links(tree)
        assert found.alphas == pytest.approx(alphas, abs=1e-9)
        assert found.totals(found.alphas, np.ones(tree.n_nodes)).round().tolist() == sizes.tolist()
        for alpha, mask in zip(found.alphas, masks, strict=True):
            assert np.array_equal(found.gone > alpha, mask)


@pytest.mark.parametrize("learner", LEARNERS)
def test_no_other_subtree_is_better_at_any_price(learner):
    tried = 0
    for tree, _ in grown_trees(learner, 100, seed=1):
        if tree.n_leaves > 10:
            continue
        tried += 1
        everything = reference.all_prunings(tree)
        alphas = links(tree).alphas
        for price in [*alphas, *(alphas[:-1] + alphas[1:]) / 2, alphas[-1] + 1]:
            subtree = cut_at(tree, price)
            leaves = subtree.counts[subtree.kind == 0]
            risk = (leaves.sum(axis=1) - leaves.max(axis=1)).sum() / tree.counts[0].sum()
            best = min(r + price * size for r, size in everything)
            assert risk + price * subtree.n_leaves == pytest.approx(best, abs=1e-9)
    assert tried > 20


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
def test_prices_are_scikit_learns(criterion, weighted):
    """Its path charges impurity instead of errors; given the same charges, the prices are the same."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(400, 4)), rng.integers(3, size=400)
    weights = rng.random(400) if weighted else np.ones(400)
    peer = DecisionTreeClassifier(criterion=criterion, random_state=0, min_samples_leaf=3)
    expected = peer.cost_complexity_pruning_path(X, y, sample_weight=weights)
    tree = peer.fit(X, y, sample_weight=weights).tree_
    order, first = [0], []
    for node in order:  # level by level, as our trees are numbered
        inner = tree.children_left[node] >= 0
        first.append(len(order) if inner else -1)
        order.extend([tree.children_left[node], tree.children_right[node]] if inner else [])
    first_child = np.array(first, dtype=np.int32)
    kind, n_children = (first_child >= 0).astype(np.int8), np.where(first_child >= 0, 2, 0).astype(np.int32)
    charge = (tree.impurity * tree.weighted_n_node_samples / weights.sum())[order]
    price, gone = price_links(kind, first_child, n_children, charge)
    prices = np.unique(np.append(price[price < gone], 0.0).round(12))
    assert prices == pytest.approx(np.unique(expected.ccp_alphas.round(12)), abs=1e-10)


def test_a_node_with_one_branch_is_cut_with_what_lies_below_it():
    """No learner of ours makes one, but a file may hold it."""
    arrays = {
        "kind": [2, 1, 0, 0],
        "feature": [0, 1, -1, -1],
        "threshold": [np.nan, 0.5, np.nan, np.nan],
        "first_child": [1, 2, -1, -1],
        "n_children": [1, 2, 0, 0],
        "empty": [False] * 4,
        "counts": [[4, 4], [4, 4], [4, 0], [0, 4]],
    }
    tree = Tree(columns=[Column("one", ("v",)), Column("x")], classes=["a", "b"], **arrays)
    assert links(tree).alphas.tolist() == [0.0, 0.5]
    assert cut_at(tree, 0.4).n_nodes == 4
    assert cut_at(tree, 0.5).n_nodes == 1


@pytest.mark.parametrize("shape", ["chain", "balanced"])
def test_a_hundred_thousand_nodes_take_no_time(shape):
    """The cost must not grow with depth times size: a chain would take minutes."""
    n_inner = 50_000
    inner = np.arange(n_inner)
    kind, first_child = np.zeros(2 * n_inner + 1, dtype=np.int8), np.full(2 * n_inner + 1, -1, dtype=np.int32)
    place = np.append(0, 2 * inner[:-1] + 1) if shape == "chain" else inner
    kind[place], first_child[place] = 1, 2 * inner + 1
    errors = np.random.default_rng(0).integers(0, 5, size=len(kind)).astype(float)
    for node in place[::-1]:  # errors never fall from a node to its parent
        errors[node] += errors[first_child[node]] + errors[first_child[node] + 1]
    start = time.perf_counter()
    price, gone = price_links(kind, first_child, np.where(kind, 2, 0).astype(np.int32), errors)
    assert time.perf_counter() - start < 2
    assert (price >= 0).all()
    assert np.isinf(gone[0])
    assert price[0] == pytest.approx(np.max(price[price < gone]))


@pytest.mark.parametrize("learner", LEARNERS)
def test_errors_of_every_subtree_are_those_of_the_cut_trees(learner):
    """Each row goes down once for the whole path, rows with missing values in shares."""
    shared = 0
    for tree, table in grown_trees(learner, 60, seed=2):
        found = links(tree)
        alphas = np.append(found.alphas, found.alphas.max() + 1)
        begin, end = found.steps(alphas)
        rows = np.flatnonzero(table.y >= 0).astype(np.int32)
        routing = Routing(tree)
        wrong = held_out_errors(
            *routing.tests, table.numeric, table.nominal, *routing.sharing, routing.plain, routing.leaf_class,
            begin, end, rows, table.y, table.weights, len(alphas),
        )  # fmt: skip
        part = table.take(rows)
        for alpha, weight in zip(alphas, wrong, strict=True):
            predicted = reference.predicted(cut_at(tree, alpha), part)
            assert weight == pytest.approx(part.weights[predicted != part.y].sum(), abs=1e-9)
        shared += np.count_nonzero(tree.apply(part) < 0)
    assert shared > 100
