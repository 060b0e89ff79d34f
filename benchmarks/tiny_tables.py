"""Tiny tables: each learner on 150 rows, by all cores and by one thread, than which they must hardly be slower."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks import tables
from benchmarks.row import Row
from benchmarks.timing import alternate
from clearwood.learn.registry import LEARNERS, make_learner
from clearwood.table import Table

NAME = "tiny_tables"
MOST = 1.1
"""How many times the time of one thread all cores may take."""
SHORT = {
    "cart": ":cv=3",
    "pareto": ":generations=20,population_size=100,cv=3",
    "setgen": ":evaluations=60,population_size=20",
    "linear": ":generations=40",
    "distilled": ":n_synthetic=200,max_leaves=8,cv=3",
}
"""Settings that keep a search short."""


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark."""
    table = tables.as_table(tables.iris())
    for name in ("c45", "bagging") if quick else sorted(LEARNERS):
        yield measure(name, table, repeat=2 if quick else max(repeat, 15), judged=not quick)


def measure(name: str, table: Table, *, repeat: int, judged: bool = True) -> Row:
    """One learner: fitted, and asked about its rows."""

    def do(n_jobs: int) -> Any:
        learner = make_learner(name + SHORT.get(name, ""), random_state=0, n_jobs=n_jobs, progress=False)
        return learner.fit(table).predict_proba(table)

    timings = alternate({str(n): partial(do, n) for n in (1, -1)}, repeat)
    alone, all_cores = timings["1"], timings["-1"]
    same = bool((alone.result == all_cores.result).all())
    ratio = alone.seconds / all_cores.seconds
    return Row(
        NAME,
        "150 × 4",
        f"{name}, n_jobs=-1",
        all_cores.seconds,
        "1 thread",
        alone.seconds,
        "s",
        ratio,
        f"≤ {MOST:g} × one thread" if judged else "",
        same and all_cores.seconds <= MOST * alone.seconds if judged else None,
        "" if same else "RESULTS DIFFER",
    )
