"""ObliqueFinder: the best oblique split as OC1 finds it, by coefficients perturbed in turn, random jumps, restarts."""

from libc.math cimport fabs
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport qsort

import numpy as np

from clearwood.kernels.common.interrupts cimport look_for_interrupt
from clearwood.kernels.common.random_stream cimport RandomStream, below, fraction, random_stream
from clearwood.kernels.oc1.split_impurity cimport NEVER, SplitImpurity

from clearwood.kernels.common.agreement import check_lengths, check_range

cpdef enum Order:
    """In which order coefficients are perturbed."""
    SEQUENTIAL = 0   # in turn
    BEST = 1         # the one that helps most, each time
    RANDOM = 2       # RANDOM_STEPS drawn ones

cdef enum:
    RANDOM_STEPS = 50  # Murthy's R-50


cdef struct Crossing:
    double key      # the value at which a row changes sides
    int32_t row
    int32_t rises   # 1 if it lies above the plane beyond the key, -1 if below


cdef int by_key(const void *a, const void *b) noexcept nogil:
    """By key, then by row: a total order, so that the result does not depend on how the C library sorts."""
    cdef const Crossing *x = <const Crossing *>a
    cdef const Crossing *y = <const Crossing *>b
    if x.key != y.key:
        return -1 if x.key < y.key else 1
    return -1 if x.row < y.row else x.row > y.row


cdef class ObliqueFinder:
    """Scratch and settings for the splits of one tree.

    ``x`` holds the cells, one row for each feature, of similar size; the last coefficient is that of a
    constant 1. A row lies above a plane where the sum is greater than 0.

    A plane is bettered along a line: one coefficient changes, or all of them in a fixed direction. Each row then
    changes sides once at most, where its sum is 0; sorted by where that is, the rows are passed one by one, and the
    impurity is known in every gap: the best point of the line, exactly, in n log n steps.
    """
    cdef const double[:, ::1] x
    cdef const int32_t[::1] y
    cdef const double[::1] weights
    cdef int32_t n_features, n_restarts, n_jumps, order
    cdef SplitImpurity sides
    cdef double[::1] height             # by place among the rows: the sum at the plane in hand
    cdef double[::1] found              # the plane in hand
    cdef double[::1] best               # the best so far
    cdef double[::1] direction          # of a jump
    cdef Crossing[::1] crossings
    cdef double where                   # the best point of the last sweep
    cdef RandomStream random
    cdef Py_ssize_t steps               # since the last look whether the user has pressed Ctrl-C

    def __init__(
        self, x, y, weights, int32_t n_classes, int32_t measure, int32_t n_restarts, int32_t n_jumps,
        int32_t order=SEQUENTIAL,
    ):
        check_lengths(y=len(y), weights=len(weights), **({"cells": x.shape[1]} if len(x) else {}))
        check_range("y", y, -1, n_classes)
        self.x, self.y, self.weights = x, y, weights
        self.n_features = len(x)
        self.n_restarts, self.n_jumps, self.order = n_restarts, n_jumps, order
        self.sides = SplitImpurity(n_classes, measure)
        self.height = np.zeros(len(y))
        self.found, self.best, self.direction = np.zeros((3, self.n_features + 1))
        self.crossings = np.zeros(len(y), dtype=[("key", "f8"), ("row", "i4"), ("rises", "i4")])

    cdef double sweep(self, int32_t n) except? -1.0 nogil:
        """Pass n crossings in order; return the least impurity in a gap, whose middle goes to ``where``.

        ``sides`` must hold the counts before the first crossing, and hold those before the last one afterwards.
        """
        cdef int32_t i, row, label
        cdef double least = NEVER, value, weight, middle
        if n < 1:  # no row changes sides
            return least
        look_for_interrupt(&self.steps, n * (16 + <Py_ssize_t>self.sides.n_classes))
        qsort(&self.crossings[0], n, sizeof(Crossing), &by_key)
        for i in range(n - 1):
            row = self.crossings[i].row
            label, weight = self.y[row], self.weights[row] * self.crossings[i].rises
            self.sides.above[label] += weight
            self.sides.below[label] -= weight
            if self.crossings[i + 1].key > self.crossings[i].key:
                value = self.sides.value()
                middle = self.crossings[i].key / 2.0 + self.crossings[i + 1].key / 2.0
                if value < least and middle - middle == 0.0:  # a row that the line hardly moves crosses at infinity
                    least = value
                    self.where = middle
        return least

    cdef double evaluate(self, const int32_t[::1] rows) except? -1.0 nogil:
        """Set the heights of the rows over the plane ``found``; return the impurity of its split."""
        cdef int32_t i, k
        cdef double total
        self.sides.clear()
        for i in range(<int32_t>rows.shape[0]):
            total = self.found[self.n_features]
            for k in range(self.n_features):
                total += self.found[k] * self.x[k, rows[i]]
            self.height[i] = total
            if total > 0.0:
                self.sides.above[self.y[rows[i]]] += self.weights[rows[i]]
            else:
                self.sides.below[self.y[rows[i]]] += self.weights[rows[i]]
        return self.sides.value()

    cdef double axis_parallel(self, const int32_t[::1] rows) except? -1.0 nogil:
        """Put the best axis-parallel plane into ``best``; returns its impurity."""
        cdef int32_t i, k, f, n = <int32_t>rows.shape[0]
        cdef double least = NEVER, value
        for k in range(self.n_features):
            self.sides.clear()
            for i in range(n):  # x - t > 0: all rows are above at first, and fall below as t passes their cells
                self.crossings[i].key, self.crossings[i].row = self.x[k, rows[i]], rows[i]
                self.crossings[i].rises = -1
                self.sides.above[self.y[rows[i]]] += self.weights[rows[i]]
            value = self.sweep(n)
            if value < least:
                least = value
                for f in range(self.n_features + 1):
                    self.best[f] = 0.0
                self.best[k], self.best[self.n_features] = 1.0, -self.where
        return least

    cdef double try_coefficient(self, const int32_t[::1] rows, int32_t k) except? -1.0 nogil:
        """The impurity with the best value for one coefficient while the others stay; the value goes to ``where``."""
        cdef int32_t i, n = 0
        self.sides.clear()
        for i in range(<int32_t>rows.shape[0]):
            n = self.cross(i, rows[i], n, 1.0 if k == self.n_features else self.x[k, rows[i]], self.found[k])
        return self.sweep(n)

    cdef int32_t cross(self, int32_t i, int32_t row, int32_t n, double slope, double start) except -1 nogil:
        """Note on which side a row is before the sweep, and at which value it will change sides, if it ever does.

        At value v of the line the row's sum is height + slope (v - start), which is 0 at start - height / slope
        (Murthy's U). Returns the number of crossings, this one included.
        """
        cdef bint above = self.height[i] > 0.0
        if slope != 0.0:
            above = slope < 0.0
            self.crossings[n].key, self.crossings[n].row = start - self.height[i] / slope, row
            self.crossings[n].rises = -1 if above else 1
            n += 1
        if above:
            self.sides.above[self.y[row]] += self.weights[row]
        else:
            self.sides.below[self.y[row]] += self.weights[row]
        return n

    cdef double perturb(self, const int32_t[::1] rows, double current) except? -1.0 nogil:
        """Perturb coefficients, in the order that was asked for, until that no longer helps; return the impurity.

        Where a plane is as good as the one in hand it is moved to with the chance ``move``, which falls by a tenth each
        time and is 1 again after a gain, as in OC1: so plateaus are crossed, and left.
        """
        cdef int32_t k = 0, idle = 0, tries = 0, taken
        cdef double value, move = 1.0
        while idle <= self.n_features and current > 1e-12:
            if self.order == BEST:
                k = self.best_coefficient(rows)
            elif self.order == RANDOM:
                k = below(&self.random, self.n_features + 1)
            value = self.try_coefficient(rows, k)
            taken = self.accepts(value, current, &move)
            if taken:
                self.set_coefficient(rows, k)
                current = value
            if self.order == SEQUENTIAL:  # idle: the coefficients that were tried in vain since the last gain
                idle = 0 if taken == 2 else idle + 1
                k = (k + 1) % (self.n_features + 1)
            elif self.order == BEST:
                idle = 0 if taken else self.n_features + 1
            else:
                tries += 1
                idle = 0 if tries < RANDOM_STEPS else self.n_features + 1
        return current

    cdef int32_t accepts(self, double value, double current, double *move) except -1 nogil:
        """Whether a plane takes the place of the one in hand: 2 if it is better, 1 if equal and by chance, else 0."""
        if value < current - 1e-12 * fabs(current):
            move[0] = 1.0
            return 2
        if value <= current + 1e-12 * fabs(current) and value < NEVER and fraction(&self.random) < move[0]:
            move[0] -= 0.1
            return 1
        return 0

    cdef int32_t best_coefficient(self, const int32_t[::1] rows) except -1 nogil:
        """The coefficient whose best value leaves the least impurity; of equals the first."""
        cdef int32_t k, found = 0
        cdef double value, least = NEVER
        for k in range(self.n_features + 1):
            value = self.try_coefficient(rows, k)
            if value < least:
                least, found = value, k
        return found

    cdef int set_coefficient(self, const int32_t[::1] rows, int32_t k) except -1 nogil:
        """Give a coefficient the value that was found best, and the rows their new heights."""
        cdef int32_t i
        cdef double change = self.where - self.found[k]
        self.found[k] = self.where
        for i in range(<int32_t>rows.shape[0]):
            self.height[i] += change * (1.0 if k == self.n_features else self.x[k, rows[i]])
        return 0

    cdef bint jump(self, const int32_t[::1] rows, double current) except -1 nogil:
        """Move the plane in a random direction, as far as is best; whether that lowers the impurity."""
        cdef int32_t i, k, n = 0
        cdef double value, slope
        for k in range(self.n_features + 1):
            self.direction[k] = 2.0 * fraction(&self.random) - 1.0
        self.sides.clear()
        for i in range(<int32_t>rows.shape[0]):
            slope = self.direction[self.n_features]
            for k in range(self.n_features):
                slope += self.direction[k] * self.x[k, rows[i]]
            n = self.cross(i, rows[i], n, slope, 0.0)
        value = self.sweep(n)
        if value >= current - 1e-12 * fabs(current):
            return False
        for k in range(self.n_features + 1):
            self.found[k] += self.where * self.direction[k]
        return True

    cdef double find(self, const int32_t[::1] rows, bint oblique) except? -1.0 nogil:
        """The best split of some rows, in ``best``; returns its impurity."""
        cdef int32_t r, k, jumps
        cdef double least = self.axis_parallel(rows), current
        if not oblique or least <= 1e-12:
            return least
        for r in range(self.n_restarts):
            for k in range(self.n_features + 1):
                self.found[k] = self.best[k] if r == 0 else 2.0 * fraction(&self.random) - 1.0
            current = self.perturb(rows, self.evaluate(rows))
            jumps = 0
            while jumps < self.n_jumps and current > 1e-12:  # so many in vain end the search from this start
                jumps += 1
                if self.jump(rows, current):
                    jumps = 0
                    current = self.perturb(rows, self.evaluate(rows))
            if current < least - 1e-12 * fabs(least):
                least = current
                for k in range(self.n_features + 1):
                    self.best[k] = self.found[k]
            if least <= 1e-12:
                break
        return least

    def split(self, const int32_t[::1] rows, bint oblique, uint64_t seed, uint64_t node):
        """Impurity and coefficients of the best split of some rows; (None, None) where nothing parts them."""
        check_range("rows", rows, 0, self.y.shape[0])
        cdef double least
        with nogil:
            self.random = random_stream(seed, node, 0)
            self.sides.number(self.y, self.weights, rows)
            least = self.find(rows, oblique)
        return (None, None) if least >= NEVER else (least, np.array(self.best))
