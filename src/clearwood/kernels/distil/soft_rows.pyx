"""SoftRows: cells, and for each row a weight for each class."""

from cython cimport final
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.agreement import check_range
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
    """

    def __init__(self, numeric, rank, values, n_ranks, nominal, n_values, target, int32_t n_real):
        check_cells(numeric, rank, values, n_ranks, nominal, n_values, len(target))
        check_range("n_real", n_real, 0, len(target) + 1)
        self.n_rows, self.n_classes = target.shape
        self.n_real = n_real
        self.n_numeric, self.n_nominal = len(numeric), len(nominal)
        self.numeric, self.rank, self.values, self.nominal = numeric, rank, values, nominal
        self.n_ranks, self.n_values = n_ranks, n_values
        self.rank_bits = np.array([max(1, int(n).bit_length()) for n in n_ranks], dtype=np.int32)
        self.most_ranks = max(1, max((int(n) for n in n_ranks), default=1))
        self.most_values = 1 + max((int(n) for n in n_values), default=0)
        self.target = target
        row, label = np.nonzero(target > 0)
        self.start = np.searchsorted(row, np.arange(self.n_rows + 1)).astype(np.int32)
        self.label, self.weight = label.astype(np.int32), target[row, label]
        middle, spread = np.zeros(self.n_numeric), np.ones(self.n_numeric)
        for c in range(self.n_numeric):
            known = numeric[c, :n_real][~np.isnan(numeric[c, :n_real])]
            with np.errstate(over="ignore", invalid="ignore"):
                mean, deviation = (known.mean(), known.std()) if len(known) else (0.0, 1.0)
            middle[c] = mean if np.isfinite(mean) else 0.0
            spread[c] = deviation if np.isfinite(deviation) and deviation > 0 else 1.0
        self.middle, self.spread = middle, spread

    def target_sum(self, rows):
        """The class weights of some rows together."""
        return np.asarray(self.target)[rows].sum(axis=0)

    def scales(self):
        """The middle and the spread of each numeric column, which planes standardise cells by."""
        return np.asarray(self.middle), np.asarray(self.spread)
