"""Other learners: CART and ID3 beside scikit-learn's full tree of the same criterion, for information.

CART is timed grown only (Gini, no pruning, as scikit-learn's default), and with its size chosen by ten-fold
cross-validation, which grows eleven trees. ID3 tests a numeric column once along a path, so its trees are smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from sklearn.tree import DecisionTreeClassifier

from benchmarks import tables
from benchmarks.row import Row
from benchmarks.timing import alternate
from clearwood import CARTClassifier, ID3Classifier

NAME = "other_learners"


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark."""
    yield from measure(tables.iris(), repeat=repeat)
    yield from measure(tables.two_classes(1_000, 10), repeat=repeat)
    if not quick:
        yield from measure(tables.letters(), repeat=min(repeat, 3))
        yield from measure(tables.two_classes(100_000, 20), repeat=min(repeat, 3))


def measure(data: tables.Arrays, *, repeat: int) -> Iterator[Row]:
    """One table: the time of each learner's fit beside the peer's."""
    learners = {
        "CART, grown": (CARTClassifier(pruning=None), "gini"),
        "CART, size by cross-validation": (CARTClassifier(random_state=0), "gini"),
        "ID3": (ID3Classifier(), "entropy"),
    }
    runs: dict[str, Callable[[], object]] = {
        what: partial(learner.fit, data.X, data.y) for what, (learner, _) in learners.items()
    }
    for criterion in ("gini", "entropy"):
        peer = DecisionTreeClassifier(criterion=criterion, random_state=0)
        runs[criterion] = partial(peer.fit, data.X, data.y)
    timings = alternate(runs, repeat)
    for what, (learner, criterion) in learners.items():
        ours, theirs = timings[what].seconds, timings[criterion].seconds
        peer_leaves = timings[criterion].result.get_n_leaves()
        leaves = f"{learner.tree_.n_leaves:,} leaves, theirs {peer_leaves:,}"
        yield Row(NAME, data.size, what, ours, "scikit-learn", theirs, "s", theirs / ours, note=leaves)
