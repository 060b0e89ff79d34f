"""One fold: a learner of its own, fitted to the training rows and tried on the test rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from clearwood.evaluate.models import Model, fit_model
from clearwood.read.notes import warn
from clearwood.table import Table
from clearwood.wording import no_class_words

__all__ = ["FoldResult", "run_fold", "seeded", "wants_seed", "with_known_class"]


class FoldResult(NamedTuple):
    """What one fold has shown.

    Attributes
    ----------
    model : Model
        The fitted learner.
    predicted : array of int
        The class code of each test row.
    sizes : dict of float
        Nodes, leaves, features and depth of the tree or of all trees; NaN where there is none.
    fit_seconds : float
        The wall time of ``fit``.
    """

    model: Model
    predicted: np.ndarray
    sizes: dict[str, float]
    fit_seconds: float


def run_fold(learner: Any, train: Table, tests: Table) -> FoldResult:
    """Fit a learner to the training rows and let it predict the tests; the learner itself is fitted, not a copy."""
    if not min(train.weights.sum(), tests.weights.sum()) > 0:
        raise ValueError("a fold holds only rows of weight 0; use fewer folds, or leave those rows out.")
    model, seconds = fit_model(_transductive(learner, tests), train)
    return FoldResult(model, model.codes(tests), model.sizes(), seconds)


def with_known_class(table: Table, name: str = "") -> Table:
    """The rows that have a class, with a warning if some have none; ``name`` stands before what is said."""
    known = np.flatnonzero(table.y >= 0)
    if not table.classes or (table.n_rows and not len(known)):
        raise ValueError(no_class_words(table.target, name))
    lost = table.n_rows - len(known)
    if not lost:
        return table
    warn(f"{name + ': ' if name else ''}{lost} of {table.n_rows} rows have no class and are left out.")
    return table.take(known)


def wants_seed(learner: Any) -> bool:
    """Whether a random_state in a learner, or in one that it holds, is None."""
    return any(name.rpartition("__")[2] == "random_state" for name in _unset(learner))


def seeded(learner: Any, seed: int) -> Any:
    """A quiet copy of a learner; every random_state in it that is None gets the seed.

    >>> from clearwood import OC1Classifier
    >>> seeded(OC1Classifier(), 3), seeded(OC1Classifier(random_state=1), 3)
    (OC1Classifier(random_state=3), OC1Classifier(random_state=1))
    """
    from sklearn.base import clone

    instead = {"random_state": seed, "progress": False}
    twin = clone(learner)
    unset = {name: instead[name.rpartition("__")[2]] for name in _unset(twin)}
    return twin.set_params(**unset) if unset else twin


def _unset(learner: Any) -> list[str]:
    return [
        name
        for name, value in learner.get_params().items()
        if value is None and name.rpartition("__")[2] in ("random_state", "progress")
    ]


def _transductive(learner: Any, tests: Table) -> Any:
    """A learner that asks for the tests as unlabelled rows gets them, without their classes."""
    if not (isinstance(getattr(learner, "unlabelled", None), str) and learner.unlabelled == "tests"):
        return learner
    return learner.set_params(unlabelled=tests.with_target(None))
