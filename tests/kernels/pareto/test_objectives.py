"""Objectives: what trees cost, against the paths that their rows take."""

import numpy as np
import pytest
from splittable_tables import splittable_tables, wrong_rows

from clearwood.evolve.pareto.objectives import priced
from clearwood.evolve.pareto.search import FrontSearch
from clearwood.evolve.pareto.settings import FrontSettings
from clearwood.kernels.pareto.objectives import Objectives


def test_the_measures_of_a_tree_are_those_of_its_rows():
    checked = 0
    for table in splittable_tables(8, max_rows=60):
        costs = {name: 1.0 + 3 * i for i, name in enumerate(table.feature_names)}
        kinds, prices = priced(("leaves", "error", "features", "cost"), costs, table)
        settings = FrontSettings(
            population_size=40, generations=15, max_leaves=7, prices=prices, price_kinds=kinds, improvements=4
        )
        search = FrontSearch(table, settings, 1)
        while not search.finished:
            search.advance()
        for genes, measures in search._islands[0].pool.entries():
            tree = search.tree(genes, table.classes)
            leaf = tree.apply(table)
            if (leaf < 0).any():
                continue
            names = {int(k): {part.column.name for part in tree.path(int(k))} for k in np.unique(leaf)}
            paid = sum(
                weight * sum(costs[name] for name in names[int(k)])
                for k, weight in zip(leaf, table.weights, strict=True)
            )
            assert measures["leaves"] == tree.n_leaves
            assert measures["wrong"] / search.bits.scale == pytest.approx(wrong_rows(tree, table))
            assert measures["extra"].tolist() == pytest.approx([len(tree.features), paid / table.weights.sum()])
            checked += 1
    assert checked > 50


def test_more_prices_than_there_is_room_for_are_refused():
    with pytest.raises(ValueError, match="up to 2 rows of prices"):
        Objectives(np.ones((3, 4)), np.zeros(3, dtype=np.int32))
