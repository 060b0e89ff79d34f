"""ID3 as the notes' Table 1 and sections 5 to 8 describe it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.reference.common.middle import midway
from clearwood.kernels.reference.common.rows import Data, Rows, TableLike, plain
from clearwood.kernels.reference.common.tolerance import smaller
from clearwood.kernels.reference.greedy import criteria
from clearwood.kernels.reference.greedy.class_table import ClassTable, by_value, one_bag
from clearwood.kernels.reference.greedy.node import Node, Test

TIE = 1e-9  # a gain must be larger by this much to win over a lower attribute or a lower threshold


@dataclass(frozen=True)
class _Candidate:
    score: float
    test: Test


def grow_id3(table: TableLike, criterion: str = "gain", max_depth: int | None = None) -> Node:
    """The tree of ID3: one branch for each declared value, an attribute at most once along a path.

    The attribute with the largest gain (or gain ratio) is taken even if that is 0. An attribute is of use where
    at least two of its branches hold rows with a known value. Rows of no weight are left out. A row with an
    unknown value is shared out over the branches as in C4.5, the gain is scaled by the share of known rows, and
    in the split information the unknown rows are one more group. A node whose rows weigh less than the lightest row,
    because they are shares, is a leaf.
    """
    data = plain(table)
    rows = data.labelled(drop_weightless=True)
    lightest = min((weight for _, weight in rows), default=0.0)
    return _grow(data, rows, list(range(data.n_features)), criterion, max_depth, lightest)


def _grow(
    data: Data, rows: Rows, attributes: list[int], criterion: str, depth_left: int | None, lightest: float
) -> Node:
    here = one_bag(data, rows)
    leaf = Node(rows, here, empty=not rows)  # an empty leaf is the notes' "Failure"
    if here.is_pure() or depth_left == 0 or smaller(here.total, lightest):
        return leaf
    best: _Candidate | None = None
    for attribute in attributes:
        make = _nominal if data.nominal[attribute] else _numeric
        candidate = make(data, rows, attribute, here.total, criterion)
        if candidate and (best is None or candidate.score - best.score > TIE):
            best = candidate
    if best is None:
        return leaf
    test = best.test
    table = test.class_table(data, rows)
    left = [attribute for attribute in attributes if attribute != test.feature]
    deeper = None if depth_left is None else depth_left - 1
    parts = test.split(data, rows, table)
    return Node(rows, table, test, [_grow(data, part, left, criterion, deeper, lightest) for part in parts])


def _gain(table: ClassTable, weight: float) -> float:
    return table.total / weight * criteria.information_gain(table.bags)


def _score(table: ClassTable, weight: float, criterion: str) -> float:
    if criterion == "gain":
        return _gain(table, weight)
    groups = [*table.bag_weights, max(weight - table.total, 0.0)]
    return _gain(table, weight) / criteria.entropy(groups)


def _nominal(data: Data, rows: Rows, attribute: int, weight: float, criterion: str) -> _Candidate | None:
    table = by_value(data, rows, attribute)
    if sum(w > 0 for w in table.bag_weights) < 2:
        return None
    test = Test(TestKind.BRANCHES, attribute, n_branches=data.n_values[attribute])
    return _Candidate(_score(table, weight, criterion), test)


def _numeric(data: Data, rows: Rows, attribute: int, weight: float, criterion: str) -> _Candidate | None:
    """The threshold of greatest gain midway between neighbouring values, where the class changes."""
    cells = data.cells[attribute]
    known = data.known(rows, attribute)
    values = sorted({cells[row] for row, _ in known})
    classes = {value: {data.label(row) for row, _ in known if cells[row] == value} for value in values}
    best: tuple[float, ClassTable, Test] | None = None
    for low, high in pairwise(values):
        if len(classes[low] | classes[high]) == 1:
            continue  # both values have one and the same class: no boundary
        test = Test(TestKind.THRESHOLD, attribute, threshold=midway(low, high))
        table = test.class_table(data, known)
        gain = _gain(table, weight)
        if best is None or gain - best[0] > TIE:
            best = gain, table, test
    return best and _Candidate(_score(best[1], weight, criterion), best[2])
