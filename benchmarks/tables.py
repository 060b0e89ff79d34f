"""The data that the benchmarks learn from: generated, or shipped by scikit-learn, or found in the data folder."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from clearwood import Column, Table, datasets


class Arrays(NamedTuple):
    """What both contestants are given: float64 cells, row by row, and class codes."""

    name: str
    X: np.ndarray
    y: np.ndarray

    @property
    def size(self) -> str:
        """Rows × columns, as people write it."""
        return f"{self.X.shape[0]:,} × {self.X.shape[1]}"


@lru_cache(maxsize=1)
def two_classes(n_rows: int, n_columns: int) -> Arrays:
    """Half of the columns tell the classes apart, the others are noise, and 5 % of the classes are wrong."""
    from sklearn.datasets import make_classification

    informative = max(2, n_columns // 2)
    X, y = make_classification(n_rows, n_columns, n_informative=informative, n_redundant=0, flip_y=0.05, random_state=0)
    return Arrays("generated", X, y)


def iris() -> Arrays:
    """150 × 4, three classes."""
    from sklearn.datasets import load_iris

    return Arrays("iris", *load_iris(return_X_y=True))


def letters(n_rows: int | None = None) -> Arrays:
    """20,000 × 16 with 26 classes: the letter data, or generated columns of small integers where it is absent."""
    from sklearn.datasets import make_classification

    if datasets.find("letter") is not None:
        table = datasets.load("letter")
        return Arrays("letter", np.ascontiguousarray(table.numeric.T)[:n_rows], np.array(table.y[:n_rows]))
    X, y = make_classification(
        n_rows or 20_000, 16, n_informative=12, n_redundant=4, n_classes=26, n_clusters_per_class=1, random_state=0
    )
    low, high = X.min(axis=0), X.max(axis=0)
    return Arrays("like letter", np.rint(15 * (X - low) / (high - low)), y)


def as_table(data: Arrays) -> Table:
    """The same cells as a Table."""
    n_rows, n_columns = data.X.shape
    classes = tuple(str(c) for c in range(int(data.y.max()) + 1))
    numeric = np.array(data.X.T, order="C")  # a copy, so that the arrays can go
    columns = [Column(f"x{i}") for i in range(n_columns)]
    nominal = np.empty((0, n_rows), dtype=np.int32)
    return Table.from_blocks(columns, numeric, nominal, target=Column("class", classes), y=data.y, name=data.name)


def heart() -> Table | None:
    """The first 270 rows of heart-c (13 columns, numeric and nominal, two classes), or None where it is absent."""
    return datasets.load("heart-c").take(np.arange(270)) if datasets.find("heart-c") is not None else None


def heart_as_numbers() -> Table | None:
    """270 complete rows of heart-c with every column a number, which is how the Statlog collection gives them."""
    table = heart()
    if table is None:
        return None
    cells = as_numbers(datasets.load("heart-c"))
    complete = np.flatnonzero(~np.isnan(cells).any(axis=1))[:270]
    y = datasets.load("heart-c").y[complete]
    return as_table(Arrays("heart as numbers", cells[complete], y))


def as_numbers(table: Table) -> np.ndarray:
    """A table's features as one float64 array, nominal cells by their codes, missing ones NaN."""
    cells = np.empty((table.n_rows, table.n_features))
    for i, column in enumerate(table.columns):
        values = table.column(i)
        cells[:, i] = np.where(values < 0, np.nan, values) if column.is_nominal else values
    return cells
