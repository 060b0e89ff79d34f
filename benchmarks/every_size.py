"""Every size: the search for the best tree of each size, beside evtree's time for one tree, and by number of rows.

evtree (R) is not run here: its figures are the 3 s and 358 s that were measured for one tree on pima and on 5,000 × 20.
By number of rows, 100 generations are run with two threads in a process of their own, whose peak memory is noted.
``python -m benchmarks.every_size ROWS`` measures one of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter

import numpy as np

from benchmarks import tables
from benchmarks.row import Row
from benchmarks.timing import alternate
from clearwood import ParetoTreeClassifier, Table, datasets

NAME = "every_size"
PEER = "evtree, one tree (recorded)"
COLUMNS = 10
LIMIT_SECONDS, LIMIT_BYTES = 600, 4 << 30


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark."""
    if datasets.find("pima") is None:
        yield Row(NAME, "768 × 8", "pima", note="no pima in the data folder")
    else:
        pima = datasets.load("pima")
        for generations, goal in ((100, 0.5), (1000, 4.0)):
            if not (quick and generations > 100):
                yield front(pima, "pima", generations, goal, 3.0, min(repeat, 3))
    if not quick:
        yield front(tables.as_table(tables.two_classes(5000, 20)), "generated", 1000, 30.0, 358.0, 1)
    for n_rows in (1_000, 10_000) if quick else (1_000, 10_000, 100_000, 1_000_000):
        yield by_rows(n_rows, 10 if quick else 100)


def front(table: Table, what: str, generations: int, goal: float, theirs: float, repeat: int) -> Row:
    """The seconds of one search by one thread, without the cross-validation that chooses a size."""
    clf = ParetoTreeClassifier(generations=generations, selection=35, random_state=0, n_jobs=1)
    seconds, fitted = alternate({"ours": lambda: clf.fit(table)}, repeat)["ours"]
    size = f"{table.n_rows:,} × {table.n_features}"
    errors = {entry.n_leaves: round(entry.training_error * table.n_rows) for entry in fitted.front_}
    some = ", ".join(f"{size}: {errors[size]}" for size in (2, 4, 8, 16, 32) if size in errors)
    return Row(
        NAME,
        size,
        f"{what}: {generations:,} generations of 500",
        seconds,
        PEER,
        theirs,
        ratio=theirs / seconds,
        goal=f"< {goal:g} s",
        reached=seconds < goal,
        note=f"errors by leaves: {some}",
    )


def by_rows(n_rows: int, generations: int) -> Row:
    """A search on many rows, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.every_size", str(n_rows), str(generations)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    large = n_rows == 1_000_000
    sound = found["seconds"] < LIMIT_SECONDS and found["peak"] < LIMIT_BYTES
    return Row(
        NAME,
        f"{n_rows:,} × {COLUMNS}",
        f"{generations} generations of 500, 2 threads",
        found["seconds"],
        goal="< 600 s and 4 GB" if large else "",
        reached=sound if large else None,
        note=f"{found['seconds'] / n_rows * 1e6:.0f} µs a row; peak {found['peak'] / 2**30:.2f} GiB in all",
    )


def measure(n_rows: int, generations: int) -> dict[str, float]:
    """The seconds of one search, and the process's peak memory in bytes."""
    from benchmarks.peak import status

    rng = np.random.default_rng(0)
    X = rng.random((COLUMNS, n_rows))
    y = ((X[0] > 0.6) ^ (X[1] > 0.3) ^ (rng.random(n_rows) < 0.1)).astype(np.int32)
    from clearwood import Column

    columns, target = [Column(f"x{i}") for i in range(COLUMNS)], Column("class", ("a", "b"))
    table = Table.from_blocks(columns, X, np.empty((0, n_rows), dtype=np.int32), target=target, y=y)
    clf = ParetoTreeClassifier(generations=generations, selection=8, random_state=0, n_jobs=2)
    start = perf_counter()
    clf.fit(table)
    return {"seconds": perf_counter() - start, "peak": float(status("VmHWM"))}


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100)))
