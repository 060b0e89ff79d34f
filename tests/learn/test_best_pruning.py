"""The best subtree of a size is the best of all subtrees, found by trying them all."""

from itertools import product

import numpy as np
import pytest
from sample_trees import random_table, random_tree

from clearwood import C45Classifier
from clearwood.learn.best_pruning import fewest_errors
from clearwood.learn.weakest_links import cut_to_size, node_errors, prune_nodes
from clearwood.table import Column, Table


def all_prunings(tree, errors, node=0):
    """(leaves, errors) of every subtree."""
    found = {(1, round(float(errors[node]), 9))}
    if not tree.is_leaf(node):
        for parts in product(*(all_prunings(tree, errors, child) for child in tree.children(node))):
            found.add((sum(p[0] for p in parts), round(sum(p[1] for p in parts), 9)))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_it_is_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, random_table(rng, 60), max_nodes=18)
    errors = node_errors(tree.counts)
    every = all_prunings(tree, errors)
    for size in range(1, tree.n_leaves + 2):
        cut = prune_nodes(tree, np.array(fewest_errors(tree, errors, size), dtype=np.intp))
        made = float(node_errors(cut.counts)[cut.kind == 0].sum())
        best = min(e for n, e in every if n <= size)
        assert cut.n_leaves <= size and made == pytest.approx(best, abs=1e-5)
        assert cut.n_leaves == min(n for n, e in every if e <= best + 1e-5)


def test_a_size_that_the_weakest_links_jump_over():
    """Four regions in a checkerboard: no single test helps, so the links go all at once, but three leaves do better."""
    rng = np.random.default_rng(0)
    x = rng.random((2, 400))
    y = ((x[0] > 0.5) ^ (x[1] > 0.5)).astype(int)
    y[:40] = 1
    table = Table([Column("a"), Column("b")], list(x), target=Column("c", ("no", "yes")), y=y)
    grown = C45Classifier(min_leaf=2).fit(table).tree_
    for size in range(2, 6):
        small = cut_to_size(grown, size)
        assert small.n_leaves <= size
        errors = node_errors(grown.counts)
        best = prune_nodes(grown, np.array(fewest_errors(grown, errors, size), dtype=np.intp))
        made = [float(node_errors(t.counts)[t.kind == 0].sum()) for t in (small, best)]
        assert small.n_leaves == size or made[0] == pytest.approx(made[1])
