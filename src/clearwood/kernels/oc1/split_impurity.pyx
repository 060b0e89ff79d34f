"""SplitImpurity: the classes on the two sides of a plane, and how impure they are."""

from cython cimport final
from libc.math cimport fabs, log
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths


@final
cdef class SplitImpurity:
    """Class weights above and below, which the finder moves row by row, and one of the measures.

    A measure is formed anew from the class weights in each gap, so that it costs as many steps as there are classes and
    carries no rounding from gap to gap. ``log`` is the C library's: entropies may differ in the last bit between
    machines. All other measures are made of exact or correctly rounded operations.
    """

    def __init__(self, int32_t n_classes, int32_t measure):
        if measure not in set(Impurity):
            raise ValueError(f"measure must be one of {list(Impurity)}, got {measure}.")
        self.n_classes, self.measure = n_classes, measure
        self.above, self.below = np.zeros((2, n_classes))
        self.by_frequency, self.place = np.zeros((2, n_classes), dtype=np.int32)

    cdef int clear(self) except -1 nogil:
        """Leave both sides empty."""
        cdef int32_t c
        for c in range(self.n_classes):
            self.above[c] = self.below[c] = 0.0
        return 0

    cdef int number(self, const int32_t[::1] y, const double[::1] weights, const int32_t[::1] rows) except -1 nogil:
        """Number the classes by their weight among some rows, the heaviest first; of equals the one that is met first.

        The sum of variances takes these numbers for the classes, as Murthy does, so that it does not depend on how
        labels are spelt or sorted.
        """
        cdef int32_t found = 0, c
        cdef Py_ssize_t i
        self.clear()
        for c in range(self.n_classes):
            self.place[c] = -1
        for i in range(rows.shape[0]):
            c = y[rows[i]]
            if self.place[c] < 0:
                self.place[c] = found
                self.by_frequency[found] = c
                found += 1
            self.above[c] += weights[rows[i]]
        for c in range(self.n_classes):  # those without a row come last, and count for nothing
            if self.place[c] < 0:
                self.by_frequency[found] = c
                found += 1
        return self.sort_by_weight_above()

    cdef int sort_by_weight_above(self) except -1 nogil:
        """Sort ``by_frequency`` by the weights above, the heaviest first; by insertion, so equals stay in order."""
        cdef int32_t i, j, c
        for i in range(1, self.n_classes):
            c, j = self.by_frequency[i], i
            while j > 0 and self.above[self.by_frequency[j - 1]] < self.above[c]:
                self.by_frequency[j] = self.by_frequency[j - 1]
                j -= 1
            self.by_frequency[j] = c
        return 0

    cdef double value(self) except? -1.0 nogil:
        """The impurity of the split, to be minimised; NEVER where a side is empty or nothing is told apart."""
        cdef double n = 0.0, m = 0.0, total = 0.0, one, two, mean_one = 0.0, mean_two = 0.0
        cdef double most_one = 0.0, most_two = 0.0
        cdef int32_t c, i
        for c in range(self.n_classes):
            n += self.above[c]
            m += self.below[c]
        if n <= 1e-12 or m <= 1e-12:
            return NEVER
        if self.measure == TWOING:  # p q (sum of |shares above - shares below|)**2, to be maximised
            for c in range(self.n_classes):
                total += fabs(self.above[c] / n - self.below[c] / m)
            total = n / (n + m) * (m / (n + m)) * total * total
            return 1.0 / total if total > 1e-12 else NEVER
        for c in range(self.n_classes):
            one, two = self.above[c], self.below[c]
            if self.measure == ENTROPY:
                if one > 0.0:
                    total -= one * log(one / n)
                if two > 0.0:
                    total -= two * log(two / m)
            elif self.measure == GINI:
                total -= one * one / n + two * two / m
            most_one, most_two = max(most_one, one), max(most_two, two)
        if self.measure == ENTROPY:
            return total
        if self.measure == GINI:
            return total + n + m
        if self.measure == MAX_MINORITY:
            return max(n - most_one, m - most_two)
        if self.measure == SUM_MINORITY:
            return n - most_one + m - most_two
        for i in range(self.n_classes):  # in the order of the numbers, so that sums are rounded alike for all labels
            c = self.by_frequency[i]
            mean_one += i * self.above[c] / n
            mean_two += i * self.below[c] / m
        for i in range(self.n_classes):
            c = self.by_frequency[i]
            total += self.above[c] * (i - mean_one) * (i - mean_one)
            total += self.below[c] * (i - mean_two) * (i - mean_two)
        return total


def impurity(int32_t measure, above, below):
    """The impurity of a split, from the class weights of its two sides; None where :meth:`value` says NEVER."""
    check_lengths(above=len(above), below=len(below))
    cdef SplitImpurity sides = SplitImpurity(<int32_t>len(above), measure)
    sides.above, sides.by_frequency = np.array(above, dtype=float) + below, np.arange(len(above), dtype=np.int32)
    sides.sort_by_weight_above()
    sides.above, sides.below = np.array(above, dtype=float), np.array(below, dtype=float)
    cdef double found = sides.value()
    return None if found >= NEVER else found
