"""The distributions in a picture count each row that comes to the test once."""

import numpy as np
import pytest
from nominal_planes import with_nominal_terms
from sample_trees import random_table, random_tree

from clearwood.conditions import Kind
from clearwood.learn.decision_path import decision_path
from clearwood.view.histograms import histograms


@pytest.mark.parametrize("seed", range(10))
def test_bars_add_up_to_the_rows_with_the_value(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, 120, missing=0.1)
    tree = random_tree(rng, table)
    _bars_count_the_rows(tree, table)
    _bars_count_the_rows(with_nominal_terms(rng, tree), table)


def _bars_count_the_rows(tree, table):
    visits = decision_path(tree, table).toarray().astype(bool)
    inner = np.flatnonzero(tree.kind != Kind.LEAF).tolist()
    for node, found in histograms(tree, table, inner).items():
        here = visits[:, node]
        known = here.copy()
        linear = tree.kind[node] == Kind.LINEAR  # a sum lacks nothing but numbers
        for feature in tree.plane(node).numbers if linear else tree.tested(node):
            cells = table.column(feature)
            known &= cells >= 0 if tree.columns[feature].is_nominal else ~np.isnan(cells)
        assert found.bars.sum() == pytest.approx(known.sum())
        np.testing.assert_allclose(found.bars.sum(axis=0), np.bincount(table.y[known], minlength=3))
        if tree.kind[node] == Kind.THRESHOLD:
            cells, cut = table.column(int(tree.feature[node])), float(tree.threshold[node])
            left = found.bars[: int(np.floor(found.cut * len(found.bars)))].sum()
            assert left <= (cells[known] <= cut).sum() + 1e-9
