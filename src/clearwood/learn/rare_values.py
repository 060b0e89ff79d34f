"""Rare values: nominal values of few rows, which tests of value sets do not tell apart."""

from __future__ import annotations

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["FEW_VALUES", "RareValues"]

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
            rare = np.flatnonzero((counts > 0) & (counts < least))
            if np.count_nonzero(counts) <= FEW_VALUES or len(rare) < 2:
                continue
            self._rare[column.name] = rare
            nominal = table.nominal.copy() if nominal is None else nominal
            nominal[table.slots[feature]][np.isin(codes, rare)] = rare[0]
        self.table = table if nominal is None else table.with_codes(nominal)

    def spread(self, tree: Tree) -> Tree:
        """The tree with all rare values where the first one is.

        A search may put others of them anywhere, since it has no row with them.
        """
        if not self._rare:
            return tree
        sets = [tree.subset(node) for node in range(tree.n_nodes)]
        for node in np.flatnonzero(tree.kind == TestKind.SUBSET).tolist():
            rare = self._rare.get(tree.columns[tree.feature[node]].name)
            if rare is None:
                continue
            others = set(sets[node]).difference(rare.tolist())
            if int(rare[0]) in sets[node]:
                sets[node] = tuple(sorted(others.union(rare.tolist())))
            elif others:  # a set must hold a value
                sets[node] = tuple(sorted(others))
        return tree.with_sets(sets)
