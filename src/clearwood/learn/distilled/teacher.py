"""Teacher: a classifier's opinion of rows that it has not seen, whatever classifier it is."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from clearwood.evaluate.fold import seeded
from clearwood.evaluate.models import fit_model, fit_weights, takes_tables
from clearwood.evaluate.resampling import fold_numbers
from clearwood.learn.distilled.blended_forest import BlendedForest
from clearwood.learn.distilled.shown_rows import ShownRows
from clearwood.learn.ensemble import Ensemble, labels_of
from clearwood.learn.forest import ForestClassifier
from clearwood.learn.gathering import is_fitted
from clearwood.learn.labels import tree_labels
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["Teacher", "can_be_asked", "check_teacher"]

MOST_TREES, LEAST_TREES = 300, 100
ROWS_FOR_MOST = 5000  # of larger tables fewer trees know as much: each has more rows to learn from
FOLDS = 5  # of refitted copies, for a teacher without out-of-bag probabilities
NOT_TAKEN = (AttributeError, LookupError, TypeError, ValueError)  # what classifiers raise for rows of a wrong kind
ONE_AT_A_TIME = threading.RLock()  # for teachers that cannot be copied, and need not bear several threads


def check_teacher(teacher: Any) -> None:
    """Refuse what can teach nothing."""
    if teacher is None or isinstance(teacher, Ensemble | Tree):
        return
    able = hasattr(teacher, "predict_proba")
    if not able and not isinstance(teacher, type) and hasattr(type(teacher), "predict_proba"):
        able = not can_be_asked(teacher)  # a stack, say, that knows only when it is fitted
    if isinstance(teacher, type) or not able:
        raise TypeError(
            "teacher must be None, an Ensemble, a Tree, or a classifier with predict_proba, fitted or not, "
            f"got {teacher!r}."
        )
    if not can_be_asked(teacher) and not (hasattr(teacher, "fit") and hasattr(teacher, "get_params")):
        raise TypeError(
            f"teacher must be fitted, with its classes in classes_, or have fit and get_params so that it can be, got "
            f"{teacher!r}."
        )


def can_be_asked(teacher: Any) -> bool:
    """Whether a teacher can be asked as it is; what is no estimator can if it has classes."""
    return is_fitted(teacher) or (hasattr(teacher, "classes_") and not hasattr(teacher, "fit"))


class Teacher:
    """A fitted classifier in the terms of a table.

    Parameters
    ----------
    given : None, estimator, Ensemble or Tree
        None grows a forest.
    table : Table
        The rows to learn from; each has a class and some weight.
    labels : tuple
        The classes as the user knows them.
    seed : int
        Of a forest, and of estimators without one.
    refit : bool
        Whether a fitted estimator is replaced by a copy that has seen these rows only: those of a fold, say.
    n_jobs : int or None
        Threads of a forest.
    shown : ShownRows or None
        How classifiers of other libraries are shown the rows.

    Attributes
    ----------
    model : object
        What is asked.
    unseen : array (n_rows, n_classes)
        What is said of the rows of the table by parts of the teacher that have not seen them; NaN where nothing is.
    """

    def __init__(
        self,
        given: Any,
        table: Table,
        labels: tuple[Any, ...],
        seed: int,
        *,
        refit: bool,
        n_jobs: int | None = None,
        shown: ShownRows | None = None,
    ) -> None:
        self._columns, self._labels, self._seed, self._n_jobs = table.columns, labels, seed, n_jobs
        self._warns = not refit  # once, and not for each fold
        self._shown = ShownRows() if shown is None else shown
        if given is None:
            n_trees = int(np.clip(MOST_TREES * ROWS_FOR_MOST // table.n_rows, LEAST_TREES, MOST_TREES))
            forest = BlendedForest(n_estimators=n_trees, random_state=seed, n_jobs=n_jobs)
            self.model: Any = forest._grow(table, labels)
            if not _are_places([str(name) for name in table.feature_names]):
                forest.feature_names_in_ = np.array(table.feature_names, dtype=object)
            self.unseen = forest.oob_decision_function_
            return
        fitted = can_be_asked(given)
        self._given = given
        self._can_refit = not isinstance(given, Ensemble | Tree) and hasattr(given, "get_params")
        if fitted and self._can_refit:
            self._can_refit = clone(given) is not given  # what is frozen stays as it is, with all that it has seen
        if fitted:
            self._check_fit(given, table)
        self.model = self._fit(given, table) if not fitted or (refit and self._can_refit) else given
        self.unseen = self._unseen(table)

    def probabilities(self, table: Table) -> np.ndarray:
        """Class probabilities for the rows of a table, by the table's classes."""
        return self._asked(self.model, table)

    def codes(self, table: Table) -> np.ndarray:
        """The code of the class that the teacher gives to each row; -1 for a class that the table does not have."""
        if self._is_own_forest(self.model):
            return labels_of(self.probabilities(table))
        found, codes = self._said(self.model, table)
        return codes[labels_of(found)]

    # -- asking ---------------------------------------------------------------------------------

    def _asked(self, model: Any, table: Table) -> np.ndarray:
        if self._is_own_forest(model):
            return model.proba_of(table, self._n_jobs)
        return self._shared_out(*self._said(model, table))

    def _is_own_forest(self, model: Any) -> bool:
        """Whether a forest of ours was grown from the very columns and classes, so that nothing is to be translated."""
        if not isinstance(model, ForestClassifier) or model._shape.columns != self._columns:
            return False
        return tree_labels(model.classes_) == tuple(self._labels)

    def _said(self, model: Any, table: Table) -> tuple[np.ndarray, np.ndarray]:
        """What a model says of the rows of a table, and for each of its classes the code in the table."""
        source = getattr(model, "fitted", model)
        if not hasattr(source, "predict_proba"):
            raise TypeError(
                f"teacher must be a classifier with predict_proba, but a fitted {type(source).__name__} has none; "
                "choose one that gives probabilities."
            )
        if hasattr(model, "probabilities"):  # one that was fitted here, to the table's codes
            return _checked(model.probabilities(table), len(self._labels), table.n_rows), np.arange(len(self._labels))
        takes_tables = self._takes_tables(model)
        rows, codes = _named_for(model, table) if takes_tables else self._shown(model, table), self._codes(model)
        with nullcontext() if takes_tables or self._can_refit else ONE_AT_A_TIME:
            found = model.predict_proba(rows)
        return _checked(found, len(codes), table.n_rows), codes

    def _takes_tables(self, model: Any) -> bool:
        return isinstance(model, Ensemble | Tree) or (hasattr(model, "fit") and takes_tables(model))

    def _codes(self, model: Any) -> np.ndarray:
        """For each class of a model its code in the table, found by value, else by text; -1 where there is none."""
        values = {label: code for code, label in enumerate(self._labels)}
        texts = {str(label): code for code, label in enumerate(self._labels)}
        return np.array([values.get(label, texts.get(str(label), -1)) for label in _classes(model)], dtype=np.intp)

    def _shared_out(self, found: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Probabilities by the table's classes, which add up to 1; rows of which nothing is said are all alike."""
        result = np.zeros((len(found), len(self._labels)))
        result[:, codes[codes >= 0]] = found[:, codes >= 0]
        total = result.sum(axis=1, keepdims=True)
        return np.divide(result, total, out=np.full_like(result, 1 / len(self._labels)), where=total > 0)

    def _check_fit(self, given: Any, table: Table) -> None:
        """Refuse a fitted teacher of other classes or columns than the data's."""
        codes = self._codes(given)
        absent = [label for i, label in enumerate(self._labels) if i not in codes and (table.y == i).any()]
        if absent:
            known = ", ".join(map(repr, _classes(given)))
            raise ValueError(f"the teacher does not know the class {absent[0]!r}; it was fitted to {known}.")
        here = [str(name) for name in table.feature_names]
        names = _names(given)
        if names is not None and not _are_places(here):
            strange = [str(name) for name in names if str(name) not in here]
            if strange or len(names) != len(here):
                what = f"the data lacks {strange[0]!r}" if strange else f"it knows {len(names)} of {len(here)}"
                raise ValueError(f"the teacher was fitted on other columns: {what}; fit it on the columns of the data.")
        n_features = getattr(given, "n_features_in_", len(here))
        if n_features != len(here):
            raise ValueError(f"the teacher was fitted on {n_features} columns, but the data has {len(here)}.")

    # -- fitting --------------------------------------------------------------------------------

    def _fit(self, given: Any, table: Table) -> Any:
        """A copy fitted to a table: to rows and classes as the user has them, else as a model that speaks in codes."""
        refused = None
        try:
            if not self._takes_tables(given) and self._speaks_for_itself(given, table):
                try:
                    rows = self._shown(given, table, fitted=False)
                    return seeded(clone(given), self._seed).fit(rows, np.array(self._labels)[table.y])
                except NOT_TAKEN as error:  # some want numbers for classes, or columns without text
                    refused = error
            return fit_model(seeded(clone(given), self._seed), table)[0]
        except NOT_TAKEN as error:
            reason = refused or error
            raise ValueError(f"the teacher could not be fitted: {reason}") from reason

    def _speaks_for_itself(self, given: Any, table: Table) -> bool:
        """Whether a teacher may take the user's rows: one that did so, a pipeline, or any where all are numbers."""
        if fit_weights(given, table):
            return False
        plain = not len(table.nominal) and not np.isnan(table.numeric).any()
        return plain or hasattr(given, "steps") or getattr(given, "feature_names_in_", None) is not None

    def _unseen(self, table: Table) -> np.ndarray:
        """Out-of-bag probabilities where the teacher has them, else those of copies that have not seen the rows."""
        if len(np.unique(table.y)) < 2:  # of one class there is nothing to be learned
            return np.full((table.n_rows, len(self._labels)), np.nan)
        source = getattr(self.model, "fitted", self.model)
        votes = getattr(source, "oob_decision_function_", None)
        if votes is not None and len(votes) == table.n_rows and votes.ndim == 2:
            strange = self._given is self.model
            codes = self._codes(source) if source is self.model or self._takes_tables(source) else None
            if codes is None:  # fitted to arrays, whose classes are those that occur
                codes = np.unique(table.y)
            if votes.shape[1] == len(codes) and (codes >= 0).all():
                known = np.isfinite(votes).all(axis=1)
                found = np.full((table.n_rows, len(self._labels)), np.nan)
                votes = _checked(votes[known], len(codes), int(known.sum()))
                found[known] = self._shared_out(votes, codes)
                if not strange or _are_of_these_rows(found[known], self.probabilities(table)[known]):
                    return found
        if not self._can_refit or table.n_rows < 2:
            if self._warns:
                warnings.warn(
                    "the teacher cannot be fitted anew and has no out-of-bag probabilities, so what it says of the "
                    "rows at hand may be what it has learned from them; give an estimator that can be cloned.",
                    UserWarning,
                    stacklevel=2,
                )
            return self.probabilities(table)
        found = np.empty((table.n_rows, len(self._labels)))
        original = getattr(self.model, "fitted", self.model)
        folds = fold_numbers(table.y, min(FOLDS, table.n_rows), self._seed, warn=False)
        for fold in range(int(folds.max()) + 1):
            rest, rows = table.take(folds != fold), np.flatnonzero(folds == fold)
            if len(np.unique(rest.y)) < 2:  # many classifiers cannot be fitted to one class, and what is left knows one
                found[rows] = np.nan
                continue
            found[rows] = self._asked(self._fit(original, rest), table.take(rows))
        return found


def _names(model: Any) -> list[str] | None:
    """The names of the columns that a model was fitted to; None if it has seen none."""
    columns = getattr(model, "columns", None)
    names = [column.name for column in columns] if columns else getattr(model, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]


def _are_places(names: Sequence[str]) -> bool:
    """Whether columns are called as those of an array are."""
    return all(name == f"x{i}" for i, name in enumerate(names))


def _named_for(model: Any, table: Table) -> Table:
    """The table under the names of a learner's columns, if one of the two has places for names."""
    names, here = _names(model), [str(name) for name in table.feature_names]
    if hasattr(model, "steps") or (names is not None and len(names) != len(here)):
        return table
    names = [f"x{i}" for i in range(len(here))] if names is None else names
    if names == here or not (_are_places(names) or _are_places(here)):
        return table
    columns = [replace(column, name=name) for column, name in zip(table.columns, names, strict=True)]
    return Table.from_blocks(columns, table.numeric, table.nominal, name=table.name)


def _classes(model: Any) -> tuple[Any, ...]:
    """The classes that a model was fitted to."""
    if isinstance(model, Ensemble | Tree):
        return model.classes
    if isinstance(model.classes_, list) and any(map(np.ndim, model.classes_)):
        raise ValueError("the teacher predicts several targets; fit it to one y.")
    return tree_labels(model.classes_)


def _checked(given: Any, n_classes: int, n_rows: int) -> np.ndarray:
    """What a classifier gave for probabilities, unless it is none."""
    found = np.asarray(given, dtype=np.float64)
    if found.shape != (n_rows, n_classes):
        raise ValueError(
            f"the teacher's predict_proba must give {n_classes} probabilities for each row, "
            f"got an array of shape {found.shape} for {n_rows} rows."
        )
    wrong = ~(np.isfinite(found) & (found >= 0))
    if wrong.any():
        row = int(np.argmax(wrong.any(axis=1)))
        raise ValueError(
            "the teacher's predict_proba must give finite probabilities, none negative, "
            f"got {found[wrong][0]} in row {row}."
        )
    return found


def _are_of_these_rows(votes: np.ndarray, said: np.ndarray) -> bool:
    """Whether out-of-bag votes belong to the rows of which a teacher says this, and not to as many others.

    Among rows with the same answer the surer ones have the surer votes: the two go together by more than four standard
    errors of chance, unless they hardly vary.
    """
    if not len(said):
        return False
    votes, said, answer = votes.copy(), said.copy(), labels_of(said)
    for label in np.unique(answer):
        rows = answer == label
        votes[rows] -= votes[rows].mean(axis=0)
        said[rows] -= said[rows].mean(axis=0)
    spread = float(np.sqrt((votes**2).mean() * (said**2).mean()))
    return spread < 1e-4 or float((votes * said).mean()) / spread > 4 / np.sqrt(len(said))
