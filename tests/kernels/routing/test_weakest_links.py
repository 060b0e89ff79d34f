"""Pricing links against the plain sequence, against scikit-learn, and against trying everything."""

import time

import numpy as np
import pytest
from reference_trees import LEARNERS, grown_trees
from sklearn.tree import DecisionTreeClassifier

from clearwood.kernels import reference
from clearwood.kernels.routing.weakest_links import price_links
from clearwood.learn.weakest_links import cut_at, links
from clearwood.table import Column
from clearwood.tree import Tree


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


def priced(shape: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Prices of a tree of a hundred thousand nodes, with the processor's time for them."""
    n_inner = 50_000
    inner = np.arange(n_inner)
    kind, first_child = np.zeros(2 * n_inner + 1, dtype=np.int8), np.full(2 * n_inner + 1, -1, dtype=np.int32)
    place = np.append(0, 2 * inner[:-1] + 1) if shape == "chain" else inner
    kind[place], first_child[place] = 1, 2 * inner + 1
    errors = np.random.default_rng(0).integers(0, 5, size=len(kind)).astype(float)
    for node in place[::-1]:  # errors never fall from a node to its parent
        errors[node] += errors[first_child[node]] + errors[first_child[node] + 1]
    start = time.process_time()
    price, gone = price_links(kind, first_child, np.where(kind, 2, 0).astype(np.int32), errors)
    return price, gone, time.process_time() - start


def test_a_deep_tree_costs_about_as_much_as_a_flat_one():
    """Cutting one link after the other would take a thousand times as long in a chain."""
    spent = {}
    for shape in ("chain", "balanced"):
        price, gone, spent[shape] = min((priced(shape) for _ in range(3)), key=lambda found: found[2])
        assert (price >= 0).all()
        assert np.isinf(gone[0])
        assert price[0] == pytest.approx(np.max(price[price < gone]))
    assert spent["chain"] < 50 * spent["balanced"]
