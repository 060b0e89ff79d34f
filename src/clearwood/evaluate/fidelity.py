"""Fidelity and complexity: how far a model predicts as another one does, and how large it is beside it."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from clearwood.table import Table

__all__ = ["complexity", "fidelity"]


def fidelity(model: Any, other: Any, table: Table) -> float:
    """The share of a table's rows, by weight, to which two models give the same class.

    Parameters
    ----------
    model, other : tree, ensemble, fitted estimator or function of a table
        Anything with ``predict(table)``; both must answer in the same terms, codes or labels.
    table : Table
        The rows; their own classes play no part.

    Returns
    -------
    float
        From 0 to 1; NaN where no row has any weight.

    Examples
    --------
    >>> from clearwood.table import Column
    >>> table = Table([Column("age")], [[20.0, 30.0, 50.0, 60.0]])
    >>> fidelity(lambda t: t.column("age") > 25, lambda t: t.column("age") > 40, table)
    0.75
    """
    alike = _predict(model, table) == _predict(other, table)
    total = float(table.weights.sum())
    return float(table.weights[alike].sum()) / total if total > 0 else float("nan")


def complexity(model: Any, reference: Any = None) -> float:
    """The number of nodes of a model, or its ratio to a reference's.

    Parameters
    ----------
    model, reference : tree, ensemble or fitted estimator
        The nodes of an ensemble are those of all its trees.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import BaggedTreesClassifier, C45Classifier
    >>> iris = load_iris()
    >>> bagged = BaggedTreesClassifier(random_state=0).fit(iris.data, iris.target)
    >>> tree = C45Classifier().fit(iris.data, iris.target)
    >>> complexity(tree), round(complexity(bagged, tree), 1)
    (9.0, 24.6)
    """
    nodes = _nodes(model)
    return nodes if reference is None else nodes / _nodes(reference)


def _predict(model: Any, table: Table) -> np.ndarray:
    return np.asarray(model.predict(table) if hasattr(model, "predict") else model(table))


def _nodes(model: Any) -> float:
    parts = (getattr(model, name, None) for name in ("tree_", "forest_", "ensemble_"))
    for part in chain([model], parts):  # one by one: a forest's trees need not be made for this
        nodes = getattr(part, "n_nodes", None)
        if nodes is not None:
            return float(nodes)
    raise TypeError(f"a tree, an ensemble or a fitted estimator with one is needed, got {type(model).__name__}.")
