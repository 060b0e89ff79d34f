"""Studies: what the store and the scheduling add to units of 100 ms, and how long a large store takes to list.

The peer of a study is the time that its units take by themselves, shared among the workers. Processes are started
beforehand: a start is paid once, not for each unit.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks import tables
from benchmarks.row import Row
from benchmarks.timing import alternate
from clearwood import compare
from clearwood.evaluate.scores import SCORES
from clearwood.studies.store import Store
from clearwood.studies.units import Result, plan_units

NAME = "studies"
OVERHEAD = 0.05
"""Of the units' own time, for units of 100 ms."""
LISTING = 1.0
"""Seconds for 100,000 units."""


class Waiting(ClassifierMixin, BaseEstimator):
    """A learner that takes a known time and no processor."""

    def __init__(self, seconds: float = 0.1) -> None:
        self.seconds = seconds

    def fit(self, X: np.ndarray, y: np.ndarray) -> Waiting:
        time.sleep(self.seconds)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.zeros(len(X), dtype=int)


def run(*, quick: bool = False, repeat: int = 1) -> Iterator[Row]:
    """The rows of this benchmark."""
    for backend in ("sequential", "threads", "processes"):
        yield overhead(backend, n_units=20 if quick else 200, judged=not quick)
    yield from listing(2_000 if quick else 100_000, judged=not quick, repeat=repeat)


def overhead(backend: str, n_units: int, *, judged: bool, seconds: float = 0.1) -> Row:
    """The wall time of a study beside the time of its units."""
    table = tables.as_table(tables.iris())
    n_jobs = 1 if backend == "sequential" else 2
    options: dict[str, Any] = {"cv": 10, "backend": backend, "n_jobs": n_jobs, "progress": False}
    with TemporaryDirectory() as folder:
        compare({"waiting": Waiting(0)}, table, repeats=1, **options)  # starts the processes
        began = time.perf_counter()
        found = compare(
            {"waiting": Waiting(seconds)}, table, repeats=n_units // 10, store=Path(folder) / "results.db", **options
        )
        wall = time.perf_counter() - began
    own = sum(result.seconds for result in found.results) / n_jobs
    added = wall / own - 1
    return Row(
        NAME, f"{len(found.results):,} units", f"{1e3 * seconds:.0f} ms each, {backend}", wall, "the units alone", own,
        "s", own / wall, f"overhead < {OVERHEAD:.0%}" if judged else "", added < OVERHEAD if judged else None,
        f"overhead {added:.1%}",
    )  # fmt: skip


def listing(n_units: int, *, judged: bool, repeat: int) -> Iterator[Row]:
    """The time to list a store: the status of each unit, all results, and all results with their predictions."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "results.db"
        fill(path, n_units)
        with Store(path) as store, sqlite3.connect(path) as bare:
            runs = {
                "status of each": store.statuses,
                "results": lambda: store.results(probes=False),
                "results, predictions too": store.results,
                "bare": lambda: bare.execute("SELECT * FROM result").fetchall(),
            }
            timings = alternate(runs, repeat)
        bare.close()
    theirs = timings.pop("bare").seconds
    for what, timing in timings.items():
        assert len(timing.result) == n_units
        yield Row(
            NAME, f"{n_units:,} units", f"list {what}", timing.seconds, "a bare SELECT", theirs, "s",
            theirs / timing.seconds, *_goal(timing.seconds, judged and "predictions" not in what),
        )  # fmt: skip


def _goal(seconds: float, judged: bool) -> tuple[str, bool | None]:
    return (f"< {LISTING:g} s", seconds < LISTING) if judged else ("", None)


def fill(path: Path, n_units: int) -> None:
    """A store of results as studies write them."""
    rng = np.random.default_rng(0)
    names = [*SCORES, "nodes", "leaves", "features", "depth", "fit_seconds"]
    params = {"class": "clearwood.learn.c45.C45Classifier", "confidence": 0.25, "min_leaf": 2}
    units = plan_units("study", [f"table {i}" for i in range(20)], ["c45", "cart"], 10, -(-n_units // 400))[:n_units]
    with Store(path) as store:
        store.query("PRAGMA synchronous = OFF")
        for unit, cells in zip(units, rng.random((n_units, len(names))).tolist(), strict=True):
            scores = dict(zip(names, cells, strict=True))
            probe = rng.integers(3, size=1000)
            store.add(Result(unit, "done", scores, params, 7, {"python": "3"}, 0.1, finished="2026", probe=probe))
