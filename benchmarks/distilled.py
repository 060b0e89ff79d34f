"""Distilled trees: a fit with its inner cross-validation, and the forest beside scikit-learn's.

Distilling runs in two threads, as the goals say; both forests in one. A data set that is absent is left out, and said
so.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier

from benchmarks.row import Row, faster
from benchmarks.timing import alternate
from clearwood import Column, DistilledTreeClassifier, ForestClassifier, Table
from clearwood.read import datasets

NAME = "distilled"
SMALL = 5.0  # seconds for 1,000 rows of 20 columns
LARGE = 60.0  # seconds for 20,000 rows of 16 columns, 26 classes


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark."""
    table = made_table()
    yield measure_forest(table, repeat=min(repeat, 3))
    for tests in ("axis", "sparse", "linear"):
        yield measure_distilled(table, tests, SMALL)
    if quick:
        return
    try:
        letter = datasets.load("letter")
    except FileNotFoundError:
        yield Row(NAME, "", "letter", note="left out: no data set 'letter' here")
        return
    for tests in ("axis", "sparse"):
        yield measure_distilled(letter, tests, LARGE)


def made_table() -> Table:
    """1,000 rows of 20 columns and three classes, a twentieth of them wrong."""
    cells, y = make_classification(1000, 20, n_informative=8, n_redundant=4, n_classes=3, flip_y=0.05, random_state=0)
    columns = [Column(f"x{i}") for i in range(20)]
    return Table(columns, list(cells.T), target=Column("class", ("a", "b", "c")), y=y, name="made")


def measure_forest(table: Table, *, repeat: int) -> Row:
    """Fit 300 trees to one table."""
    ours = ForestClassifier(random_state=0)
    peer = RandomForestClassifier(300, oob_score=True, random_state=0)
    cells = np.ascontiguousarray(table.numeric.T)
    found = alternate({"ours": lambda: ours.fit(table), "theirs": lambda: peer.fit(cells, table.y)}, repeat)
    seconds, theirs = found["ours"].seconds, found["theirs"].seconds
    goal, reached = faster(1, theirs / seconds)
    size = f"{table.n_rows:,} × {table.n_features}"
    return Row(
        NAME, size, f"{table.name}, 300 trees", seconds, "scikit-learn", theirs, "s", theirs / seconds, goal, reached
    )


def measure_distilled(table: Table, tests: str, limit: float) -> Row:
    """Fit one tree, its size chosen."""
    clf = DistilledTreeClassifier(tests=tests, random_state=0, n_jobs=2, progress=False)
    start = perf_counter()
    clf.fit(table)
    seconds = perf_counter() - start
    size, note = f"{table.n_rows:,} × {table.n_features}", f"{clf.n_leaves_} leaves"
    what, goal = f"{table.name}, {tests} tests", f"≤ {limit:g} s"
    return Row(NAME, size, what, seconds, goal=goal, reached=seconds <= limit, note=note)
