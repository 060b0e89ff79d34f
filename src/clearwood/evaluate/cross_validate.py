"""Cross-validate a learner on a table."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from clearwood.evaluate.evaluation import Evaluation
from clearwood.evaluate.resampling import fold_numbers
from clearwood.table import Table

__all__ = ["evaluate"]


class _Fold(NamedTuple):
    """One unit of work: a learner of its own, the rows it learns from and the rows that judge it."""

    learner: Any
    train: np.ndarray
    test: np.ndarray


class _Score(NamedTuple):
    accuracy: float
    leaves: float
    nodes: float
    depth: float
    features: float
    fit_seconds: float
    confusion: np.ndarray


def evaluate(
    learner: Any,
    table: Table,
    cv: int = 10,
    repeats: int = 5,
    random_state: int | np.random.Generator = 0,
    n_jobs: int | None = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Judge a learner by stratified cross-validation, repeated with other folds.

    Parameters
    ----------
    learner : estimator
        Anything with ``fit(table)`` and ``predict(table)``; it is cloned for each fold and left untouched. A clone
        whose ``random_state`` is None gets a seed of its own from ``random_state``.
    table : Table
        The data; rows without a class are left out, with a warning.
    cv : int
        The number of folds.
    repeats : int
        How often the cross-validation is done, each time with other folds.
    random_state : int or numpy.random.Generator
        Where the folds come from; the same seed gives the same result for any ``n_jobs``.
    n_jobs : int or None
        Folds fitted at a time, in threads unless ``joblib.parallel_config`` says otherwise; -1 for one on each core.
    progress : callable or None
        Called as ``progress(done, total)`` after each fold.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> import clearwood as cw
    >>> from clearwood.evaluate import evaluate
    >>> from sklearn.datasets import load_iris
    >>> table = cw.read(load_iris(as_frame=True).frame, target="target")
    >>> found = evaluate(cw.C45Classifier(), table, cv=5, repeats=2)
    >>> found.accuracy.shape, bool(found.interval.mean > 0.9)
    ((10,), True)
    """
    from joblib import Parallel, delayed

    if repeats < 1:
        raise ValueError(f"repeats must be at least 1, got {repeats}.")
    table = _with_known_class(table)
    if len(table.numeric):
        _ = table.sort_order  # sorted once here: each fold's order is then filtered from it, not sorted anew
    folds = _folds(learner, table, cv, repeats, np.random.default_rng(random_state))
    work = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(delayed(_score)(f, table) for f in folds)
    scores: list[_Score] = []
    for score in work:
        scores.append(score)
        if progress is not None:
            progress(len(scores), len(folds))
    accuracy, leaves, nodes, depth, features, seconds = np.array([s[:-1] for s in scores], dtype=np.float64).T
    return Evaluation(
        learner=" ".join(repr(learner).split()),  # scikit-learn breaks a long one into lines
        table=table.name,
        cv=cv,
        repeats=repeats,
        accuracy=accuracy,
        leaves=leaves,
        nodes=nodes,
        depth=depth,
        features=features,
        fit_seconds=seconds,
        train_rows=np.array([len(f.train) for f in folds]),
        test_rows=np.array([len(f.test) for f in folds]),
        classes=table.classes,
        confusion=np.sum([s.confusion for s in scores], axis=0) / repeats,
    )


def _with_known_class(table: Table) -> Table:
    if not table.classes:
        raise ValueError("the table has no class to predict; read it with target= naming a nominal column.")
    unknown = int(np.count_nonzero(table.y < 0))
    if unknown == 0:
        return table
    warnings.warn(f"{unknown} of {table.n_rows} rows have no class and are left out.", stacklevel=3)
    return table.take(np.flatnonzero(table.y >= 0))


def _folds(learner: Any, table: Table, cv: int, repeats: int, rng: np.random.Generator) -> list[_Fold]:
    from sklearn.base import clone

    folds = []
    for numbers in [fold_numbers(table.y, cv, rng) for _ in range(repeats)]:  # first: all learners get the same ones
        for fold in range(cv):
            twin = clone(learner)
            if twin.get_params().get("random_state", 0) is None:
                twin.set_params(random_state=int(rng.integers(2**31)))
            folds.append(_Fold(twin, np.flatnonzero(numbers != fold), np.flatnonzero(numbers == fold)))
    return folds


def _score(fold: _Fold, table: Table) -> _Score:
    train, tests = table.take(fold.train), table.take(fold.test)
    if not min(train.weights.sum(), tests.weights.sum()) > 0:
        raise ValueError("a fold holds only rows of weight 0; use fewer folds, or leave those rows out.")
    start = time.perf_counter()
    fitted = fold.learner.fit(train)
    seconds = time.perf_counter() - start
    if getattr(fitted, "interrupted_", False):  # half a search is no result of the learner
        raise KeyboardInterrupt
    predicted = _codes(fitted.predict(tests), table.classes)
    confusion = np.zeros((len(table.classes), len(table.classes)))
    np.add.at(confusion, (tests.y, predicted), tests.weights)
    return _Score(float(np.trace(confusion) / confusion.sum()), *_sizes(fitted), seconds, confusion)


def _codes(labels: Any, classes: tuple[str, ...]) -> np.ndarray:
    """Class labels as codes; a label that the table does not declare is the learner's mistake."""
    code = {label: i for i, label in enumerate(classes)}
    try:
        return np.array([code[label] for label in np.asarray(labels).tolist()], dtype=np.intp)
    except KeyError as strange:
        raise ValueError(f"the learner predicts {strange}, which is not a class of the table.") from None


def _sizes(fitted: Any) -> tuple[float, float, float, float]:
    """Leaves, nodes, depth and number of features of the fitted tree, or of all its trees; NaN where there are none."""
    tree = getattr(fitted, "tree_", None) or getattr(fitted, "ensemble_", None)
    if tree is None:
        return (np.nan,) * 4
    return tree.n_leaves, tree.n_nodes, tree.depth, len(tree.features)
