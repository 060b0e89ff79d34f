"""Comparison with the twins: grow a tree from a table that can be learned from, and compare it node for node."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from small_tables import random_small_table

from clearwood.table import Table
from clearwood.tree import Tree

EXACT = ("kind", "feature", "first_child", "n_children", "empty", "set_start", "set_values")


def grown(learner: Any, table: Table) -> Tree:
    """The tree that a learner grows; columns in tiny units and rows without a class are wanted here, not warned of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return learner.fit(table).tree_


def same_tree(ours: Tree, twin: Tree) -> bool:
    """Tests and thresholds to the last bit, weights but for rounding."""
    return (
        all(np.array_equal(getattr(ours, name), getattr(twin, name)) for name in EXACT)
        and np.array_equal(ours.threshold, twin.threshold, equal_nan=True)
        and np.allclose(ours.counts, twin.counts, rtol=1e-9, atol=1e-9)
        and np.allclose(ours.bags, twin.bags, rtol=1e-9, atol=1e-9)
    )


def can_be_learned(table: Table) -> bool:
    """Whether some row has a class and some weight."""
    return bool(table.weights[table.y >= 0].sum() > 0)


def seeded_tables(seed: int, n: int, **limits: Any) -> Iterator[tuple[np.random.Generator, Table]]:
    """Random tables that can be learned from, each with the generator that made it."""
    for child in np.random.default_rng(seed).spawn(n):
        table = random_small_table(child, **limits)
        if can_be_learned(table):
            yield child, table
