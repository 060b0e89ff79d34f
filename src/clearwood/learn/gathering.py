"""Gather: any fitted ensemble of trees as one Ensemble, checked against the original."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from clearwood.booleans import are_booleans
from clearwood.conditions import Kind
from clearwood.learn.ensemble import Ensemble, labels_of
from clearwood.learn.foreign_trees import from_scikit_learn
from clearwood.learn.labels import tree_labels
from clearwood.table import Column, Table
from clearwood.tree import Tree

__all__ = ["gather", "is_fitted"]

CLOSE = 1e-6  # probabilities that differ by less are the same, and classes nearer than this may swap places
KINDS = (
    "a bagging of this library, one or several of its learners or Trees, or scikit-learn's random forests, "
    "extra trees, bagging of trees or AdaBoost"
)


def is_fitted(model: Any) -> bool:
    """Whether a model can predict already: trees and ensembles can, estimators once they are fitted."""
    if isinstance(model, Ensemble | Tree):
        return True
    if isinstance(model, Sequence) and not isinstance(model, str):
        return all(is_fitted(part) for part in model)
    try:
        check_is_fitted(model)
    except (NotFittedError, TypeError):
        return False
    return True


def gather(model: Any, table: Table, labels: Sequence[Any], rng: np.random.Generator | None = None) -> Ensemble:
    """A fitted ensemble as an Ensemble over the table's columns; an unfitted one is fitted to the table first.

    Its predictions for the rows of the table are compared with the original's; a difference raises RuntimeError.

    Parameters
    ----------
    model : Ensemble, estimator, Tree or sequence of these
        See ``KINDS``.
    table : Table
        The rows at hand.
    labels : sequence
        The classes as the user knows them, in the order of the table's codes.
    rng : numpy.random.Generator or None
        Where the seeds of unfitted estimators come from that have none.
    """
    if not is_fitted(model):
        model = _fit(model, table, labels, np.random.default_rng() if rng is None else rng)
    found = _gathered(model, table, tuple(labels))
    if any((tree.kind == Kind.LINEAR).any() for tree in found.trees):
        raise ValueError(
            "the ensemble tests several features at once (hyper-planes), and such tests cannot be compared with a "
            "path; use trees that test one feature at a time."
        )
    _check_columns(found, table)
    known = set(found.classes)
    strange = [label for i, label in enumerate(labels) if label not in known and (table.y == i).any()]
    if strange:
        raise ValueError(f"the ensemble does not know the class {strange[0]!r}; it was fitted to {found.classes}.")
    _compare(found, model, table)
    return found


def _fit(model: Any, table: Table, labels: Sequence[Any], rng: np.random.Generator) -> Any:
    """Fit a copy of an estimator to the table."""
    if isinstance(model, Sequence) and not isinstance(model, str):
        return [part if is_fitted(part) else _fit(part, table, labels, rng) for part in model]
    if not hasattr(model, "fit") or isinstance(model, type):
        raise TypeError(f"ensemble must be {KINDS}, got {model!r}.")
    model = clone(model)
    for name, value in model.get_params().items():
        if value is None and name.rpartition("__")[2] == "random_state":
            model.set_params(**{name: int(rng.integers(2**31))})
    if _is_ours(model):
        fitted = model.fit(table)
        return _gathered(fitted, table, tuple(labels)).with_classes(labels)
    known = table.y >= 0
    weights = {} if (table.weights == 1).all() else {"sample_weight": table.weights[known]}
    return model.fit(_cells(model, table)[known], np.array(labels)[table.y[known]], **weights)


def _is_ours(model: Any) -> bool:
    return any(cls.__module__.partition(".")[0] == "clearwood" for cls in type(model).__mro__)


def _cells(model: Any, table: Table) -> np.ndarray:
    """The rows as numbers, their columns in the order in which a model was fitted to them."""
    names = getattr(model, "feature_names_in_", None)
    numbers = table.align(_as_numbers(model, table))
    return (numbers if names is None else numbers.select(map(str, names))).numeric.T


def _as_numbers(model: Any, table: Table) -> tuple[Column, ...]:
    """The columns of the table as numbers: truth values are 0 and 1, other values are refused."""
    nominal = next((c.name for c in table.columns if c.is_nominal and not are_booleans(c.values or ())), None)
    if nominal is not None:
        raise ValueError(
            f"{type(model).__name__} knows numbers only, but column {nominal!r} is nominal; use BaggedTreesClassifier, "
            "or turn the column into numbers."
        )
    return tuple(Column(column.name) if column.is_nominal else column for column in table.columns)


def _gathered(model: Any, table: Table, labels: tuple[Any, ...]) -> Ensemble:
    if isinstance(model, Ensemble):
        return model
    if isinstance(model, Tree):
        return Ensemble([model])
    if isinstance(model, Sequence) and not isinstance(model, str):
        if not model:
            raise ValueError("ensemble must hold at least one tree, got an empty list.")
        parts = [_gathered(part, table, labels) for part in model]
        return Ensemble([tree for part in parts for tree in part.trees], np.concatenate([p.weights for p in parts]))
    if _is_ours(model):
        if isinstance(getattr(model, "tree_", None), Tree):
            return Ensemble([model.tree_])
        if hasattr(type(model), "ensemble_"):  # one that is made when it is asked for, and says why it cannot be
            try:
                return model.ensemble_
            except AttributeError as error:
                raise TypeError(f"ensemble must be {KINDS}, got {type(model).__name__}: {error}") from None
        found = getattr(model, "ensemble_", None)
        if isinstance(found, Ensemble):
            return found
        raise TypeError(f"ensemble must be {KINDS}, got {type(model).__name__}.")
    return _from_scikit_learn(model, table)


def _from_scikit_learn(model: Any, table: Table) -> Ensemble:
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
    from sklearn.ensemble._forest import ForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    known = isinstance(model, ForestClassifier | BaggingClassifier | AdaBoostClassifier | DecisionTreeClassifier)
    if not known:
        raise TypeError(f"ensemble must be {KINDS}, got {type(model).__name__}.")
    if getattr(model, "n_outputs_", 1) != 1:
        raise ValueError("an ensemble with several outputs has no single class to predict; fit it to one y.")
    columns = _columns_of(model, table)
    classes = tree_labels(model.classes_)
    target = "class" if table.target is None else table.target.name
    if isinstance(model, DecisionTreeClassifier):
        return Ensemble([from_scikit_learn(model, columns, classes, target=target)])
    boosted = isinstance(model, AdaBoostClassifier)
    chosen = getattr(model, "estimators_features_", [None] * len(model.estimators_))
    trees = []
    for member, features in zip(model.estimators_, chosen, strict=True):
        if not isinstance(member, DecisionTreeClassifier):
            raise TypeError(
                f"{type(model).__name__} must be made of scikit-learn's trees, but one member is a "
                f"{type(member).__name__}; BaggedTreesClassifier bags this library's learners."
            )
        # boosting keeps the labels; bagging and forests number them, and a sample may lack some
        own = np.asarray(member.classes_)
        places = np.searchsorted(model.classes_, own) if boosted else own.astype(np.intp)
        trees.append(
            from_scikit_learn(member, columns, classes, target=target, features=features, places=places, votes=boosted)
        )
    return Ensemble(trees, model.estimator_weights_[: len(trees)] if boosted else None)


def _columns_of(model: Any, table: Table) -> tuple[Column, ...]:
    """The columns that a model was fitted to: by name where it has names, else by number."""
    numbers = _as_numbers(model, table)
    names = getattr(model, "feature_names_in_", None)
    if names is not None:
        return tuple(Column(str(name)) for name in names)
    if model.n_features_in_ != table.n_features:
        raise ValueError(
            f"the ensemble was fitted on {model.n_features_in_} columns, but the data has {table.n_features}."
        )
    return numbers


def _check_columns(found: Ensemble, table: Table) -> None:
    """Refuse an ensemble over other columns than the table's."""
    here = {column.name: column for column in table.columns}
    there = {column.name: column for column in found.columns}
    for name in [*(there.keys() - here.keys()), *(here.keys() - there.keys())]:
        where = "the data lacks" if name in there else "it does not know"
        raise ValueError(f"the ensemble was fitted on other columns: {where} {name!r}.")
    for name, column in there.items():
        if not column.is_nominal and are_booleans(here[name].values or ()):
            continue  # truth values become 0 and 1
        if column.is_nominal != here[name].is_nominal:
            kinds = ("numeric", "nominal")
            raise ValueError(
                f"column {name!r} is {kinds[here[name].is_nominal]}, but the ensemble was fitted with a "
                f"{kinds[column.is_nominal]} one."
            )


def _compare(found: Ensemble, model: Any, table: Table) -> None:
    """Refuse an ensemble that does not predict what the original does."""
    if _is_ours(model) or not hasattr(model, "predict_proba") or table.n_rows == 0:
        return
    ours = found.predict_proba(table)
    cells = _cells(model, table)
    names = getattr(model, "feature_names_in_", None)
    if names is not None:
        import pandas as pd

        cells = pd.DataFrame(cells, columns=names)
    if type(model).__name__ == "AdaBoostClassifier":  # its probabilities are a softmax of the votes
        place = {label: i for i, label in enumerate(found.classes)}
        theirs = np.array([place[label] for label in np.asarray(model.predict(cells)).tolist()])
        wrong = ours.max(axis=1) - ours[np.arange(len(ours)), theirs] > CLOSE
    else:
        wrong = (np.abs(ours - np.asarray(model.predict_proba(cells))) > CLOSE).any(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise RuntimeError(
            f"the ensemble was not taken over faithfully: {int(wrong.sum())} of {len(wrong)} rows are predicted "
            f"otherwise than by {type(model).__name__}, the first in row {row} "
            f"({labels_of(ours[row : row + 1])[0]}: {ours[row].round(4).tolist()})."
        )
