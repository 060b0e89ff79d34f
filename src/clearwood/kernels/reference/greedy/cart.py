"""CART: binary trees by Gini, twoing or gain, with value sets for nominal attributes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.reference.common.middle import midway
from clearwood.kernels.reference.common.rows import Data, Rows, TableLike, plain
from clearwood.kernels.reference.greedy import criteria
from clearwood.kernels.reference.greedy.class_table import ClassTable, by_value, one_bag
from clearwood.kernels.reference.greedy.node import Node, Test

TIE = 1e-9  # a gain must be larger by this much to win over a lower feature or a lower cut, and over no split
MOST_ENUMERATED = 10  # with more values present than this, subsets are searched by ordering


@dataclass(frozen=True)
class CartLimits:
    criterion: str = "gini"
    min_leaf: float = 1
    min_split: float = 2
    max_depth: int | None = None


def grow_cart(
    table: TableLike,
    criterion: str = "gini",
    min_leaf: float = 1,
    min_split: float = 2,
    max_depth: int | None = None,
) -> Node:
    """The full binary tree, before cost-complexity pruning.

    Thresholds lie midway between neighbouring values. Rows of no weight are left out. A row with an unknown
    value is shared out over the branches as in C4.5, and the gain is scaled by the share of known rows.
    """
    data = plain(table)
    limits = CartLimits(criterion, min_leaf, min_split, max_depth)
    return _grow(data, data.labelled(drop_weightless=True), limits, depth=0)


def _grow(data: Data, rows: Rows, limits: CartLimits, depth: int) -> Node:
    here = one_bag(data, rows)
    leaf = Node(rows, here, empty=not rows)
    if here.is_pure() or here.total < limits.min_split - TIE or depth == limits.max_depth:
        return leaf
    best, chosen = 0.0, None
    for feature in range(data.n_features):
        known = data.known(rows, feature)
        tests = _value_sets if data.nominal[feature] else _thresholds
        for test in tests(data, known, feature):
            table = test.class_table(data, known)
            if min(table.bag_weights) < limits.min_leaf - TIE or min(table.bag_weights) <= 0:
                continue
            gain = known_share(table, here.total) * _worth(table, limits.criterion)
            if gain - best > TIE:
                best, chosen = gain, test
    if chosen is None:
        return leaf
    table = chosen.class_table(data, rows)
    parts = chosen.split(data, rows, table)
    return Node(rows, table, chosen, [_grow(data, part, limits, depth + 1) for part in parts])


def known_share(table: ClassTable, weight: float) -> float:
    return table.total / weight


def _worth(table: ClassTable, criterion: str) -> float:
    if criterion == "twoing":
        return criteria.twoing(table.bags[0], table.bags[1])
    return criteria.gini_gain(table.bags) if criterion == "gini" else criteria.information_gain(table.bags)


def _thresholds(data: Data, known: Rows, feature: int) -> Iterator[Test]:
    values = sorted({data.cells[feature][row] for row, _ in known})
    for low, high in pairwise(values):
        yield Test(TestKind.THRESHOLD, feature, threshold=midway(low, high))


def _value_sets(data: Data, known: Rows, feature: int) -> Iterator[Test]:
    """The sets to try, each with the first value present in it.

    Up to ten values present: all sets. Above that, the values ordered by a class's probability, equal ones by code,
    and every cut of that order. Where two classes meet, the second class's order will do: it holds the best of all
    sets, unless that leaves a branch too little weight. With more classes, each class's order is tried in turn, which
    is a heuristic.
    """
    table = by_value(data, known, feature)
    present = [value for value, weight in enumerate(table.bag_weights) if weight > 0]
    if len(present) <= MOST_ENUMERATED:
        sets = _all_sets(present)
    else:
        classes = [code for code, weight in enumerate(table.class_weights) if weight > 0]
        classes = classes[1:] if len(classes) == 2 else classes
        sets = (cut for code in classes for cut in _cuts(table, present, code))
    for values in sets:
        if present[0] not in values:
            values = frozenset(present) - values
        yield Test(TestKind.SUBSET, feature, subset=values)


def _all_sets(present: list[int]) -> Iterator[frozenset[int]]:
    """Every set with the first value in it but that of all, in the order of the binary number of the others."""
    others = present[1:]
    for mask in range(2 ** len(others) - 1):
        yield frozenset([present[0], *(value for bit, value in enumerate(others) if mask >> bit & 1)])


def _cuts(table: ClassTable, present: list[int], code: int) -> Iterator[frozenset[int]]:
    order = sorted(present, key=lambda value: (table.bags[value][code] / table.bag_weights[value], value))
    for cut in range(1, len(order)):
        yield frozenset(order[:cut])
