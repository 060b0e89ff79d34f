"""TermScreen: of all that planes may weigh, what a direction is looked for among.

All numbers and values, where they are not too many; else those that discriminate best one by one between the rows of a
sample that should be on one side and on the other: by the squared covariance with the sign, over the variance.
"""

from cython cimport final
from libc.math cimport fabs, isfinite
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range

cdef enum:
    MOST = 64
    MOST_VALUES = 32
MOST_NUMBERS = MOST
"""Numbers that one direction is looked for among, beside 32 values: its time grows with the square."""


@final
cdef class TermScreen:
    """Looks through what may be weighed of some rows; the attributes are in the .pxd file."""

    def __init__(self, SoftRows data):
        cdef int32_t p = data.n_weighed
        self.data = data
        self.n_numbers = min(data.n_numeric, MOST)
        self.n_kept = self.n_numbers + min(p - data.n_numeric, MOST_VALUES)
        self.score, self.kept = np.zeros(p), np.zeros(p, dtype=np.int32)
        self.held, self.price_held = np.zeros((2, data.most_values))

    def best(self, const double[:, ::1] scaled, const int32_t[::1] rows, const double[::1] price):
        """What is kept for some rows, whose prices say by their signs on which side they should be."""
        cdef double total = float(np.abs(price).sum())
        check_lengths(weighed=scaled.shape[0], columns=self.data.n_weighed)
        check_lengths(rows=rows.shape[0], price=price.shape[0])
        check_range("rows", rows, 0, min(self.data.n_rows, scaled.shape[1]))
        self.keep_best(scaled, rows, price, <int32_t>rows.shape[0], total, float(np.sum(price)) / total)
        return np.array(self.kept[: self.n_kept])

    cdef int keep_best(
        self, const double[:, ::1] scaled, const int32_t[::1] rows, const double[::1] price, int32_t n, double total,
        double balance,
    ) except -1 nogil:
        """Keep the best numbers and values; ``total`` is the weight of the rows, ``balance`` their mean sign."""
        cdef int32_t i, j, n_numeric = self.data.n_numeric, p = self.data.n_weighed
        cdef double size, cell, mean, squares, slope
        if n_numeric > self.n_numbers:
            for j in range(n_numeric):
                mean = squares = slope = 0.0
                for i in range(n):
                    size, cell = fabs(price[i]), scaled[j, rows[i]]
                    if isfinite(cell):
                        mean += size * cell
                        squares += size * cell * cell
                        slope += price[i] * cell
                self.score[j] = score_of(slope - mean * balance, squares - mean * mean / total, total)
        if p - n_numeric > self.n_kept - self.n_numbers:
            self.score_values(rows, price, n, total, balance)
        self.keep_range(0, self.n_numbers, 0, n_numeric)
        self.keep_range(self.n_numbers, self.n_kept, n_numeric, p)
        return 0

    cdef int score_values(
        self, const int32_t[::1] rows, const double[::1] price, int32_t n, double total, double balance,
    ) except -1 nogil:
        """Score each value by the rows that have it, a column at a time."""
        cdef int32_t i, k, code, column = -1
        cdef double held
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
            held = self.held[code]
            self.score[self.data.n_numeric + k] = score_of(
                self.price_held[code] - held * balance, held - held * held / total, total
            )
        return 0

    cdef int keep_range(self, int32_t begin, int32_t end, int32_t first, int32_t last) except -1 nogil:
        """Fill a part of the list with the best from first to before last: the first ones, and then what is better."""
        cdef int32_t j, k, worst
        for j in range(first, last):
            if j - first < end - begin:
                self.kept[begin + j - first] = j
                continue
            worst = begin
            for k in range(begin + 1, end):
                if self.score[self.kept[k]] <= self.score[self.kept[worst]]:
                    worst = k
            if self.score[j] > self.score[self.kept[worst]]:
                for k in range(worst, end - 1):
                    self.kept[k] = self.kept[k + 1]
                self.kept[end - 1] = j
        return 0

    cdef int32_t place_of(self, int32_t feature) noexcept nogil:
        """Where a feature stands among those kept; -1 if it is not."""
        cdef int32_t k
        for k in range(self.n_kept):
            if self.kept[k] == feature:
                return k
        return -1


cdef double score_of(double slope, double squares, double total) noexcept nogil:
    return slope * slope / squares if squares > 1e-9 * total else 0.0
