"""The works whose threads are measured: how each is prepared, done, and compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from benchmarks import tables
from clearwood import (
    BaggedTreesClassifier,
    C45Classifier,
    Column,
    ForestClassifier,
    ISMClassifier,
    LinearTreeClassifier,
    ParetoTreeClassifier,
    SetGenClassifier,
    Table,
    datasets,
)

Do = Callable[[int], Any]


class Work(NamedTuple):
    """What is measured: ``prepare(quick)`` makes the function that does it with some threads and returns a result."""

    name: str
    goal: float | None
    prepare: Callable[[bool], Do]
    same: Callable[[Any, Any], bool]


def fresh(table: Table) -> Table:
    """The same table with nothing sorted yet."""
    return Table.from_blocks(table.columns, table.numeric, table.nominal, target=table.target, y=table.y)


def named(name: str, rows: int | None = None) -> Table:
    """A data set, or its first rows."""
    table = datasets.load(name)
    return table if rows is None else table.take(np.arange(min(rows, table.n_rows)))


def two_of_ten(n_rows: int) -> Table:
    """Ten uniform columns, of which two make the class, one row in ten being wrong."""
    rng = np.random.default_rng(0)
    X = rng.random((10, n_rows))
    y = ((X[0] > 0.6) ^ (X[1] > 0.3) ^ (rng.random(n_rows) < 0.1)).astype(np.int32)
    columns, target = [Column(f"x{i}") for i in range(10)], Column("class", ("a", "b"))
    return Table.from_blocks(columns, X, np.empty((0, n_rows), dtype=np.int32), target=target, y=y)


def equal(one: Any, other: Any) -> bool:
    """Whether two results are the same: trees, arrays to the last bit, and tuples of those."""
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(equal(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, np.ndarray):
        return bool(np.array_equal(one, other))
    return bool(one == other)


def _c45(quick: bool) -> Do:
    data = tables.two_classes(20_000 if quick else 1_000_000, 10)
    return lambda n: C45Classifier(n_jobs=n).fit(data.X, data.y).tree_


def _pareto(quick: bool) -> Do:
    table = two_of_ten(20_000 if quick else 100_000)

    def do(n: int) -> Any:
        clf = ParetoTreeClassifier(
            generations=3 if quick else 50, selection=8, random_state=0, n_jobs=n, progress=False
        )
        clf.fit(fresh(table))
        return [(entry.n_leaves, entry.training_error, entry.tree) for entry in clf.front_]

    return do


def _pareto_large(quick: bool) -> Do:
    table = two_of_ten(20_000 if quick else 1_000_000)

    def do(n: int) -> Any:
        clf = ParetoTreeClassifier(
            generations=3 if quick else 40, selection=8, random_state=0, n_jobs=n, progress=False
        )
        clf.fit(fresh(table))
        return [(entry.n_leaves, entry.training_error, entry.tree) for entry in clf.front_]

    return do


def _pareto_folds(quick: bool) -> Do:
    table = named("pima", 200 if quick else None)

    def do(n: int) -> Any:
        clf = ParetoTreeClassifier(
            generations=20 if quick else 300, population_size=200, random_state=0, n_jobs=n, progress=False
        )
        clf.fit(fresh(table))
        return [(entry.n_leaves, entry.cv_error, entry.tree) for entry in clf.front_]

    return do


def _setgen(quick: bool) -> Do:
    table = named("splice", 300 if quick else None)

    def do(n: int) -> Any:
        clf = SetGenClassifier(
            evaluations=100 if quick else 1000, random_state=0, n_jobs=n, progress=False
        ).fit(fresh(table))  # fmt: skip
        return clf.tree_, list(clf.features_), float(clf.fitness_), float(clf.confidence_)

    return do


def _linear(quick: bool) -> Do:
    table = named("page-blocks", 300 if quick else None)
    more = {"generations": 20} if quick else {}
    return lambda n: LinearTreeClassifier(random_state=0, n_jobs=n, progress=False, **more).fit(fresh(table)).tree_


def _bagging(quick: bool) -> Do:
    table = named("letter", 1000 if quick else None)

    def do(n: int) -> Any:
        clf = BaggedTreesClassifier(n_estimators=20 if quick else 200, random_state=0, n_jobs=n).fit(fresh(table))
        return clf.trees_, clf.oob_score_, clf.predict_proba(table)

    return do


def _ism(quick: bool) -> Do:
    table = named("letter", 500 if quick else None)

    def do(n: int) -> Any:
        clf = ISMClassifier(random_state=0, n_jobs=n).fit(fresh(table))
        return clf.tree_, clf.fidelity_, clf.ensemble_.trees

    return do


def _forest(quick: bool) -> Do:
    table = named("letter", 1000 if quick else None)

    def do(n: int) -> Any:
        clf = ForestClassifier(n_estimators=20 if quick else 200, random_state=0, n_jobs=n).fit(fresh(table))
        return clf.predict_proba(table)

    return do


WORKS = {
    "tree": Work("one C4.5 tree, 1,000,000 × 10", 5, _c45, equal),
    "pareto": Work("Pareto, 100,000 × 10, 50 generations, no cross-validation", 9, _pareto, equal),
    "pareto_large": Work("Pareto, 1,000,000 × 10, 40 generations, no cross-validation", None, _pareto_large, equal),
    "pareto_folds": Work("Pareto, pima, 300 generations of 200, ten folds", None, _pareto_folds, equal),
    "setgen": Work("SET-GEN, splice, 1,000 evaluations", 9, _setgen, equal),
    "linear": Work("linear tree, page-blocks, default", 5, _linear, equal),
    "bagging": Work("bagging of 200, letter, fit + predict", 11, _bagging, equal),
    "ism": Work("ISM, letter", 4, _ism, equal),
    "forest": Work("forest of 200, letter, fit + predict", None, _forest, equal),
}
