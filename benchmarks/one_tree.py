"""One tree: C4.5 grown and pruned, beside scikit-learn's full entropy tree on the same arrays.

Both are timed from ``fit(X, y)`` on a C-ordered float64 array, checks and conversions included. The large tables are
also fitted by two threads, which must give the same tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from sklearn.tree import DecisionTreeClassifier

from benchmarks import tables
from benchmarks.machine import cores
from benchmarks.row import Row, faster
from benchmarks.timing import alternate
from clearwood import C45Classifier

NAME = "one_tree"


class Case(NamedTuple):
    """A table, how many times faster than the peer ours must be, and whether threads are tried.

    Two threads must gain on the large tables, where the goal is above 1; elsewhere their time is for information.
    """

    make: Callable[[], tables.Arrays]
    goal: float | None
    threads: bool = False


CASES = (
    Case(tables.iris, 1),
    Case(partial(tables.two_classes, 1_000, 10), 1),
    Case(tables.letters, 1, threads=True),
    Case(partial(tables.two_classes, 100_000, 20), 4, threads=True),
    Case(partial(tables.two_classes, 1_000_000, 10), 4, threads=True),
)
QUICK = (
    *CASES[:2],
    Case(partial(tables.letters, 2_000), None, True),
    Case(partial(tables.two_classes, 20_000, 10), None, True),
)


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark."""
    for case in QUICK if quick else CASES:
        yield from measure(case.make(), case.goal, threads=case.threads, repeat=repeat)


def measure(data: tables.Arrays, goal: float | None, *, threads: bool, repeat: int) -> Iterator[Row]:
    """One table: the time of a fit beside the peer's, and by two threads."""
    runs: dict[str, Callable[[], object]] = {
        "ours": lambda: C45Classifier().fit(data.X, data.y),
        "peer": lambda: DecisionTreeClassifier(criterion="entropy", random_state=0).fit(data.X, data.y),
    }
    if threads:
        runs["two"] = lambda: C45Classifier(n_jobs=2).fit(data.X, data.y)
    timings = alternate(runs, repeat)
    ours, theirs = timings["ours"].seconds, timings["peer"].seconds
    tree, peer = timings["ours"].result.tree_, timings["peer"].result
    leaves = f"{tree.n_leaves:,} leaves, theirs {peer.get_n_leaves():,}"
    yield Row(
        NAME, data.size, data.name, ours, "scikit-learn", theirs, "s", theirs / ours, *faster(goal, theirs / ours),
        leaves,
    )  # fmt: skip
    if threads:
        two = timings["two"].seconds
        same = timings["two"].result.tree_ == tree
        wanted, reached = faster(1 if goal and goal > 1 else None, ours / two, sound=same)
        note = "" if same else "THE TREES DIFFER"
        if cores() < 2:
            reached, note = None, note or "needs two cores"
        wanted = wanted and "> 1×"
        yield Row(
            NAME, data.size, f"{data.name}, 2 threads", two, "1 thread", ours, "s", ours / two, wanted, reached, note
        )  # fmt: skip
