"""Rare values: nominal values of few rows, which tests of value sets do not tell apart."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["FEW_VALUES", "RareValues", "rare_codes", "spread"]

FEW_VALUES = 10
"""So many values cannot divide the rows at will, however few rows each has."""


class RareValues:
    """A table in which the rare values of each nominal column pass for one of them, and the way back.

    A set of values can separate any rows that have values of their own, so a column of names divides the training rows
    at will and says nothing of others. In a column of more than :data:`FEW_VALUES` values, those with fewer rows than
    ``least`` therefore stay on the same side of every test; together they are as good a value as any.

    Parameters
    ----------
    table : Table
        The training rows.
    least : float
        The weight of rows that a value needs to be told from others; 1 for any.

    Attributes
    ----------
    table : Table
        The same rows, each rare value replaced by the first rare one of its column; all else is shared.
    columns : tuple of str
        The columns that have such values.

    Examples
    --------
    >>> from clearwood.table import Column
    >>> letters = Column("letter", tuple("abcdefghijkl"))
    >>> table = Table([letters], [[0, 0, 0, *range(12)]], target=Column("y", ("no", "yes")), y=[0] * 15)
    >>> RareValues(table, 3).table.column("letter").tolist()
    [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    """

    def __init__(self, table: Table, least: float) -> None:
        self._rare: dict[str, np.ndarray] = {}
        nominal = None
        for feature, column in enumerate(table.columns if least > 1 else ()):
            if not column.is_nominal:
                continue
            codes = table.column(feature)
            known = table.counted[codes[table.counted] >= 0]
            counts = np.bincount(codes[known], table.weights[known], minlength=column.n_values)
            rare = rare_codes(counts, least)
            if not len(rare):
                continue
            self._rare[column.name] = rare
            nominal = table.nominal.copy() if nominal is None else nominal
            nominal[table.slots[feature]][np.isin(codes, rare)] = rare[0]
        self.table = table if nominal is None else table.with_codes(nominal)
        self.columns = tuple(self._rare)

    def spread(self, tree: Tree) -> Tree:
        """The tree with all rare values where the first one is.

        A search may put others of them anywhere, since it has no row with them.
        """
        return spread(tree, self._rare)


def rare_codes(counts: np.ndarray, least: float) -> np.ndarray:
    """The values that pass for the first of them, by the weight of rows that each value of a column has; none or more.

    >>> rare_codes(np.array([5, 1, 2] + [9] * 9), 3).tolist()
    [1, 2]
    """
    rare = np.flatnonzero((counts > 0) & (counts < least))
    return rare if np.count_nonzero(counts) > FEW_VALUES and len(rare) > 1 else rare[:0]


def spread(tree: Tree, rare: Mapping[str, np.ndarray]) -> Tree:
    """A tree with the rare values of each column, by its name, where the first of them is."""
    if not rare:
        return tree
    sets = [tree.subset(node) for node in range(tree.n_nodes)]
    for node in np.flatnonzero(tree.kind == TestKind.SUBSET).tolist():
        codes = rare.get(tree.columns[tree.feature[node]].name)
        if codes is None:
            continue
        others = set(sets[node]).difference(codes.tolist())
        if int(codes[0]) in sets[node]:
            sets[node] = tuple(sorted(others.union(codes.tolist())))
        elif others:  # a set must hold a value
            sets[node] = tuple(sorted(others))
    return tree.with_sets(sets)
