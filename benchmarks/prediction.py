"""Prediction: the classes and probabilities of many rows, beside scikit-learn's.

The trees are fitted on the rows that they then predict. scikit-learn's full tree is larger than our pruned one, so
there is a second peer: its tree of at most as many leaves as ours has.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sklearn.tree import DecisionTreeClassifier

from benchmarks import tables
from benchmarks.row import Row, faster
from benchmarks.timing import alternate
from clearwood import C45Classifier

NAME = "prediction"


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark."""
    yield from measure(tables.two_classes(20_000 if quick else 1_000_000, 10), None if quick else 1, repeat=repeat)


def measure(data: tables.Arrays, goal: float | None, *, repeat: int) -> Iterator[Row]:
    """One table: the time to predict all its rows, by class and by probability."""
    ours = C45Classifier(n_jobs=2).fit(data.X, data.y)
    n_leaves = max(2, ours.tree_.n_leaves)
    peers = {
        "scikit-learn": DecisionTreeClassifier(criterion="entropy", random_state=0),
        "scikit-learn, no more leaves": DecisionTreeClassifier(
            criterion="entropy", random_state=0, max_leaf_nodes=n_leaves
        ),
    }
    for peer in peers.values():
        peer.fit(data.X, data.y)
    models = {"ours": ours, **peers}
    for method in ("predict", "predict_proba"):
        timings = alternate({name: partial(getattr(m, method), data.X) for name, m in models.items()}, repeat)
        for name, peer in peers.items():
            seconds, theirs = timings["ours"].seconds, timings[name].seconds
            leaves = f"{ours.tree_.n_leaves:,} leaves, theirs {peer.get_n_leaves():,}"
            yield Row(
                NAME, data.size, method, seconds, name, theirs, "s", theirs / seconds, *faster(goal, theirs / seconds),
                leaves,
            )  # fmt: skip
