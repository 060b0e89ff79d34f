"""Trees and tables for tests of the page."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import clearwood as cw
from clearwood.evaluate.fronts import Front, FrontEntry, entry_of
from clearwood.evaluate.intervals import Interval

__all__ = ["chessboard", "iris_front", "iris_table", "quiet_fit", "sample_table"]


def iris_table() -> cw.Table:
    """Iris, with short names."""
    from sklearn.datasets import load_iris

    iris = load_iris(as_frame=True)
    flowers = iris.data.rename(columns=lambda name: name.removesuffix(" (cm)"))
    return cw.read(flowers.assign(species=iris.target_names[iris.target]), target="species")


def iris_front(table: cw.Table) -> Front:
    """C4.5's iris tree and three cut from it, with made-up cross-validated errors."""
    trees = [cw.C45Classifier(max_leaves=n).fit(table).tree_ for n in (2, 3, 4, 5)]
    errors = [0.34, 0.06, 0.05, 0.06]
    entries = []
    for tree, error in zip(trees, errors, strict=True):
        plain = entry_of(tree)
        interval = Interval(error, max(error - 0.03, 0), error + 0.03, 0.95)
        entries.append(
            FrontEntry(plain.n_leaves, tree, plain.training_error, error, interval, plain.n_features, learner="C4.5")
        )
    return Front(entries)


def sample_table(name: str) -> cw.Table:
    """A data set by name: scikit-learn's, or one of the papers'; the test skips where it is absent."""
    from sklearn import datasets

    if hasattr(datasets, f"load_{name}"):
        bunch = getattr(datasets, f"load_{name}")()
        columns = [cw.Column(str(feature)) for feature in bunch.feature_names]
        target = cw.Column("class", tuple(map(str, bunch.target_names)))
        return cw.Table(columns, list(bunch.data.T), target=target, y=bunch.target, name=name)
    file = cw.datasets.find(name)
    if file is None:
        pytest.skip(f"the data set {name} is absent")
    return cw.read(str(file))


def quiet_fit(learner, table: cw.Table) -> cw.Tree:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return learner.fit(table).tree_


def chessboard(rng: np.random.Generator, n_rows: int = 4000, cells: int = 46) -> cw.Table:
    """Rows whose class changes from field to field: no tree is right about them before it has very many leaves."""
    x, y = rng.random(n_rows), rng.random(n_rows)
    black = (np.floor(cells * x) + np.floor(cells * y)) % 2
    columns = [cw.Column("east"), cw.Column("north")]
    return cw.Table(columns, [x, y], target=cw.Column("field", ("white", "black")), y=black.astype(int), name="board")
