"""Stability: how often the splits of the chosen tree return when it is grown from other rows."""

from __future__ import annotations

import numpy as np

from clearwood.best.candidates import grow_stage
from clearwood.best.plan import Plan
from clearwood.best.rule import Choice
from clearwood.best.wish import class_weights
from clearwood.best.work import Work
from clearwood.evaluate.split_stability import split_returns
from clearwood.tree import Tree

__all__ = ["stability_of"]

COMPARED_ROWS = 1000  # rows by which splits are told to be the same
LARGEST = 100  # leaves; the splits of larger trees are not followed
REGROWN = 10  # times, where the scheme has no other fits
REGROWN_ROWS = 5000

_STAGE_OF = {
    "C4.5": "greedy",
    "C4.5, two-way splits": "greedy",
    "CART": "greedy",
    "distilled": "distilled",
    "distilled, sparse tests": "distilled",
    "Pareto front": "pareto",
    "SET-GEN": "setgen",
    "linear": "linear",
}


def stability_of(work: Work, choice: Choice, plan: Plan, seed: int) -> tuple[np.ndarray | None, int]:
    """For each node the share of other trees of the same candidate in which its split returns, and how many there are.

    The other trees are those of the cross-validation, each of which lacks one or two folds. Where rows were held out
    there are none, and the candidate is grown again from samples.
    """
    if choice.tree.n_leaves > LARGEST:
        return None, 0
    others = [fit.trees[choice.key] for i, fit in enumerate(work.fits) if i != work.scheme.whole]
    if not others:
        others = _regrown(work, choice, plan, seed)
    rows = np.random.default_rng([seed, 7]).permutation(work.table.n_rows)[:COMPARED_ROWS]
    return split_returns(choice.tree, others, work.table.take(np.sort(rows))), len(others)


def _regrown(work: Work, choice: Choice, plan: Plan, seed: int) -> list[Tree]:
    rng = np.random.default_rng([seed, 11])
    rows = work.scheme.fits[work.scheme.whole]
    counts = np.bincount(work.table.y, work.table.weights, minlength=len(work.table.classes))
    factors = class_weights(work.cost, counts)
    found = []
    for _ in range(REGROWN):
        part = work.table.take(np.sort(rng.choice(rows, min(REGROWN_ROWS, len(rows) // 2), replace=False)))
        if factors is not None:
            part = part.with_weights(part.weights * factors[part.y])
        grown = grow_stage(_STAGE_OF[choice.key.learner], part, plan.effort, int(rng.integers(2**31)), False)
        if choice.key in grown.trees:
            found.append(grown.trees[choice.key])
    return found
