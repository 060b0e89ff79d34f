"""Splits of C4.5: the candidate test of each attribute at a node (sections 5 to 7 of the specification)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.reference.common.middle import midway
from clearwood.kernels.reference.common.rows import Data, Rows
from clearwood.kernels.reference.common.tolerance import at_least, at_most, equal, greater, smaller
from clearwood.kernels.reference.greedy import criteria
from clearwood.kernels.reference.greedy.c45_options import C45Options
from clearwood.kernels.reference.greedy.class_table import ClassTable, by_value
from clearwood.kernels.reference.greedy.node import Test

LN2 = math.log(2.0)


@dataclass
class Candidate:
    """A valid candidate: ``test`` is None where it only counts in the average gain."""

    gain: float
    ratio: float
    test: Test | None = None
    table: ClassTable | None = None


def x_ln_x(x: float) -> float:
    """The specification's L."""
    return 0.0 if x < 1e-6 else x * math.log(x)


def gain(table: ClassTable, weight: float, criterion: str) -> float:
    """What the test gains, scaled by the known share; ``weight`` is that of all rows, unknown ones too."""
    known = table.total
    known_share = 1.0 - (weight - known) / weight
    if criterion == "gini":
        return known_share * criteria.gini_gain(table.bags)
    if criterion == "twoing":
        return known_share * criteria.twoing(table.bags[0], table.bags[1])
    before = (x_ln_x(known) - sum(x_ln_x(w) for w in table.class_weights)) / LN2
    inside = 0.0
    for bag, bag_weight in zip(table.bags, table.bag_weights, strict=True):
        inside += sum(x_ln_x(w) for w in bag) - x_ln_x(bag_weight)
    bits = known_share * (before + inside / LN2)
    return 0.0 if equal(bits, 0.0) else bits / known


def ratio(table: ClassTable, weight: float, gained: float) -> float:
    """Gain by split information, in which the rows with an unknown value are one more group (5a)."""
    if not greater(table.total, 0.0):
        return 0.0
    information = -sum(x_ln_x(w) for w in table.bag_weights) - x_ln_x(weight - table.total) + x_ln_x(weight)
    information /= LN2
    return 0.0 if equal(information, 0.0) else gained / (information / weight)


def numeric_candidate(data: Data, rows: Rows, feature: int, weight: float, options: C45Options) -> Candidate | None:
    """The best cut of a numeric attribute (section 5)."""
    cells = data.cells[feature]
    known = sorted(data.known(rows, feature), key=lambda row: cells[row[0]])
    q = len(known)
    table = ClassTable(2, data.n_classes)
    for row, w in known:
        table.add(1, data.label(row), w)
    least = _least_branch_weight(table.total, data.n_classes, options.min_leaf)
    if smaller(q, 2 * least):
        return None

    best, best_cut, n_eligible, moved = 0.0, 0, 0, 0
    for i in range(1, q):
        if not cells[known[i - 1][0]] + options.min_gap < cells[known[i][0]]:
            continue
        for row, w in known[moved:i]:
            table.move(1, 0, data.label(row), w)
        moved = i
        if at_least(table.bag_weights[0], least) and at_least(table.bag_weights[1], least):
            n_eligible += 1
            gained = gain(table, weight, options.criterion)
            if greater(gained, best):
                best, best_cut = gained, i
    if n_eligible == 0:
        return None
    if options.mdl_correction and options.criterion in ("gain_ratio", "gain"):
        best -= math.log(n_eligible) / LN2 / weight
    if at_most(best, 0.0):
        return None

    low, high = cells[known[best_cut - 1][0]], cells[known[best_cut][0]]
    threshold = midway(low, high)
    table = ClassTable(2, data.n_classes)
    for place, (row, w) in enumerate(known):
        table.add(0 if place < best_cut else 1, data.label(row), w)
    return Candidate(best, ratio(table, weight, best), Test(TestKind.THRESHOLD, feature, threshold=threshold), table)


def _least_branch_weight(known: float, n_classes: int, min_leaf: float) -> float:
    least = 0.1 * known / n_classes
    if at_most(least, min_leaf):
        return min_leaf
    return 25.0 if greater(least, 25.0) else least


def branches_candidate(data: Data, rows: Rows, feature: int, weight: float, options: C45Options) -> Candidate | None:
    """One branch for each declared value (section 6)."""
    table = by_value(data, rows, feature)
    if sum(at_least(w, options.min_leaf) for w in table.bag_weights) < 2:
        return None
    gained = gain(table, weight, options.criterion)
    test = Test(TestKind.BRANCHES, feature, n_branches=data.n_values[feature])
    return Candidate(gained, ratio(table, weight, gained), test, table)


def value_candidate(data: Data, rows: Rows, feature: int, weight: float, options: C45Options) -> Candidate | None:
    """One value against the rest (section 7); picked by ratio, or by gain where that is the criterion."""
    values = by_value(data, rows, feature)
    best: Candidate | None = None
    best_score = 0.0
    for value, value_weight in enumerate(values.bag_weights):
        rest_weight = values.total - value_weight
        if not (at_least(value_weight, options.min_leaf) and at_least(rest_weight, options.min_leaf)):
            continue
        if best is None:
            best = Candidate(0.0, 0.0)  # valid, though perhaps nothing will be adopted
        table = ClassTable(2, data.n_classes)
        table.bags[0] = list(values.bags[value])
        table.bags[1] = [a - b for a, b in zip(values.class_weights, values.bags[value], strict=True)]
        table.bag_weights = [value_weight, rest_weight]
        table.class_weights = list(values.class_weights)
        table.total = values.total
        gained = gain(table, weight, options.criterion)
        by_split = ratio(table, weight, gained)
        score = by_split if options.criterion == "gain_ratio" else gained
        if value == 0 or greater(score, best_score):
            best_score = score
            best = Candidate(gained, by_split, Test(TestKind.SUBSET, feature, subset=frozenset([value])), table)
    return best
