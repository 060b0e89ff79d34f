"""Models: fit any classifier to a table, and ask it for classes, probabilities and size."""

from __future__ import annotations

from inspect import signature
from time import perf_counter
from typing import Any

import numpy as np

from clearwood.conditions import Kind
from clearwood.evaluate.arrays import Encoder, fit_encoder
from clearwood.table import Table

__all__ = ["Model", "check_classifier", "fit_model", "fit_weights", "takes_tables"]


def _sizes(
    nodes: float = np.nan,
    leaves: float = np.nan,
    features: float = np.nan,
    depth: float = np.nan,
    terms: float = np.nan,
) -> dict[str, float]:
    names = ("nodes", "leaves", "features", "depth", "terms")
    return dict(zip(names, map(float, (nodes, leaves, features, depth, terms)), strict=True))


class Model:
    """A fitted classifier in the terms of the table: codes in, codes out."""

    def __init__(self, fitted: Any, table: Table) -> None:
        self.fitted = fitted
        self._code = {label: code for code, label in enumerate(table.classes)}

    def codes(self, table: Table) -> np.ndarray:
        """The predicted class of each row."""
        try:
            return np.array([self._code[label] for label in np.asarray(self.fitted.predict(table)).tolist()], np.intp)
        except KeyError as strange:
            raise ValueError(f"the learner predicts {strange}, which is not a class of the table.") from None

    def probabilities(self, table: Table) -> np.ndarray | None:
        """The probability of each class in each row; None from a learner that gives none."""
        if not hasattr(self.fitted, "predict_proba"):
            return None
        return np.asarray(self.fitted.predict_proba(table), dtype=np.float64)

    def sizes(self) -> dict[str, float]:
        """Nodes, leaves, features and depth of the tree, or of all trees together; NaN where there is none.

        Of a single tree also the features of a test, on average over its tests.
        """
        names = ("tree_", "forest_", "ensemble_")  # a forest's trees need not be made for this
        tree = next(
            (getattr(self.fitted, name) for name in names if getattr(self.fitted, name, None) is not None), None
        )
        if tree is None:
            return _sizes()
        return _sizes(tree.n_nodes, tree.n_leaves, len(tree.features), tree.depth, _terms(tree))

    def errors_by_size(self, tests: Table) -> dict[str, float]:
        """Of a learner with a front: the error of each size, and the training error, by ``error 3``, ``training 3``."""
        from clearwood.evaluate.fronts import Front, error_on

        front = getattr(self.fitted, "front_", None)
        if not isinstance(front, Front):
            return {}
        best = [front.of_size(size) for size in front.sizes]
        errors = {f"error {entry.n_leaves}": error_on(entry.tree, tests) for entry in best}
        return errors | {f"training {entry.n_leaves}": entry.training_error for entry in best}

    def fidelity(self, table: Table) -> float:
        """The share of the rows, by weight, that a tree labels as the ensemble or teacher behind it; NaN for others."""
        tree = getattr(self.fitted, "tree_", None)
        if tree is None:  # a forest has an ensemble too, which takes longer to make than the forest
            return float("nan")
        if hasattr(self.fitted, "teacher_codes"):
            wanted = self.fitted.teacher_codes(table)
            if wanted is None:
                return float("nan")
            return float(table.weights[tree.predict(table) == wanted].sum() / table.weights.sum())
        ensemble = getattr(self.fitted, "ensemble_", None)
        if ensemble is None or not hasattr(ensemble, "trees"):
            return float("nan")
        from clearwood.evaluate.fidelity import fidelity

        return fidelity(tree, ensemble, table)


def _terms(tree: Any) -> float:
    """The mean number of features of a tree's tests; NaN without tests, and for several trees.

    A nominal column is one feature, however many of its values a weighted sum asks for.
    """
    if not hasattr(tree, "weight_start"):
        return float("nan")
    widths = np.ones(tree.n_nodes)
    for node in np.flatnonzero(tree.kind == Kind.LINEAR).tolist():
        widths[node] = len(tree.tested(node))
    widths = widths[tree.kind != Kind.LEAF]
    return float(widths.mean()) if len(widths) else float("nan")


class ArrayModel(Model):
    """A fitted classifier of another library: it has seen arrays, and only the classes of its training rows."""

    def __init__(self, fitted: Any, table: Table, encoder: Encoder, present: np.ndarray) -> None:
        super().__init__(fitted, table)
        self._encoder = encoder
        self._present = present
        self._n_classes = len(table.classes)

    def codes(self, table: Table) -> np.ndarray:
        return self._present[np.asarray(self.fitted.predict(self._encoder.encode(table))).astype(np.intp)]

    def probabilities(self, table: Table) -> np.ndarray | None:
        if not hasattr(self.fitted, "predict_proba"):
            return None
        found = np.zeros((table.n_rows, self._n_classes))
        found[:, self._present] = self.fitted.predict_proba(self._encoder.encode(table))
        return found

    def fidelity(self, table: Table) -> float:
        return float("nan")

    def sizes(self) -> dict[str, float]:
        tree: Any = getattr(self.fitted, "tree_", None)
        if not hasattr(tree, "node_count"):
            return _sizes()
        tested = tree.feature[tree.feature >= 0]
        features = len(np.unique(self._encoder.feature[tested]))
        return _sizes(tree.node_count, tree.n_leaves, features, tree.max_depth)


def check_classifier(given: Any, demand: str) -> Any:
    """The classifier that was given; TypeError, with what is demanded, for anything else and for what predicts numbers.

    >>> from sklearn.linear_model import LinearRegression
    >>> check_classifier(LinearRegression(), "learner must be a classifier")
    Traceback (most recent call last):
    ...
    TypeError: learner must be a classifier, but LinearRegression() predicts numbers.
    """
    if isinstance(given, type) or not all(hasattr(given, verb) for verb in ("fit", "predict", "get_params")):
        raise TypeError(f"{demand}, got {given!r}.")
    if hasattr(given, "__sklearn_tags__") and given.__sklearn_tags__().estimator_type == "regressor":
        raise TypeError(f"{demand}, but {' '.join(repr(given).split())} predicts numbers.")
    return given


def takes_tables(learner: Any) -> bool:
    """Whether a learner is fitted to the table itself.

    So are ours and those made from ours, pipelines of such, and any whose ``fit`` takes the rows and nothing else.
    """
    if hasattr(learner, "steps"):
        return all(step in (None, "passthrough") or takes_tables(step) for _, step in learner.steps)
    if any(cls.__module__.partition(".")[0] == "clearwood" for cls in type(learner).__mro__):
        return True
    try:
        return len(signature(learner.fit).parameters) == 1
    except ValueError:  # compiled, and without a signature
        return False


def fit_model(learner: Any, train: Table) -> tuple[Model, float]:
    """Fit a learner, and say how many seconds its own ``fit`` took."""
    if takes_tables(learner):
        start = perf_counter()
        fitted = learner.fit(train)
        if getattr(fitted, "interrupted_", False):  # half a search is no result of the learner
            raise KeyboardInterrupt
        return Model(fitted, train), perf_counter() - start
    from sklearn.base import clone
    from sklearn.utils import get_tags

    gaps = bool(np.isnan(train.numeric).any())  # where the training rows have none, later ones are filled
    if gaps and get_tags(learner).input_tags.allow_nan:
        try:
            return _fit_arrays(clone(learner), train, keep_missing=True)
        except ValueError as error:
            if "nan" not in str(error).lower():  # some promise to take NaN because the class they extend does
                raise
    return _fit_arrays(learner, train, keep_missing=False)


def _fit_arrays(learner: Any, train: Table, *, keep_missing: bool) -> tuple[Model, float]:
    encoder = fit_encoder(train, keep_missing=keep_missing)
    cells = encoder.encode(train)
    # classes that the training rows lack are left out of the numbering: some learners want 0, 1, 2 without a gap
    present, y = np.unique(train.y, return_inverse=True)
    weights = fit_weights(learner, train)
    start = perf_counter()
    fitted = learner.fit(cells, y, **weights)
    return ArrayModel(fitted, train, encoder, present), perf_counter() - start


def fit_weights(learner: Any, train: Table) -> dict[str, np.ndarray]:
    """What ``fit`` is given beside rows and classes: the weights, unless all are 1.

    What takes no weights is spared those that are all alike; others are refused.
    """
    from sklearn.utils.validation import has_fit_parameter

    if (train.weights == 1).all():
        return {}
    if has_fit_parameter(learner, "sample_weight"):
        return {"sample_weight": train.weights}
    if (train.weights != train.weights[0]).any():
        raise ValueError(
            f"{type(learner).__name__} takes no row weights, but the table has some; leave one of them out."
        )
    return {}
