"""The plain pruning sequence is best at every price."""

import numpy as np
import pytest
from reference_trees import to_tree
from small_tables import random_small_table

from clearwood.kernels import reference
from clearwood.kernels.reference.routing.weakest_links import node_risks
from clearwood.table import Column, Table


def test_the_pruning_sequence_is_best_at_every_price():
    rng = np.random.default_rng(2)
    tried = 0
    while tried < 60:
        table = random_small_table(rng, max_rows=25)
        tree = to_tree(reference.grow_cart(table), table)
        if not 3 <= tree.n_leaves <= 9:
            continue
        tried += 1
        alphas, sizes, masks = reference.weakest_links(tree)
        everything = reference.all_prunings(tree)
        assert alphas[0] == 0
        assert sizes[-1] == 1
        assert (np.diff(alphas) > 0).all()
        assert (np.diff(sizes) < 0).all()
        prices = [*alphas, *(alphas[:-1] + alphas[1:]) / 2, alphas[-1] + 1]
        for price in prices:
            best = min(risk + price * size for risk, size in everything)
            smallest = min(size for risk, size in everything if risk + price * size <= best + 1e-10)
            place = np.flatnonzero(alphas <= price)[-1]
            assert sizes[place] == smallest
            assert _cost(tree, masks[place], price) == pytest.approx(best, abs=1e-10)


def _cost(tree, mask: np.ndarray, price: float) -> float:
    leaves = [i for i in np.flatnonzero(mask) if tree.is_leaf(i) or not mask[tree.first_child[i]]]
    return float(node_risks(tree)[leaves].sum() + price * len(leaves))


def test_of_a_single_leaf_the_sequence_is_itself():
    table = Table([Column("x")], [[1.0, 2.0]], target=Column("y", ("a", "b")), y=[0, 0])
    alphas, sizes, masks = reference.weakest_links(to_tree(reference.grow_cart(table), table))
    assert (alphas.tolist(), sizes.tolist(), masks.tolist()) == ([0], [1], [[True]])
