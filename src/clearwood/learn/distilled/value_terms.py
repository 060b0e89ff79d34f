"""Value terms: which values of nominal columns the planes of a search may weigh beside numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clearwood.learn.coded_cells import CodedCells
from clearwood.table import Table

__all__ = ["ValueTerms", "value_terms"]

MOST_TERMS = 256  # of more those are taken that tell most of the classes, each by itself


class ValueTerms(NamedTuple):
    """For each term the nominal column, by its place among these, and the code of the value that counts as 1."""

    column: np.ndarray
    code: np.ndarray


def value_terms(table: Table, cells: CodedCells) -> ValueTerms:
    """The values that enough rows have; of a column with two of these the rarer alone, which tells of both.

    Parameters
    ----------
    table : Table
        Every row has a class.
    cells : CodedCells
        Its cells.
    """
    codes = []
    for nominal, rare in zip(cells.nominal, cells.rare, strict=True):
        values = np.flatnonzero(~rare)
        if len(values) == 2:
            held = [np.count_nonzero(nominal == value) for value in values]
            values = values[:1] if held[0] <= held[1] else values[1:]
        codes.append(values)
    column = np.repeat(np.arange(len(codes)), [len(values) for values in codes])
    terms = ValueTerms(column, np.concatenate([*codes, np.empty(0, dtype=np.intp)]).astype(np.intp))
    if len(column) <= MOST_TERMS:
        return terms
    kept = np.sort(np.argsort(-_told(table, cells, terms), kind="stable")[:MOST_TERMS])
    return ValueTerms(terms.column[kept], terms.code[kept])


def _told(table: Table, cells: CodedCells, terms: ValueTerms) -> np.ndarray:
    """How much of the classes each term explains: the sum over classes of squared covariance by the term's variance."""
    n_classes, total = len(table.classes), table.weights.sum()
    share = np.bincount(table.y, table.weights, minlength=n_classes) / total
    told = np.zeros(len(terms.code))
    for place in np.unique(terms.column):
        own = np.flatnonzero(terms.column == place)
        size = (int(cells.n_values[place]) + 1) * n_classes
        counts = np.bincount(cells.nominal[place] * n_classes + table.y, table.weights, minlength=size)
        held = counts.reshape(-1, n_classes)[terms.code[own]]
        weight = held.sum(axis=1)
        covariance = held - weight[:, None] * share
        variance = weight * (1 - weight / total)
        told[own] = np.divide((covariance**2).sum(axis=1), variance, out=np.zeros(len(own)), where=variance > 0)
    return told
