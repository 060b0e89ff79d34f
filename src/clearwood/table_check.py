"""What a table's cells, classes and weights must be: kernels read them without a further look."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from clearwood.column import Column

__all__ = [
    "as_block",
    "as_codes",
    "check_blocks",
    "check_cells",
    "check_names",
    "check_present",
    "checked_classes",
    "checked_weights",
]

LEAST_TOTAL, LARGEST_TOTAL = 1e-100, 1e100
"""What the weights of a table may add up to: squares of sums still are numbers."""


def as_block(what: str, block: object, dtype: type) -> np.ndarray:
    """A block of cells as the kernels read it; one that has that form already is not copied."""
    array = np.asarray(block)
    if array.ndim != 2:
        raise ValueError(f"the {what} block must have two dimensions, columns and rows, got {array.ndim}.")
    if array.dtype == dtype:
        return array
    if dtype is np.int32:
        as_codes("the nominal block", array, np.iinfo(np.int32).max)
    return array.astype(dtype)


def as_codes(what: str, cells: object, n_values: int) -> np.ndarray:
    """Codes as 32-bit numbers, looked at before they are cut to that: each is -1 or stands for a value.

    >>> as_codes("y", [0, 2, -1], 3).dtype
    dtype('int32')
    """
    given = np.asarray(cells)
    if given.dtype.kind not in "iub":
        whole = np.asarray(given, dtype=np.float64)
        if not (whole == np.floor(whole)).all():  # NaN is not
            raise ValueError(f"{what} must hold whole numbers as codes, -1 for missing.")
        given = whole
    if given.size and (given.min() < -1 or given.max() >= n_values):
        raise ValueError(f"{what} holds codes outside -1 .. {n_values - 1}.")
    return np.ascontiguousarray(given, dtype=np.int32)


def check_blocks(columns: Sequence[Column], numeric: np.ndarray, nominal: np.ndarray) -> None:
    """Refuse blocks that do not fit the columns or each other."""
    n_nominal = sum(column.is_nominal for column in columns)
    for what, block, wanted in (("numeric", numeric, len(columns) - n_nominal), ("nominal", nominal, n_nominal)):
        if len(block) != wanted:
            raise ValueError(f"the {what} block must have {wanted} rows, one for each column, got {len(block)}.")
    if len(numeric) and len(nominal) and numeric.shape[1] != nominal.shape[1]:
        raise ValueError(
            "both blocks must have the same number of rows of the table, "
            f"got {numeric.shape[1]} numeric and {nominal.shape[1]} nominal."
        )


def check_present(needed: Iterable[str], names: Collection[str]) -> None:
    """Refuse a table whose columns, given by their names, lack some that a tree needs."""
    absent = [name for name in needed if name not in names]
    if absent:
        raise ValueError(
            f"the table lacks {len(absent)} of the tree's columns: {', '.join(map(repr, absent[:5]))}; "
            f"it has {', '.join(map(repr, list(names)[:8])) or 'none'}."
        )


def check_names(columns: Iterable[Column]) -> None:
    """Refuse columns that share a name, and a column that declares a value twice."""
    columns = tuple(columns)
    for column in columns:
        if twice := _repeated(column.declared or ()):
            raise ValueError(
                f"column {column.name!r} declares {', '.join(map(repr, twice[:5]))} twice; values must differ."
            )
    if twice := _repeated(tuple(column.name for column in columns)):
        raise ValueError(f"column names must differ, but {', '.join(map(repr, twice))} occurs more than once.")


def _repeated(words: tuple[str, ...]) -> list[str]:
    return [] if len(set(words)) == len(words) else sorted({w for w in words if words.count(w) > 1})


def check_cells(columns: Iterable[Column], numeric: np.ndarray, nominal: np.ndarray) -> None:
    """Refuse levels and codes that stand for no value of their column."""
    columns = tuple(columns)
    for column, cells in zip((c for c in columns if not c.is_nominal), numeric, strict=True):
        # rows that are drawn by chance may lie between two levels
        if column.levels is not None and np.any((cells < 0) | (cells > len(column.levels) - 1)):
            raise ValueError(f"column {column.name!r} holds levels outside 0 .. {len(column.levels) - 1}.")
    for column, codes in zip((c for c in columns if c.is_nominal), nominal, strict=True):
        as_codes(f"column {column.name!r}", codes, column.n_values)


def checked_classes(target: Column | None, n_rows: int, y: object) -> np.ndarray:
    """The class codes of ``n_rows`` rows, all missing where none are given."""
    if y is None:
        return np.full(n_rows, -1, dtype=np.int32)
    if target is None or target.values is None:
        raise ValueError("class codes need a nominal target column; pass target=Column(name, values).")
    codes = as_codes("y", y, len(target.values))
    if codes.shape != (n_rows,):
        raise ValueError(f"y must hold one class for each of the {n_rows} rows, got shape {codes.shape}.")
    return codes


def checked_weights(n_rows: int, weights: object) -> np.ndarray:
    """The weights of ``n_rows`` rows, all 1 where none are given."""
    if weights is None:
        return np.ones(n_rows)
    array = np.ascontiguousarray(weights, dtype=np.float64)
    if array.shape != (n_rows,):
        raise ValueError(f"weights must hold one number for each of {n_rows} rows, got shape {array.shape}.")
    if not np.isfinite(array).all() or (array < 0).any():
        row = int(np.flatnonzero(~(np.isfinite(array) & (array >= 0)))[0])
        raise ValueError(f"weights must be finite and not negative, got {array[row]} in row {row}.")
    with np.errstate(over="ignore"):
        total = float(array.sum())
    if total > 0 and not LEAST_TOTAL <= total <= LARGEST_TOTAL:  # beyond that sums and products have no bits left
        raise ValueError(
            f"weights must add up to between {LEAST_TOTAL:g} and {LARGEST_TOTAL:g}, got {total:g}; "
            "multiply all of them by one number, such as the one that makes their mean 1."
        )
    return array
