"""Grow: from a Table and the learner's rules to the nodes of a tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from clearwood.kernels.common.codes import Criterion, ErrorEstimate
from clearwood.kernels.greedy.best_first import take_best_first
from clearwood.kernels.greedy.grower import Grower
from clearwood.kernels.greedy.pruner import Pruner
from clearwood.kernels.greedy.pruning import prune
from clearwood.kernels.greedy.rules import Rules
from clearwood.kernels.greedy.threads import grow_together
from clearwood.kernels.greedy.training_set import TrainingSet
from clearwood.table import Table
from clearwood.threads import count_threads
from clearwood.tree import Tree

WORTH_SHARING = 10_000  # below this many rows a second thread costs more than it saves
CRITERIA = {name.lower(): code for name, code in Criterion.__members__.items()}
"""The kernels' code of each criterion, by the name that estimators take: "gain_ratio", "gain", "gini", "twoing"."""

# Quinlan's release 8: confidence levels and the deviations between which it interpolates
_LEVELS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
_DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)


@dataclass(frozen=True, slots=True)
class Growth:
    """What distinguishes the greedy learners while they grow; see ``kernels/greedy/rules.pxd``."""

    criterion: int
    min_leaf: float
    min_split: float
    multiway: bool = True
    any_set: bool = False
    average_filter: bool = False
    ten_percent: bool = False
    mdl_correction: bool = False
    relocate: bool = False
    once: bool = False
    whole_row: bool = False
    boundaries: bool = False
    min_gap: float = 0.0
    tolerance: float = 1e-9
    least: float = 0.0
    max_depth: int = -1

    def rules(self) -> Rules:
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        given["max_depth"] = min(self.max_depth, 2**31 - 1)  # no tree is as deep, and kernels count in 32 bits
        return Rules(**given)


@dataclass(frozen=True, slots=True)
class Pruning:
    """How C4.5 prunes."""

    collapse: bool
    prune: bool
    raise_subtrees: bool
    confidence: float
    error_estimate: str

    def at(self, confidence: float) -> Pruning:
        """The same with another confidence."""
        return replace(self, confidence=confidence)

    def pruner(self, grower: Grower, make: type[Pruner] = Pruner) -> Pruner:
        """The kernel that prunes the grower's trees so."""
        style, confidence, deviation = pessimism(self.confidence, self.error_estimate)
        return make(
            grower,
            collapse=self.collapse,
            prune=self.prune,
            raise_subtrees=self.raise_subtrees,
            style=style,
            confidence=confidence,
            deviation=deviation,
        )


def pessimism(confidence: float, error_estimate: str) -> tuple[int, float, float]:
    """The kernel's form of an error estimate: style, confidence, deviation."""
    if error_estimate == "c4.5":
        return ErrorEstimate.AS_C45, confidence, float(np.interp(confidence, _LEVELS, _DEVIATIONS))
    single = np.float32(confidence)  # J48 keeps the confidence in 32 bits
    upper = float(np.float32(1.0) - single)
    return ErrorEstimate.AS_J48, float(single), NormalDist().inv_cdf(upper) if 0 < upper < 1 else 0.0


def grow_nodes(data: TrainingSet, growth: Growth, pruning: Pruning | None = None, n_jobs: int | None = None) -> Grower:
    """Grow a tree and prune it; the nodes are in the grower."""
    grower = Grower(data, growth.rules())
    n_threads = count_threads(n_jobs) if data.n_rows >= WORTH_SHARING else 1
    grow_together(grower, np.arange(data.n_features, dtype=np.int32), n_threads)
    if pruning is not None and (pruning.collapse or pruning.prune):
        prune(pruning.pruner(grower), [pruning.pruner(grower) for _ in range(n_threads - 1)])
    return grower


def grow_best_first(
    data: TrainingSet, growth: Growth, n_tests: int, enough: Callable[[], bool] = lambda: False
) -> tuple[Grower, list[int]]:
    """Grow until so many tests are taken, each where it lowers Gini's index or the entropy most; those nodes in order.

    From one test to the next ``enough`` is asked whether anybody still wants them.
    """
    grower = Grower(data, growth.rules())
    return grower, take_best_first(grower, np.arange(data.n_features, dtype=np.int32), n_tests, enough)


def to_tree(
    grower: Grower, table: Table, classes: Sequence[Any], *, learner: str, laplace: bool = False, by_class: bool = True
) -> Tree:
    """The grown nodes as a Tree; without ``by_class`` all classes count as one, which is the only one to be named."""
    arrays = grower.nodes.arrays(by_class)
    mark_empty(arrays, grower.data.lightest)
    return Tree(
        columns=table.columns,
        classes=classes,
        target=table.target.name if table.target else "class",
        laplace=laplace,
        learner=learner,
        **arrays,
    )


def mark_empty(arrays: dict[str, np.ndarray], lightest: float) -> None:
    """Correct in a tree's arrays which nodes are empty; the lightest of its training rows weighs so much."""
    if arrays["empty"].any():
        # to the kernels, as to J48, less than a millionth is nothing; where rows weigh so little, it is something
        arrays["empty"] &= ~(arrays["counts"].sum(axis=1) > 1e-6 * min(1.0, lightest))
        arrays["empty"][0] = False
