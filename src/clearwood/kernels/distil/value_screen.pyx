"""ValueScreen: among which of very many values a direction is looked for.

Those that discriminate best one by one between the rows of a sample that should be on one side and on the other: by the
squared covariance with the sign, over the variance.
"""

from cython cimport final
from libc.math cimport fabs
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range

cdef int32_t MOST = 32  # a direction takes time with their square


@final
cdef class ValueScreen:
    """Looks through the values that planes may weigh; the attributes are in the .pxd file."""

    def __init__(self, SoftRows data):
        n_terms = data.n_weighed - data.n_numeric
        self.data, self.n_kept = data, min(n_terms, MOST)
        self.score, self.kept = np.zeros(n_terms), np.zeros(n_terms, dtype=np.int32)
        self.held, self.price_held = np.zeros((2, data.most_values))

    def best(self, const int32_t[::1] rows, const double[::1] price):
        """What is kept for some rows, whose prices say by their signs on which side they should be."""
        cdef double total = float(np.abs(price).sum())
        check_lengths(rows=rows.shape[0], price=price.shape[0])
        check_range("rows", rows, 0, self.data.n_rows)
        self.keep_best(rows, price, <int32_t>rows.shape[0], total, float(np.sum(price)) / total)
        return np.array(self.kept[: self.n_kept])

    cdef int keep_best(
        self, const int32_t[::1] rows, const double[::1] price, int32_t n, double total, double balance,
    ) except -1 nogil:
        """Keep the best; ``total`` is the weight of the rows, ``balance`` their mean sign."""
        cdef int32_t j, k, worst, n_terms = self.data.n_weighed - self.data.n_numeric
        for j in range(self.n_kept):
            self.kept[j] = j
        if n_terms == self.n_kept:
            return 0
        self.score_values(rows, price, n, total, balance)
        for j in range(self.n_kept, n_terms):  # the first ones, and then what is better than the worst of them
            worst = 0
            for k in range(1, self.n_kept):
                if self.score[self.kept[k]] <= self.score[self.kept[worst]]:
                    worst = k
            if self.score[j] > self.score[self.kept[worst]]:
                for k in range(worst, self.n_kept - 1):
                    self.kept[k] = self.kept[k + 1]
                self.kept[self.n_kept - 1] = j
        return 0

    cdef int score_values(
        self, const int32_t[::1] rows, const double[::1] price, int32_t n, double total, double balance,
    ) except -1 nogil:
        """Score each value by the rows that have it, a column at a time."""
        cdef int32_t i, k, code, column = -1
        cdef double slope, squares
        for k in range(self.data.value_column.shape[0]):
            if self.data.value_column[k] != column:
                column = self.data.value_column[k]
                for code in range(self.data.n_values[column] + 1):
                    self.held[code] = self.price_held[code] = 0.0
                for i in range(n):
                    code = self.data.nominal[column, rows[i]]
                    self.held[code] += fabs(price[i])
                    self.price_held[code] += price[i]
            code = self.data.value_code[k]
            slope = self.price_held[code] - self.held[code] * balance
            squares = self.held[code] - self.held[code] * self.held[code] / total
            self.score[k] = slope * slope / squares if squares > 1e-9 * total else 0.0
        return 0
