"""Front: the candidates by size, as people and the page look at them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from clearwood.best.candidates import Key, complexity
from clearwood.best.rule import Choice
from clearwood.best.work import Work
from clearwood.evaluate.fronts import Front, FrontEntry, cross_validated, error_on
from clearwood.evaluate.intervals import corrected_interval
from clearwood.tree import Tree

__all__ = ["by_size", "in_errors", "shown"]

MOST_LEAVES = 300  # larger trees are no use on a page
MOST_TREES = 60


def by_size(work: Work, choice: Choice) -> Front:
    """The candidate of least cross-validated loss for each size, the chosen one for its own."""
    keys, trees = work.keys, work.trees(work.scheme.whole)
    losses = _fold_losses(work)
    mean = losses.mean(axis=0)
    best: dict[int, int] = {}
    for place, tree in enumerate(trees):
        size = complexity(tree)
        if size not in best or mean[place] < mean[best[size]] - 1e-12:
            best[size] = place
    best[complexity(choice.tree)] = keys.index(choice.key)
    places = [best[size] for size in sorted(best)]
    entries = [replace(_entry(work, keys[i], trees[i]), n_leaves=complexity(trees[i])) for i in places]
    return _judged(entries, losses[:, places], work, work.wish.metric == "accuracy")


def shown(work: Work, choice: Choice) -> Front:
    """The candidates worth looking at: of each learner those that none of its smaller trees beats.

    What always says one class stands on the page anyhow, so it is no point of its own unless it is chosen.
    """
    return _front(work, choice, _fold_losses(work), work.wish.metric == "accuracy")


def in_errors(work: Work, choice: Choice) -> Front | None:
    """The same candidates with the shares of rows that they get wrong, whatever they are chosen by.

    None where errors on rows of one class do not all cost the same: then their cost does not tell how many there were.
    """
    unit = work.cost.max(axis=1)
    if not np.array_equal(work.cost, unit[:, None] * (1.0 - np.eye(len(unit)))) or not (unit > 0).all():
        return None
    return _front(work, choice, _by_parts(work, unit), True)


def _front(work: Work, choice: Choice, told: np.ndarray, shares: bool) -> Front:
    """The candidates worth looking at, each with a figure that is known of it, be it a share of wrong rows or not."""
    keys, trees = work.keys, work.trees(work.scheme.whole)
    losses = _fold_losses(work)
    mean = losses.mean(axis=0)
    places: list[int] = []
    least: dict[str, float] = {}
    seen: set[int] = set()
    for i in sorted(range(len(keys)), key=lambda i: (complexity(trees[i]), mean[i])):
        kept = mean[i] < least.get(keys[i].learner, np.inf) - 1e-12 and trees[i].n_leaves <= MOST_LEAVES
        kept = kept and keys[i].learner != "majority"
        if keys[i] == choice.key or (kept and id(trees[i]) not in seen):
            places.append(i)
            seen.add(id(trees[i]))
            least[keys[i].learner] = min(float(mean[i]), least.get(keys[i].learner, np.inf))
    if len(places) > MOST_TREES:
        chosen = keys.index(choice.key)
        order = sorted(places, key=lambda i: (i != chosen, mean[i]))[:MOST_TREES]
        places = sorted(order, key=lambda i: (complexity(trees[i]), mean[i]))
    return _judged([_entry(work, keys[i], trees[i]) for i in places], told[:, places], work, shares)


def _entry(work: Work, key: Key, tree: Tree) -> FrontEntry:
    part = work.table.take(work.scheme.fits[work.scheme.whole])
    return FrontEntry(tree.n_leaves, tree, error_on(tree, part), n_features=len(tree.features), learner=key.learner)


def _fold_losses(work: Work) -> np.ndarray:
    """The loss of each candidate in each part of the rows that chooses; one part alone is taken as ten."""
    if work.wish.by_folds:
        return np.array([work.scores(tests) for tests in work.scheme.inner])
    return _by_parts(work, np.ones(len(work.cost)))


def _by_parts(work: Work, unit: np.ndarray) -> np.ndarray:
    """What answers cost in each part of the rows, on average, in units that each class has of its own."""
    inner = work.scheme.inner
    found = []
    for tests in inner:
        rows = work.rows(tests)
        losses, weights = work.losses(tests) / unit[work.table.y[rows]], work.table.weights[rows]
        parts = np.arange(losses.shape[1]) % (10 if len(inner) == 1 else 1)
        for part in range(int(parts.max()) + 1):
            here = parts == part
            found.append(losses[:, here] @ weights[here] / weights[here].sum())
    return np.array(found)


def _judged(entries: list[FrontEntry], losses: np.ndarray, work: Work, shares: bool) -> Front:
    """Entries with what they lost; only a share of wrong rows says how many are right."""
    if len(losses) < 2:
        return Front([replace(e, cv_error=float(l)) for e, l in zip(entries, losses[0], strict=True)])
    n_tests = len(work.scheme.inner)
    test_share = 1 / (n_tests - 1) if n_tests > 1 else 0.0
    if shares:
        return cross_validated(entries, losses, test_share)
    least, most = (-math.inf, math.inf) if work.wish.metric == "cost" else (0.0, 1.0)
    intervals = [corrected_interval(column, test_share).within(least, most) for column in losses.T]
    judged = [replace(e, cv_error=i.mean, cv_interval=i) for e, i in zip(entries, intervals, strict=True)]
    return Front(judged, losses, test_share)
