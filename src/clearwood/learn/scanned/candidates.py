"""Candidates: the best test of each feature at a counted node, found by the kernels from the counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clearwood.kernels.common.codes import ColumnForm, TestKind
from clearwood.kernels.greedy import training_set as kernel
from clearwood.kernels.greedy.counted import choose_candidate, examine_counts
from clearwood.kernels.greedy.rules import Rules
from clearwood.learn.scanned.questions import Counts

__all__ = ["NONE", "Candidate", "choose", "examine", "least_side", "too_few_rows"]

EPSILON = 1e-6  # J48's tolerance, as in the kernels' arithmetic


class Candidate(NamedTuple):
    """The test that one feature offers at a node; LEAF when it offers none."""

    kind: int
    threshold: float = np.nan
    values: tuple[int, ...] = ()
    gain: float = 0.0
    ratio: float = 0.0


NONE = Candidate(TestKind.LEAF)


def examine(counts: Counts, n_values: int | None, n_classes: int, rules: Rules) -> Candidate:
    """The candidate of a feature, nominal if it declares ``n_values``, from its counts at a node."""
    if n_values is None:
        known = ~np.isnan(counts.value)
        if too_few_rows(float(counts.weight[known].sum()), int(counts.rows[known].sum()), n_classes, rules):
            return NONE
    test, _, threshold, gain, ratio, values = examine_counts(_counted_set(counts, n_values, n_classes), rules)
    return Candidate(test, threshold, tuple(values.tolist()), gain, ratio)


def too_few_rows(known: float, n_known: int, n_classes: int, rules: Rules) -> bool:
    """Whether C4.5 does not cut for the number of rows alone, whatever they weigh; see ``begin`` in sweep.pxd."""
    return bool(rules.ten_percent and 2 * least_side(known, n_classes, rules) - n_known > EPSILON)


def least_side(known: float, n_classes: int, rules: Rules) -> float:
    """The weight that both sides of a cut must hold, where so much weight has a value."""
    mean = 0.1 * known / n_classes
    if not rules.ten_percent or mean - rules.min_leaf < EPSILON or mean <= rules.min_leaf:
        return float(rules.min_leaf)
    return 25.0 if mean - 25.0 > EPSILON else mean


def _counted_set(counts: Counts, n_values: int | None, n_classes: int) -> kernel.TrainingSet:
    """Counts as the rows of one feature: a row for each value and class, its weight the count."""
    known = ~np.isnan(counts.value)
    n = len(counts.value)
    none = np.zeros((0, n), dtype=np.int32)
    codes = np.full((1, n), -1, dtype=np.int32)
    values = np.zeros((0, 1))
    if n_values is None:
        distinct, codes[0, known] = np.unique(counts.value[known], return_inverse=True)
        values, n_values, form = distinct.reshape(1, -1), len(distinct), ColumnForm.BINNED
    else:
        codes[0, known], form = counts.value[known], ColumnForm.NOMINAL
    is_number = form == ColumnForm.BINNED
    return kernel.TrainingSet(
        numeric=np.where(known, counts.value, np.nan).reshape(1, n) if is_number else np.zeros((0, n)),
        nominal=none if is_number else codes,
        bins=codes if is_number else none,
        bin_values=values,
        bin_present=np.ones(values.shape, dtype=np.uint8),
        order=np.zeros((0, n), dtype=np.int32),
        order_length=np.zeros(0, dtype=np.int32),
        y=counts.y.astype(np.uint16),
        weights=np.ascontiguousarray(counts.weight),
        whole_weights=None,
        rows=np.arange(n, dtype=np.int32),
        form=np.array([form], dtype=np.int32),
        slot=np.zeros(1, dtype=np.int32),
        place=np.zeros(1, dtype=np.int32),
        n_values=np.array([n_values], dtype=np.int32),
        separable=np.array([2**31 - 1], dtype=np.int32),
        missing=np.array([not known.all()], dtype=np.uint8),
        log_table=kernel.log_table(0),
        log2_table=kernel.log2_table(0),
        n_classes=n_classes,
        n_counted=n,
        copies=True,
    )


def choose(candidates: dict[int, Candidate], wide: np.ndarray, rules: Rules) -> int:
    """The feature whose candidate is best; -1 when none will do."""
    features = np.array(sorted(candidates), dtype=np.int32)
    test, gain, ratio = np.zeros(len(wide), dtype=np.uint8), np.zeros(len(wide)), np.zeros(len(wide))
    for feature, candidate in candidates.items():
        test[feature], gain[feature], ratio[feature] = candidate.kind, candidate.gain, candidate.ratio
    return int(choose_candidate(rules, features, wide, test, gain, ratio))
