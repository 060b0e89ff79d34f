"""Random small tables on which the Pareto search has something to do."""

import numpy as np
from small_tables import random_small_table

from clearwood.evolve.pareto.bits import as_bits

NARROW = ("few values", "many values", "neighbouring floats", "large and small", "two", "several")
"""Kinds of columns with few values, where every set of them can be tried."""


def splittable_tables(n, **options):
    """Tables whose rows all have a class and a weight, with two classes and a column that parts them."""
    found = []
    for seed in range(200):
        table = random_small_table(np.random.default_rng(seed), **options)
        table = table.take((table.y >= 0) & (table.weights > 0))
        if table.n_rows > 3 and len(np.unique(table.y)) > 1 and len(as_bits(table).usable):
            found.append(table)
        if len(found) == n:
            return found
    raise AssertionError("too few tables")


def wrong_rows(tree, table):
    """The weight of the rows that a tree gets wrong."""
    return table.weights[tree.predict(table) != table.y].sum()
