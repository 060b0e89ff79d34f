"""The nodes that rows visit agree with where they end."""

import numpy as np
import pytest
from nominal_planes import with_nominal_terms
from sample_trees import random_table, random_tree

from clearwood.learn.decision_path import decision_path


@pytest.mark.parametrize("seed", range(20))
def test_rows_visit_the_nodes_above_their_leaf(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, 80, missing=0.2)
    tree = random_tree(rng, table)
    _rows_visit_their_path(tree, table)
    _rows_visit_their_path(with_nominal_terms(rng, tree), table)


def _rows_visit_their_path(tree, table):
    visits = decision_path(tree, table).toarray()
    for row, leaf in enumerate(tree.apply(table)):
        if leaf >= 0:
            path = [int(leaf)]
            while path[-1]:
                path.append(int(tree.parent[path[-1]]))
            assert np.flatnonzero(visits[row]).tolist() == sorted(path)
        else:
            assert sum(tree.is_leaf(node) for node in np.flatnonzero(visits[row])) >= 1
            shared = visits[row] @ np.where(tree.kind == 0, 1, 0)
            assert shared > 1 or (tree.empty | (tree.bags.sum(axis=1) <= 0)).any()
