"""Fit: from a Scan and a learner's rules to the very tree that the learner would grow in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import effective_n_jobs

from clearwood.kernels.common.codes import TestKind
from clearwood.learn.growing import Growth, Pruning, mark_empty
from clearwood.learn.inputs import class_factors
from clearwood.learn.rare_values import spread
from clearwood.learn.scanned.assembly import assemble
from clearwood.learn.scanned.compress import compressed
from clearwood.learn.scanned.course import Course, Interrupted, follow
from clearwood.learn.scanned.flows import Flows
from clearwood.learn.scanned.levels import Levels
from clearwood.learn.scanned.nodes import Node
from clearwood.learn.scanned.pruning import Pruner
from clearwood.learn.scanned.questions import Questions
from clearwood.learn.scanned.rare import put_rare_together
from clearwood.learn.scanned.streams import ask
from clearwood.read.notes import warn
from clearwood.scan.engines.engine import Engine
from clearwood.scan.parts import split_rows
from clearwood.scan.scan import Scan
from clearwood.tree import Tree
from clearwood.wording import no_class_words

__all__ = ["Prepared", "grow_tree", "prepared"]


def grow_tree(
    scan: Scan, growth: Growth, pruning: Pruning | None, estimator: Any, *, positive: bool = False, **described: Any
) -> Tree:
    """Grow a tree where the data lies; see :func:`prepared` and :meth:`Prepared.grow`."""
    with prepared(scan, estimator, positive=positive) as rows:
        return rows.grow(growth, pruning, **described)


@contextmanager
def prepared(scan: Scan, estimator: Any, *, positive: bool = False, min_value_rows: float = 1) -> Iterator[Prepared]:
    """An open scan, its rows weighed as a learner does.

    Parameters
    ----------
    scan : Scan
        The table.
    estimator : TreeClassifier
        The learner, for its ``class_weight`` and ``n_jobs``.
    positive : bool
        Whether rows without weight are left out.
    min_value_rows : float
        Values of fewer rows are not told apart, as in CART.
    """
    with scan.open() as engine:
        questions = _weighed(scan, engine, estimator.class_weight, positive)
        rare = put_rare_together(questions, min_value_rows)
        yield Prepared(questions, rare, estimator.n_jobs)


@dataclass
class Prepared:
    """Rows that can be asked about, and the rare values among them that pass for one."""

    questions: Questions
    rare: dict[str, np.ndarray]
    n_jobs: int | None

    def grow(self, growth: Growth, pruning: Pruning | None, *, learner: str, laplace: bool = False) -> Tree:
        """The tree of these rows; the last two are as in Tree."""
        questions, scan = self.questions, self.questions.scan
        tree = compressed(questions, growth, pruning, self.n_jobs, learner, laplace)
        if tree is not None:
            return spread(tree, self.rare)
        with follow(questions, growth, pruning) as course:
            arrays, lightest = self._arrays(course, growth, pruning)
        mark_empty(arrays, lightest)
        tree = Tree(
            columns=scan.columns,
            classes=scan.classes,
            target=scan.target.name,
            laplace=laplace,
            learner=learner,
            **arrays,
        )
        return spread(tree, self.rare)

    def _arrays(self, course: Course, growth: Growth, pruning: Pruning | None) -> tuple[dict[str, Any], float]:
        """The grown and pruned tree; after Ctrl-C as far as it is grown, and pruned by what is known of it."""
        questions, scan = self.questions, self.questions.scan
        levels = None
        try:
            n_threads = effective_n_jobs(self.n_jobs)
            levels = Levels(questions, growth, pruning, scan.in_memory, n_threads, course)
            arrays = assemble(self._pruned(levels.grow(), pruning))
            if growth.relocate:
                _relocate(arrays, questions)
            counts, _ = questions.totals([Node.top(len(scan.classes))])
            _refuse_change(scan, bool(np.allclose(counts[0], arrays["counts"][0], rtol=1e-9, atol=0)))
        except Interrupted:
            course.say_interrupted()
            assert levels is not None  # or no level would be finished
            gentle = None if pruning is None else replace(pruning, raise_subtrees=False)  # raising asks for counts
            arrays = assemble(self._pruned(levels.close(), gentle))
        return arrays, levels.lightest

    def _pruned(self, root: Node, pruning: Pruning | None) -> Node:
        if pruning is None or root.finished is not None or not (pruning.collapse or pruning.prune):
            return root
        shares = pruning.raise_subtrees and bool(self.questions.lacking().any())
        return Pruner(Flows(self.questions, shares), pruning).prune(root)

    def split(self, share: float) -> tuple[Prepared, Prepared]:
        """The rows without a share of them, and that share; each keeps its weight."""
        parts = split_rows(self.questions.scan, self.questions.engine, share)
        learn, judge = (replace(self, questions=replace(self.questions, scan=part)) for part in parts)
        return learn, judge


def _weighed(scan: Scan, engine: Engine, class_weight: Any, positive: bool) -> Questions:
    """What can be asked of the rows as the learner weighs them; tables that say nothing are refused."""
    questions = ask(scan, engine)
    _refuse_change(scan, questions.n_there() == scan.n_rows)
    counts, n_rows = questions.totals([Node.top(len(scan.classes))])
    if scan.n_rows == 0:
        raise ValueError(f"{scan.source} has no rows to learn from.")
    if n_rows[0] == 0:
        _refuse_change(scan, not questions.totals([Node.top(len(scan.classes))])[1][0])
        raise ValueError(no_class_words(scan.target))
    if n_rows[0] < scan.n_rows:
        lost = scan.n_rows - int(n_rows[0])
        warn(f"{lost} rows without a class are not learned from.")
    if class_weight is not None:
        factors = class_factors(scan.classes, class_weight, counts[0], counts[0] > 0)
        questions = ask(scan, engine, factors, positive=True)
        counts = counts * factors
    if not counts.sum() > 0:
        raise ValueError("all rows have weight 0; at least one row must count.")
    questions.positive |= positive and scan.weighted
    return questions


def _refuse_change(scan: Scan, same: bool) -> None:
    if not same:
        raise scan.changed()


def _relocate(arrays: dict[str, np.ndarray], questions: Questions) -> None:
    """Move thresholds onto values of the table; no row of the table changes sides by it."""
    tests = np.flatnonzero(arrays["kind"] == TestKind.THRESHOLD)
    features = arrays["feature"][tests]
    limits = {int(f): np.unique(arrays["threshold"][tests[features == f]]) for f in np.unique(features)}
    for feature, found in questions.largest_values(limits).items():
        nodes = tests[features == feature]
        arrays["threshold"][nodes] = found[np.searchsorted(limits[feature], arrays["threshold"][nodes])]
