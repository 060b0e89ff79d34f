"""Arrays: a table as the numbers that classifiers of other libraries take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.table import Table

__all__ = ["Encoder", "fit_encoder"]


@dataclass(frozen=True, eq=False)
class Encoder:
    """How a table becomes an array, learned from the training rows only.

    Numeric columns stay as they are; a missing cell is NaN, or the median of the training rows for a learner that
    takes no NaN (0 where all are missing). A nominal column becomes one column of 0 and 1 for each value that occurs
    in the training rows; a missing or new value is 0 in all of them.

    Attributes
    ----------
    medians : array or None
        What fills the numeric columns; None leaves NaN.
    values : tuple of arrays
        For each nominal column the codes that have a column of their own.
    feature : array of int
        For each column of the array the feature of the table that it came from.
    """

    medians: np.ndarray | None
    values: tuple[np.ndarray, ...]
    feature: np.ndarray

    def encode(self, table: Table) -> np.ndarray:
        """The rows of a table, one row of the array for each."""
        numeric = np.array(table.numeric.T, order="C")
        if self.medians is not None:
            row, column = np.nonzero(np.isnan(numeric))
            numeric[row, column] = self.medians[column]
        hot = [codes[:, None] == values[None, :] for codes, values in zip(table.nominal, self.values, strict=True)]
        return np.concatenate([numeric, *hot], axis=1, dtype=np.float64)


def fit_encoder(train: Table, *, keep_missing: bool) -> Encoder:
    """Learn from the training rows how to encode a table; ``keep_missing`` leaves numeric gaps as NaN.

    >>> from clearwood.table import Column
    >>> train = Table([Column("age"), Column("sex", ("f", "m"))], [[20.0, np.nan, 40.0], [1, 0, -1]])
    >>> fit_encoder(train, keep_missing=False).encode(train).tolist()
    [[20.0, 0.0, 1.0], [30.0, 1.0, 0.0], [40.0, 0.0, 0.0]]
    """
    medians = None
    if not keep_missing:
        medians = np.array([_median(cells) for cells in train.numeric])
    values = tuple(np.unique(codes[codes >= 0]) for codes in train.nominal)
    numeric = [i for i, column in enumerate(train.columns) if not column.is_nominal]
    nominal = [i for i, column in enumerate(train.columns) if column.is_nominal]
    feature = np.concatenate([numeric, np.repeat(nominal, [len(v) for v in values])]).astype(np.intp)
    return Encoder(medians, values, feature)


def _median(cells: np.ndarray) -> float:
    known = cells[~np.isnan(cells)]
    return float(np.median(known)) if len(known) else 0.0
