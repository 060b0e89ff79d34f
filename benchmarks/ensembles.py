"""Ensembles: 25 bagged trees beside scikit-learn's bagging, and the one tree that ISM makes of them.

Both libraries run in one thread. When the goals were set, Weka took 12.7 s to bag 25 trees of J48 on letter, 0.47 s
on segment and 0.1 s on pima; ours beside that is processor time, so that other work on the machine does not count. A
data set that is absent is left out, and said so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter, process_time

from sklearn.ensemble import BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.row import Row, faster
from benchmarks.timing import alternate
from clearwood import BaggedTreesClassifier, ISMClassifier, Table
from clearwood.read import datasets

NAME = "ensembles"
WEKA = {"letter": 12.7, "segment": 0.47, "pima": 0.1}
"""Seconds that Weka's bagging of 25 J48 trees took on the machine where the goals were set."""
LETTER = 180.0  # seconds for ISM on letter
SMALL = 2.0  # seconds for ISM on a set of up to 1,000 rows


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark."""
    for name in ("pima", "segment") if quick else ("pima", "segment", "letter"):
        yield from measure_bagging(name, repeat=min(repeat, 3))
    for name in ("heart-c", "credit-g") if quick else ("heart-c", "credit-g", "cylinder-bands", "vehicle", "letter"):
        yield from measure_ism(name)


def _load(name: str) -> Table | Row:
    try:
        return datasets.load(name)
    except FileNotFoundError:
        return Row(NAME, "", name, note=f"left out: no data set {name!r} here")


def fresh(table: Table) -> Table:
    """The same table with nothing sorted yet."""
    return Table.from_blocks(table.columns, table.numeric, table.nominal, target=table.target, y=table.y)


def measure_bagging(name: str, *, repeat: int) -> Iterator[Row]:
    """Fit 25 trees to one table."""
    table = _load(name)
    if isinstance(table, Row):
        yield table
        return
    size = f"{table.n_rows:,} × {table.n_features}"
    ours = BaggedTreesClassifier(oob=False, random_state=0)
    peer = BaggingClassifier(DecisionTreeClassifier(), n_estimators=25, random_state=0)
    cells = table.numeric.T.copy()
    runs: dict[str, Callable[[], object]] = {
        "ours": lambda: ours.fit(fresh(table)),
        "theirs": partial(peer.fit, cells, table.y),
    }
    found = alternate(runs, repeat)
    seconds, theirs = found["ours"].seconds, found["theirs"].seconds
    goal, reached = faster(1, theirs / seconds)
    nodes = f"{ours.ensemble_.n_nodes / 25:,.0f} nodes a tree"
    yield Row(
        NAME, size, f"{name}, 25 trees", seconds, "scikit-learn", theirs, "s", theirs / seconds, goal, reached, nodes
    )
    seconds = min(_processor_seconds(runs["ours"]) for _ in range(repeat))
    goal, reached = faster(5, WEKA[name] / seconds)
    yield Row(
        NAME, size, f"{name}, 25 trees", seconds, "Weka, then", WEKA[name], "s", WEKA[name] / seconds, goal, reached
    )


def _processor_seconds(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return process_time() - start


def measure_ism(name: str) -> Iterator[Row]:
    """Grow one tree from 25, in each of three ways."""
    table = _load(name)
    if isinstance(table, Row):
        yield table
        return
    bag = BaggedTreesClassifier(oob=False, random_state=0).fit(table)
    limit = LETTER if name == "letter" else SMALL
    for estimate in ("trees", "mixed", "data"):
        clf = ISMClassifier(bag, estimate=estimate)
        start = perf_counter()
        clf.fit(table)
        seconds = perf_counter() - start
        note = f"{clf.tree_.n_nodes:,} nodes of {bag.ensemble_.n_nodes:,}"
        size = f"{table.n_rows:,} × {table.n_features}"
        what, goal = f"{name}, ISM by {estimate}", f"≤ {limit:g} s"
        yield Row(NAME, size, what, seconds, goal=goal, reached=seconds <= limit, note=note)
