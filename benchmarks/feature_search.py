"""Feature search: SET-GEN's default run, and its subset evaluations a second beside sklearn-genetic-opt's.

SET-GEN judges 5,000 subsets by ten C4.5 trees each, pruned and scored; subsets that come again count, as they do in
the paper, and the row "new subsets only" leaves them out. The peer is GAFeatureSelectionCV with scikit-learn's tree
and ten folds on the same cells as numbers, its own cache on; it judges some hundred subsets. Splice is 3,190 rows of 60
nominal columns, run by two threads.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks import tables
from benchmarks.row import Row, faster
from benchmarks.timing import alternate
from clearwood import SetGenClassifier, Table, datasets

NAME = "feature_search"
PEER = "sklearn-genetic-opt"
UNIT = "subsets/s"


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark."""
    evaluations = 300 if quick else 5000
    generated = tables.two_classes(303, 13)
    numbers = tables.as_table(generated._replace(X=generated.X.round(1)))
    heart = datasets.load("heart-c") if datasets.find("heart-c") is not None else None
    for what, table in {"one decimal": numbers, "heart-c, mixed": heart}.items():
        if table is None:
            yield Row(NAME, "303 × 13", what, note="no heart-c in the data folder")
        else:
            yield from measure(table, what, evaluations=evaluations, quick=quick, repeat=min(repeat, 3))
    if not quick:
        yield from long_run()


def measure(table: Table, what: str, *, evaluations: int, quick: bool, repeat: int) -> Iterator[Row]:
    """One table: the seconds of a complete run, and subsets a second beside the peer's."""
    size = f"{table.n_rows:,} × {table.n_features}"
    runs = {"ours": lambda: SetGenClassifier(evaluations=evaluations, random_state=0, n_jobs=1).fit(table)}
    if find_spec("sklearn_genetic") is not None:
        cells = np.nan_to_num(tables.as_numbers(table), nan=-1.0)
        runs["peer"] = lambda: peer_evaluations(cells, table.y, 2 if quick else 8)
    timings = alternate(runs, repeat)
    seconds, fitted = timings["ours"]
    whole = f"{what}: {evaluations:,} evaluations"
    goal, reached = ("", None) if quick else ("< 6 s", seconds < 6)
    yield Row(NAME, size, whole, seconds, unit="s", goal=goal, reached=reached, note=_found(fitted))
    if "peer" not in timings:
        yield Row(NAME, size, what, note=f"{PEER} is not installed")
        return
    theirs = timings["peer"].result / timings["peer"].seconds
    for kind, count in {"": evaluations, ", new subsets only": fitted.history_["distinct"][-1]}.items():
        ratio = count / seconds / theirs
        goal, reached = faster(50 if not (quick or kind) else None, ratio)
        yield Row(NAME, size, what + kind, count / seconds, PEER, theirs, UNIT, ratio, goal, reached)


def long_run() -> Iterator[Row]:
    """Splice, once."""
    if datasets.find("splice") is None:
        yield Row(NAME, "3,190 × 60", "splice", note="no splice in the data folder")
        return
    table = datasets.load("splice")
    fit = SetGenClassifier(random_state=0, n_jobs=2).fit
    seconds, fitted = alternate({"ours": lambda: fit(table)}, 1)["ours"]
    what = "splice: 5,000 evaluations, 2 threads"
    yield Row(NAME, "3,190 × 60", what, seconds, unit="s", goal="< 600 s", reached=seconds < 600, note=_found(fitted))


def peer_evaluations(cells: np.ndarray, y: np.ndarray, generations: int) -> int:
    """Let the peer search, and count the subsets that it asked for."""
    from sklearn_genetic import GAFeatureSelectionCV

    tree = DecisionTreeClassifier(random_state=0)
    search = GAFeatureSelectionCV(
        tree,
        cv=10,
        scoring="accuracy",
        population_size=20,
        generations=generations,
        verbose=False,
        n_jobs=1,
        refit=False,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(cells, y)
    return len(search.logbook.chapters["parameters"])


def _found(fitted: SetGenClassifier) -> str:
    distinct = int(fitted.history_["distinct"][-1])
    return f"{len(fitted.features_)} features, {fitted.tree_.n_nodes} nodes; {distinct:,} different subsets"
