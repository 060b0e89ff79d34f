"""Cross-validate a learner on a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clearwood.evaluate.evaluation import Evaluation
from clearwood.evaluate.fold import run_fold, seeded, wants_seed, with_known_class
from clearwood.evaluate.models import check_classifier
from clearwood.evaluate.resampling import fold_numbers
from clearwood.evaluate.scores import SCORES, score
from clearwood.read.identifiers import warn_of_identifiers
from clearwood.table import Table
from clearwood.threads import check_jobs, within_cores

if TYPE_CHECKING:
    from clearwood.scan.scan import Scan

__all__ = ["evaluate"]


class _Fold(NamedTuple):
    """One unit of work: a learner of its own, the rows it learns from and the rows that judge it."""

    learner: Any
    train: np.ndarray
    test: np.ndarray


class _Score(NamedTuple):
    accuracy: float
    sizes: dict[str, float]
    fit_seconds: float
    confusion: np.ndarray
    majority: float
    scores: dict[str, float]


def evaluate(
    learner: Any,
    table: Table | Scan,
    cv: int = 10,
    repeats: int = 5,
    random_state: int | np.random.Generator = 0,
    n_jobs: int | None = 1,
    progress: Callable[[int, int], None] | None = None,
    holdout: float | None = None,
) -> Evaluation:
    """Judge a learner by stratified cross-validation, repeated with other folds; on a Scan, by rows that it holds out.

    Parameters
    ----------
    learner : estimator or str
        One of ours or its name, such as ``"c45:confidence=0.1"``; anything with ``fit(table)`` and ``predict(table)``;
        or a classifier of another library, which is given arrays as in :func:`clearwood.compare`. It is cloned for each
        fold and left untouched; a clone in which a ``random_state`` is None gets a seed of its own from
        ``random_state``.
    table : Table or Scan
        The data; rows without a class are left out, with a warning. A Scan stays where it is and needs ``holdout``.
    cv : int
        The number of folds.
    repeats : int
        How often the cross-validation is done, each time with other folds.
    random_state : int or numpy.random.Generator
        Where the folds come from; the same seed gives the same result for any ``n_jobs``.
    n_jobs : int or None
        Folds fitted at a time, in threads unless ``joblib.parallel_config`` says otherwise; -1 for one on each core.
        A learner's own ``n_jobs`` gets no more than its fold's part of the cores.
    progress : callable or None
        Called as ``progress(done, total)`` after each fold.
    holdout : float or None
        Of a Scan: the share of the rows that judge what is learned from the others. They are dealt by a hash of its
        key, as in :meth:`Scan.split`, with ``random_state``, a whole number; and scored by SQL where they lie.

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
    from joblib import Parallel, delayed, effective_n_jobs

    check_jobs(n_jobs)
    learner = check_classifier(_made(learner), "learner must be a classifier or its name")
    if not isinstance(table, Table):
        from clearwood.learn.scanned.holdout import judge_holdout

        return judge_holdout(learner, table, holdout, random_state, cv=cv, repeats=repeats, progress=progress)
    if holdout is not None:
        raise ValueError(f"holdout={holdout!r} is for a Scan; a Table is cross-validated: leave it out, and give cv.")
    if repeats < 1:
        raise ValueError(f"repeats must be at least 1, got {repeats}.")
    warn_of_identifiers(table)
    table = with_known_class(table)
    if len(table.numeric):
        _ = table.sort_order  # sorted once here: each fold's order is then filtered from it, not sorted anew
    folds = _folds(learner, table, cv, repeats, np.random.default_rng(random_state))
    judge = delayed(within_cores(_score, min(effective_n_jobs(n_jobs), len(folds))))
    work = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(judge(fold, table) for fold in folds)
    scores: list[_Score] = []
    for done in work:
        scores.append(done)
        if progress is not None:
            progress(len(scores), len(folds))
    return Evaluation(
        learner=" ".join(repr(learner).split()),  # scikit-learn breaks a long one into lines
        table=table.name,
        cv=cv,
        repeats=repeats,
        accuracy=np.array([s.accuracy for s in scores]),
        leaves=np.array([s.sizes["leaves"] for s in scores]),
        nodes=np.array([s.sizes["nodes"] for s in scores]),
        depth=np.array([s.sizes["depth"] for s in scores]),
        features=np.array([s.sizes["features"] for s in scores]),
        fit_seconds=np.array([s.fit_seconds for s in scores]),
        train_rows=np.array([len(f.train) for f in folds]),
        test_rows=np.array([len(f.test) for f in folds]),
        classes=table.classes,
        confusion=np.sum([s.confusion for s in scores], axis=0) / repeats,
        majority=np.array([s.majority for s in scores]),
        scores={name: np.array([s.scores[name] for s in scores]) for name in SCORES if name != "accuracy"},
    )


def _made(learner: Any) -> Any:
    """A learner from its name; any other as it is."""
    if not isinstance(learner, str):
        return learner
    from clearwood.learn.registry import make_learner

    return make_learner(learner)


def _folds(learner: Any, table: Table, cv: int, repeats: int, rng: np.random.Generator) -> list[_Fold]:
    folds = []
    seedless = wants_seed(learner)
    for numbers in [fold_numbers(table.y, cv, rng) for _ in range(repeats)]:  # first: all learners get the same ones
        for fold in range(cv):
            twin = seeded(learner, int(rng.integers(2**31)) if seedless else 0)
            folds.append(_Fold(twin, np.flatnonzero(numbers != fold), np.flatnonzero(numbers == fold)))
    return folds


def _score(fold: _Fold, table: Table) -> _Score:
    train, tests = table.take(fold.train), table.take(fold.test)
    model, predicted, sizes, seconds = run_fold(fold.learner, train, tests)
    confusion = np.zeros((len(table.classes), len(table.classes)))
    np.add.at(confusion, (tests.y, predicted), tests.weights)
    total = float(confusion.sum())
    frequent = int(np.argmax(np.bincount(train.y, train.weights, len(table.classes))))
    majority = float(confusion[frequent].sum()) / total
    scores = score(table.classes, tests.y, model.probabilities(tests), predicted, tests.weights)
    return _Score(float(np.trace(confusion)) / total, sizes, seconds, confusion, majority, scores)
