"""SoftRows: cells, and for each row a weight for each class."""

from cython cimport final
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range
from clearwood.kernels.distil.cell_check import check_cells


@final
cdef class SoftRows:
    """What the search is made on: real rows first, synthetic ones after them.

    Parameters
    ----------
    numeric, rank : arrays (columns, rows) of cells and of their ranks; NaN and -1 where a cell is missing
    values, n_ranks : for each numeric column the value of each rank, and the number of ranks
    nominal, n_values : array (columns, rows) of codes, n_values where a value is missing; and their number by column
    target : array (rows, classes) of weights, none negative
    n_real : how many rows are real; every leaf holds one of them at least
    value_terms : two arrays, nominal columns, ascending, and codes: that they have these values, planes may weigh
    """

    def __init__(self, numeric, rank, values, n_ranks, nominal, n_values, target, int32_t n_real, value_terms=((), ())):
        check_cells(numeric, rank, values, n_ranks, nominal, n_values, len(target))
        column, code = (np.asarray(part, dtype=np.int32) for part in value_terms)
        check_lengths(columns=len(column), codes=len(code))
        check_range("the nominal columns of terms", column, 0, len(nominal))
        if (np.diff(column) < 0).any():
            raise ValueError("the nominal columns of terms must ascend.")
        if (code < 0).any() or (code > np.asarray(n_values)[column]).any():
            raise ValueError("the values of terms must be codes of their columns.")
        self.value_column, self.value_code = column, code
        weighed = self.weighed_of(numeric, nominal)
        check_range("n_real", n_real, 0, len(target) + 1)
        self.n_rows, self.n_classes = target.shape
        self.n_real = n_real
        self.n_numeric, self.n_nominal = len(numeric), len(nominal)
        self.weighed, self.n_weighed = weighed, len(weighed)
        self.numeric, self.rank, self.values, self.nominal = weighed[: len(numeric)], rank, values, nominal
        self.n_ranks, self.n_values = n_ranks, n_values
        self.rank_bits = np.array([max(1, int(n).bit_length()) for n in n_ranks], dtype=np.int32)
        self.most_ranks = max(1, max((int(n) for n in n_ranks), default=1))
        self.most_values = 1 + max((int(n) for n in n_values), default=0)
        self.target = target
        row, label = np.nonzero(target > 0)
        self.start = np.searchsorted(row, np.arange(self.n_rows + 1)).astype(np.int32)
        self.label, self.weight = label.astype(np.int32), target[row, label]
        middle, spread = np.zeros(self.n_weighed), np.ones(self.n_weighed)
        for c in range(self.n_weighed):
            known = weighed[c, :n_real][~np.isnan(weighed[c, :n_real])]
            with np.errstate(over="ignore", invalid="ignore"):
                mean, deviation = (known.mean(), known.std()) if len(known) else (0.0, 1.0)
            middle[c] = mean if np.isfinite(mean) else 0.0
            spread[c] = deviation if np.isfinite(deviation) and deviation > 0 else 1.0
        self.middle, self.spread = middle, spread

    def target_sum(self, rows):
        """The class weights of some rows together."""
        return np.asarray(self.target)[rows].sum(axis=0)

    def scales(self):
        """The middle and the spread of all that planes may weigh, which they standardise cells by."""
        return np.asarray(self.middle), np.asarray(self.spread)

    def weighed_of(self, numeric, nominal):
        """What planes may weigh of some rows: their numbers, and below them 1 or 0 for each value of a term.

        A row whose value is missing has none of them.
        """
        column, code = np.asarray(self.value_column), np.asarray(self.value_code)
        return np.vstack([numeric, nominal[column] == code[:, None]]) if len(column) else numeric

    def real_cells(self):
        """What planes may weigh, of the real rows."""
        return np.asarray(self.weighed)[:, : self.n_real]
