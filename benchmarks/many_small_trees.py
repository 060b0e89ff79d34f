"""Many small trees: cross-validated C4.5 on random feature subsets, trees per second.

The loop of a search over feature subsets: each feature of a 270 × 13 two-class table is in a subset with
probability one half; for each subset and each of ten folds a tree is grown, pruned and scored on the fold. Ours runs
through :class:`clearwood.learn.batch.Batch`, the preparation of the folds included; the peer is scikit-learn's
entropy tree, fitted (not pruned) and scored on the first of the same subsets in the same folds. Then the same work
by two threads, which must give the same scores.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks import tables
from benchmarks.machine import cores
from benchmarks.row import Row, faster
from benchmarks.timing import alternate
from clearwood import C45Classifier, Table
from clearwood.learn.batch import Batch, Scores

NAME = "many_small_trees"
FOLDS = 10
GOAL = 20_000
"""Trees a second on one core."""


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark."""
    generated = tables.two_classes(270, 13)
    found: dict[str, Table | None] = {
        "continuous": tables.as_table(generated),
        "one decimal": tables.as_table(generated._replace(X=generated.X.round(1))),
        "heart, numbers": tables.heart_as_numbers(),
        "heart-c, mixed": tables.heart(),
    }
    for what, table in found.items():
        if table is None:
            yield Row(NAME, "270 × 13", what, note="no heart-c in the data folder")
        else:
            yield from measure(table, what, n_subsets=200 if quick else 2000, n_peer=3 if quick else 20, repeat=repeat)


def measure(table: Table, what: str, *, n_subsets: int, n_peer: int, repeat: int) -> Iterator[Row]:
    """One table: trees per second beside the peer's, and two threads beside one."""
    subsets = random_subsets(n_subsets, table.n_features)
    folds = np.random.default_rng(1).permutation(np.arange(table.n_rows) % FOLDS)
    learner = C45Classifier()

    def ours(n_jobs: int) -> Scores:
        return Batch(table, folds, learner.growth(), learner.pruning()).score(subsets, n_jobs=n_jobs)

    cells = tables.as_numbers(table)
    timings = alternate(
        {
            "one": lambda: ours(1),
            "two": lambda: ours(2),
            "peer": lambda: peer_scores(cells, table.y, folds, subsets[:n_peer]),
        },
        repeat,
    )
    one, two = (FOLDS * n_subsets / timings[name].seconds for name in ("one", "two"))
    theirs = FOLDS * n_peer / timings["peer"].seconds
    size = f"{table.n_rows:,} × {table.n_features}"
    goal, reached = (f"≥ {GOAL:,} trees/s", one >= GOAL) if plain(table) else ("", None)
    note = "" if plain(table) else "nominal columns and missing cells: for information"
    yield Row(NAME, size, what, one, "scikit-learn", theirs, "trees/s", one / theirs, goal, reached, note)
    same = identical(timings["one"].result, timings["two"].result)
    goal, reached = faster(1.7, two / one, sound=same)
    note = "" if same else "THE SCORES DIFFER"
    if cores() < 2:
        reached, note = None, note or "needs two cores"
    yield Row(NAME, size, f"{what}, 2 threads", two, "1 thread", one, "trees/s", two / one, goal, reached, note)


def plain(table: Table) -> bool:
    """Whether the table is one that the goal speaks of: numbers only, none missing."""
    return table.n_features == len(table.numeric) and not np.isnan(table.numeric).any()


def random_subsets(n_subsets: int, n_features: int) -> np.ndarray:
    """Truth values, each with probability one half; at least one feature in each subset."""
    rng = np.random.default_rng(0)
    chosen = rng.random((n_subsets, n_features)) < 0.5
    empty = np.flatnonzero(~chosen.any(axis=1))
    chosen[empty, rng.integers(n_features, size=len(empty))] = True
    return chosen


def peer_scores(X: np.ndarray, y: np.ndarray, folds: np.ndarray, subsets: np.ndarray) -> np.ndarray:
    """scikit-learn's accuracy for each subset and fold."""
    parts = [(X[folds != f], y[folds != f], X[folds == f], y[folds == f]) for f in range(FOLDS)]
    scores = np.empty((len(subsets), FOLDS))
    for i, subset in enumerate(subsets):
        for f, (train, train_y, test, test_y) in enumerate(parts):
            tree = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(train[:, subset], train_y)
            scores[i, f] = tree.score(test[:, subset], test_y)
    return scores


def identical(one: object, two: object) -> bool:
    """Whether two batches gave the same scores and sizes, bit for bit."""
    assert isinstance(one, Scores) and isinstance(two, Scores)
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
