"""Inputs: what a user passes to fit and predict, as Tables."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, column_or_1d, validate_data

from clearwood.learn.labels import tree_labels
from clearwood.learn.weights import counted_or_relative
from clearwood.read.frames import check_names, frame_to_table, to_frame
from clearwood.read.identifiers import warn_of_identifiers
from clearwood.read.whole_numbers import LARGEST, warn_of_rounding
from clearwood.scan.scan import Scan
from clearwood.table import Column, Table
from clearwood.table_check import check_present
from clearwood.threads import check_jobs
from clearwood.unknown_values import Model, align_known, tested_columns
from clearwood.wording import no_class_words

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


def training_table(
    estimator: BaseEstimator, X: Any, y: Any, sample_weight: Any, class_weight: Any
) -> tuple[Table, tuple[Any, ...]]:
    """The table to learn from, and the class labels as the user knows them.

    Sets ``n_features_in_``, ``feature_names_in_`` and ``classes_`` on the estimator. Rows of weight 0 given by
    ``sample_weight`` or ``class_weight`` are left out, unless the learner sees to that itself. Rows without a class
    stay in the table with code -1, with a warning.
    """
    check_jobs(getattr(estimator, "n_jobs", None))
    if isinstance(X, Scan):
        refuse_scan(estimator)
    if isinstance(X, Table):
        table = _given_table(X, y, sample_weight)
        warn_of_identifiers(table)
        estimator.feature_names_in_ = np.array(table.feature_names, dtype=object)
        estimator.n_features_in_ = table.n_features
        estimator.classes_ = np.array(table.classes)
        labels: tuple[Any, ...] = table.classes
    else:
        table = _given_arrays(estimator, X, y, sample_weight)
        labels = tree_labels(estimator.classes_)
    lost = int(np.count_nonzero(table.y < 0))
    if lost == table.n_rows:
        raise ValueError(no_class_words(table.target) if isinstance(X, Table) else "no row has a class: y is empty.")
    if lost:
        warnings.warn(f"{lost} rows without a class are not learned from.", UserWarning, stacklevel=3)
    if class_weight is not None:
        table = weighted_by_class(table, labels, class_weight)
    if not table.weights[table.y >= 0].sum() > 0:
        raise ValueError("all rows have weight 0; at least one row must count.")
    weighted = sample_weight is not None or class_weight is not None
    if weighted and getattr(estimator, "_drops_weightless", True) and not table.weights.all():
        table = table.take(table.weights > 0)
    return table, labels


def refuse_scan(estimator: BaseEstimator) -> NoReturn:
    """Say that a learner needs rows in memory, and how to have some."""
    raise TypeError(
        f"{type(estimator).__name__} needs the rows in memory and cannot learn from a Scan; pass scan.sample(n), a "
        "Table of n random rows. C45Classifier, ID3Classifier and CARTClassifier learn from a Scan itself."
    )


def _given_table(table: Table, y: Any, sample_weight: Any) -> Table:
    if y is not None:
        raise ValueError("a Table brings its own target: call fit(table) without y.")
    if table.target is None:
        raise ValueError("the table has no target; read it with target='name of the class column'.")
    if table.n_rows == 0:
        raise ValueError("the table has no rows to learn from.")
    if sample_weight is None:
        return table
    weights = np.asarray(sample_weight, dtype=np.float64)
    if not (weights >= 0).all():
        raise ValueError(f"sample_weight must not be negative or NaN, got {weights[~(weights >= 0)][0]}.")
    if weights.shape != (table.n_rows,):
        raise ValueError(f"sample_weight must hold one number for each of {table.n_rows} rows, got {weights.shape}.")
    return table.with_weights(table.weights * weights)


def _given_arrays(estimator: BaseEstimator, X: Any, y: Any, sample_weight: Any) -> Table:
    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None; "
            "pass the classes as y, or a Table that has a target."
        )
    frame = to_frame(X)
    framed = frame is not None
    if framed:
        X = frame
        if hasattr(X, "collect"):
            raise TypeError("the frame is lazy; pass frame.collect().")
        check_names(X)
        validate_data(estimator, X=X, skip_check_array=True)
    else:
        X = _numbers(estimator, X)
    n_rows = len(X)
    if n_rows == 0:
        raise ValueError("X has no rows to learn from.")
    taken = getattr(X, "column_names", None) or list(X.columns) if framed else []  # Arrow's columns are the cells
    target, codes, labels = _classes(y, set(map(str, taken)))
    if len(codes) != n_rows:
        raise ValueError(f"X and y have inconsistent numbers of samples: {n_rows} rows in X, {len(codes)} in y.")
    estimator.classes_ = labels
    if sample_weight is None:
        weights = None
    else:
        weights = _check_sample_weight(sample_weight, np.empty((n_rows, 1)), dtype=np.float64, ensure_non_negative=True)
        weights = counted_or_relative(weights)
    if framed:
        table = frame_to_table(X, codes, target, weights)
        warn_of_identifiers(table)
        return table
    columns = tuple(Column(str(name)) for name in getattr(estimator, "feature_names_in_", _places(X.shape[1])))
    no_nominal = np.empty((0, n_rows), dtype=np.int32)
    return Table.from_blocks(columns, X.T, no_nominal, target=target, y=codes, weights=weights)


def _numbers(estimator: BaseEstimator, X: Any, **checks: Any) -> np.ndarray:
    # an array in its final form is not looked at twice: the Table sees to infinite cells, and names their column
    if type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2 and X.size:
        final: np.ndarray = validate_data(estimator, X, skip_check_array=True, **checks)
        return final
    if isinstance(X, np.ndarray) and X.dtype.kind in "iu" and X.ndim == 2 and checks.get("reset", True):
        for place in np.flatnonzero((X > LARGEST).any(axis=0) | (X < -LARGEST).any(axis=0)).tolist():
            warn_of_rounding(f"x{place}", X[:, place].tolist())
    try:
        found: np.ndarray = validate_data(estimator, X, dtype=np.float64, ensure_all_finite="allow-nan", **checks)
    except ValueError as error:
        if str(error).startswith("could not convert string"):
            raise ValueError(f"{error}; pass text in a frame or a Table, where its columns are nominal.") from None
        raise
    return found


def _classes(y: Any, taken: Collection[str]) -> tuple[Column, np.ndarray, np.ndarray]:
    """The target column, the code of each row (-1 for missing), and the labels in sorted order."""
    name = str(getattr(y, "name", None) or "class")
    while name in taken:  # a feature may be called that, as with y = X["age"] > 50
        name += "_"
    values = _labels(y)
    if values.ndim != 1:
        values = column_or_1d(values, warn=True)
    known = _known(values)
    given = values[known]
    if given.dtype == object and not all(isinstance(v, str) for v in given):
        given = np.array(given.tolist())  # numbers that came with None beside them
        if given.dtype.kind == "U":
            raise ValueError("y mixes texts and numbers; give its classes one type.")
    if given.dtype.kind not in "iubU":  # integers, truth values and text are classes without a further look
        check_classification_targets(given)
    labels, inverse = np.unique(given, return_inverse=True)
    codes = np.full(len(values), -1, dtype=np.int32)
    codes[known] = inverse
    return Column(name, tuple(map(str, tree_labels(labels)))), codes, labels


def _labels(y: Any) -> np.ndarray:
    """The labels as an array, whole numbers as such: beside missing ones numpy would make them real."""
    values = np.asarray(y)
    listed = next((getattr(y, name) for name in ("to_pylist", "tolist", "to_list") if hasattr(y, name)), None)
    if values.dtype.kind != "f" or isinstance(y, np.ndarray) or listed is None:
        return values
    cells = np.empty(len(values), dtype=object)
    cells[:] = listed()
    return cells if all(isinstance(cell, int) for cell in cells[_known(cells)]) else values


def _known(values: np.ndarray) -> Any:
    """Which labels are not missing: a mask, or all of them."""
    if values.dtype.kind == "f":
        return ~np.isnan(values)
    if values.dtype.kind in "mM":
        return ~np.isnat(values)
    if values.dtype != object:
        return slice(None)
    missing = ("NoneType", "NAType", "NaTType")  # pandas' own will not be compared
    return np.array([type(v).__name__ not in missing and v == v for v in values], dtype=bool)  # NaN differs from itself


def weighted_by_class(table: Table, labels: tuple[Any, ...], class_weight: Any) -> Table:
    known = table.y >= 0
    total = np.bincount(table.y[known], table.weights[known], minlength=len(labels))
    used = np.bincount(table.y[known], minlength=len(labels)) > 0
    weight_of = class_factors(labels, class_weight, total, used)
    return table.with_weights(table.weights * np.where(known, weight_of[table.y], 1.0))


def class_factors(labels: tuple[Any, ...], class_weight: Any, total: np.ndarray, used: np.ndarray) -> np.ndarray:
    """By what the weights of each class's rows are multiplied, from the classes' weights and which of them occur."""
    weight_of = np.ones(len(labels))
    if isinstance(class_weight, str) and class_weight == "balanced":
        # by weight and not by rows, so that a row of weight 2 is as good as two rows
        np.divide(total.sum() / np.count_nonzero(total), total, out=weight_of, where=total > 0)
    else:
        present = np.array(labels)[used]
        weight_of[used] = compute_class_weight(class_weight, classes=present, y=present)
    if not (weight_of >= 0).all():
        wrong = int(np.argmin(weight_of >= 0))
        raise ValueError(f"class_weight must not be negative, got {weight_of[wrong]} for the class {labels[wrong]!r}.")
    return weight_of


def named_by_place(estimator: BaseEstimator, frame: Any, tested: Collection[str]) -> Any:
    """A frame with the names of an array's columns, where the model was fitted to an array and the frame has others.

    So its columns go by place, as scikit-learn has it.
    """
    names = check_names(frame)
    if hasattr(estimator, "feature_names_in_") or set(map(str, names)).issuperset(tested):
        return frame
    places = _places(len(names))
    if not set(places).issuperset(tested):
        return frame
    import narwhals.stable.v2 as nw

    return nw.from_native(frame, eager_only=True).rename(dict(zip(names, places, strict=True))).to_native()


def _places(n: int) -> list[str]:
    """What the columns of an array are called."""
    return [f"x{i}" for i in range(n)]


def prediction_table(
    estimator: BaseEstimator, X: Any, tree: Model, allow_unknown: bool = False, *, whole: bool = False
) -> Table:
    """The rows to predict, with the columns of the tree, or of the trees; values that they do not know are reported.

    Of a frame only the tested columns are looked at, unless the ``whole`` of it is wanted; others are missing.
    """
    if isinstance(X, Table):
        return align_known(tree, X, allow_unknown=allow_unknown)
    frame = to_frame(X)
    if frame is not None:
        validate_data(estimator, X=frame, skip_check_array=True, reset=False)
        wanted = tree.columns if whole else tested_columns(tree)
        frame = named_by_place(estimator, frame, tree.features)
        check_present(tree.features, dict.fromkeys(map(str, check_names(frame))))
        return align_known(tree, frame_to_table(frame, wanted=wanted), allow_unknown=allow_unknown)
    nominal = [c.name for c in tree.columns if c.is_nominal]
    if nominal:
        raise ValueError(
            f"the model was fitted with nominal columns ({', '.join(map(repr, nominal[:5]))}); "
            "pass a frame or a Table to predict, not an array."
        )
    X = _numbers(estimator, X, reset=False)
    cells = X.T
    if len(tree.columns) != len(cells):  # the tree knows only the features that its learner chose
        names = [str(name) for name in getattr(estimator, "feature_names_in_", _places(len(cells)))]
        cells = cells[[names.index(column.name) for column in tree.columns]]
    return Table.from_blocks(tree.columns, cells, np.empty((0, len(X)), dtype=np.int32))
