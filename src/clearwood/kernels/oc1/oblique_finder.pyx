"""Find an oblique split as OC1 does: coefficients perturbed in turn, random jumps, restarts."""

from libc.math cimport fabs, log
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport qsort

import numpy as np

from clearwood.kernels.common.random_stream cimport RandomStream, fraction, random_stream

cdef extern from *:
    """
    #define CW_NEVER 1e300
    """
    const double NEVER "CW_NEVER"  # worse than any split

cdef struct Item:
    double key
    double weight
    int32_t label
    int32_t rises  # 1 if the row lies above the plane beyond the key, -1 if below


cdef int by_key(const void* a, const void* b) noexcept nogil:
    cdef double x = (<const Item*>a).key, y = (<const Item*>b).key
    if x < y:
        return -1
    return x > y


cdef class ObliqueFinder:
    """Scratch and settings for the splits of one tree.

    ``x`` holds the cells, one row for each feature, of similar size; the last coefficient is that of a
    constant 1. A row lies above a plane where the sum is greater than 0.
    """
    cdef const double[:, ::1] x
    cdef const int32_t[::1] y
    cdef const double[::1] weights
    cdef int32_t n_features, n_classes, measure, n_restarts, n_jumps
    cdef double[::1] above, below_plane, height, found, best, direction
    cdef Item[::1] items
    cdef RandomStream random

    def __init__(self, x, y, weights, int32_t n_classes, int32_t measure, int32_t n_restarts, int32_t n_jumps):
        self.x, self.y, self.weights = x, y, weights
        self.n_features, self.n_classes = len(x), n_classes
        self.measure, self.n_restarts, self.n_jumps = measure, n_restarts, n_jumps
        self.above, self.below_plane = np.zeros((2, n_classes))
        self.height = np.zeros(len(y))
        self.found, self.best, self.direction = np.zeros((3, self.n_features + 1))
        self.items = np.zeros(len(y), dtype=[("key", "f8"), ("weight", "f8"), ("label", "i4"), ("rises", "i4")])

    cdef double impurity(self) noexcept nogil:
        """The impurity of the split into ``above`` and ``below_plane``, to be minimised."""
        cdef double n = 0.0, m = 0.0, total = 0.0, one, two, mean_one = 0.0, mean_two = 0.0
        cdef double most_one = 0.0, most_two = 0.0
        cdef int32_t c
        for c in range(self.n_classes):
            n += self.above[c]
            m += self.below_plane[c]
        if n <= 1e-12 or m <= 1e-12:
            return NEVER
        if self.measure == 0:  # twoing, as a reciprocal
            for c in range(self.n_classes):
                total += fabs(self.above[c] / n - self.below_plane[c] / m)
            total = n / (n + m) * (m / (n + m)) * total * total
            return 1.0 / total if total > 1e-12 else NEVER
        for c in range(self.n_classes):
            one, two = self.above[c], self.below_plane[c]
            if self.measure == 1:  # entropy after the split: its complement is the information gain
                if one > 0.0:
                    total -= one * log(one / n)
                if two > 0.0:
                    total -= two * log(two / m)
            elif self.measure == 2:  # Gini
                total -= one * one / n + two * two / m
            elif self.measure == 5:
                mean_one += c * one / n
                mean_two += c * two / m
            most_one, most_two = max(most_one, one), max(most_two, two)
        if self.measure == 1:
            return total
        if self.measure == 2:
            return total + n + m
        if self.measure == 3:  # max minority
            return max(n - most_one, m - most_two)
        if self.measure == 4:  # sum minority
            return n - most_one + m - most_two
        for c in range(self.n_classes):  # sum of variances of the classes' numbers
            total += self.above[c] * (c - mean_one) * (c - mean_one)
            total += self.below_plane[c] * (c - mean_two) * (c - mean_two)
        return total

    cdef double sweep(self, int32_t n, double* where) noexcept nogil:
        """Sort n items and pass them one by one; the least impurity in a gap, and the middle of that gap.

        ``above`` and ``below_plane`` must hold the counts before the first key.
        """
        cdef int32_t i
        cdef double least = NEVER, value
        qsort(&self.items[0], n, sizeof(Item), &by_key)
        for i in range(n - 1):
            if self.items[i].rises > 0:
                self.above[self.items[i].label] += self.items[i].weight
                self.below_plane[self.items[i].label] -= self.items[i].weight
            else:
                self.above[self.items[i].label] -= self.items[i].weight
                self.below_plane[self.items[i].label] += self.items[i].weight
            if self.items[i + 1].key > self.items[i].key:
                value = self.impurity()
                if value < least:
                    least = value
                    where[0] = self.items[i].key / 2.0 + self.items[i + 1].key / 2.0
        return least

    cdef int clear(self) noexcept nogil:
        cdef int32_t c
        for c in range(self.n_classes):
            self.above[c] = self.below_plane[c] = 0.0
        return 0

    cdef double measured(self, const int32_t[::1] rows) noexcept nogil:
        """Set the heights of the rows over the plane ``found``; return the impurity of its split."""
        cdef int32_t i, k
        cdef double total
        self.clear()
        for i in range(<int32_t>rows.shape[0]):
            total = self.found[self.n_features]
            for k in range(self.n_features):
                total += self.found[k] * self.x[k, rows[i]]
            self.height[i] = total
            if total > 0.0:
                self.above[self.y[rows[i]]] += self.weights[rows[i]]
            else:
                self.below_plane[self.y[rows[i]]] += self.weights[rows[i]]
        return self.impurity()

    cdef double axis_parallel(self, const int32_t[::1] rows) noexcept nogil:
        """Put the best axis-parallel plane into ``best``."""
        cdef int32_t i, k, f, n = <int32_t>rows.shape[0]
        cdef double least = NEVER, value, where = 0.0
        for k in range(self.n_features):
            self.clear()
            for i in range(n):
                self.items[i].key, self.items[i].weight = self.x[k, rows[i]], self.weights[rows[i]]
                self.items[i].label, self.items[i].rises = self.y[rows[i]], -1
                self.above[self.y[rows[i]]] += self.weights[rows[i]]
            value = self.sweep(n, &where)
            if value < least:
                least = value
                for f in range(self.n_features + 1):
                    self.best[f] = 0.0
                self.best[k], self.best[self.n_features] = 1.0, -where
        return least

    cdef double try_coefficient(self, const int32_t[::1] rows, int32_t k, double* where) noexcept nogil:
        """The best value for one coefficient while the others stay, and the impurity that it gives."""
        cdef int32_t i, n = 0
        self.clear()
        for i in range(<int32_t>rows.shape[0]):
            n = self.put(i, rows[i], n, 1.0 if k == self.n_features else self.x[k, rows[i]], self.found[k])
        return self.sweep(n, where)

    cdef int32_t put(self, int32_t i, int32_t row, int32_t n, double slope, double start) noexcept nogil:
        """Note on which side a row is before the sweep, and at which value it will change sides, if it ever does."""
        cdef bint above = self.height[i] > 0.0
        if slope != 0.0:
            above = slope < 0.0
            self.items[n].key, self.items[n].weight = start - self.height[i] / slope, self.weights[row]
            self.items[n].label, self.items[n].rises = self.y[row], -1 if above else 1
            n += 1
        if above:
            self.above[self.y[row]] += self.weights[row]
        else:
            self.below_plane[self.y[row]] += self.weights[row]
        return n

    cdef double perturb(self, const int32_t[::1] rows, double current) noexcept nogil:
        """Perturb the coefficients in turn until none of them lowers the impurity; return it."""
        cdef int32_t k, i, idle = 0
        cdef double value, where = 0.0, move = 1.0, change
        k = 0
        while idle <= self.n_features and current > 1e-12:
            value = self.try_coefficient(rows, k, &where)
            idle += 1
            if value < current - 1e-12 * fabs(current):
                idle, move = 0, 1.0
            elif value <= current + 1e-12 * fabs(current) and value < NEVER and fraction(&self.random) < move:
                move -= 0.1  # a plane as good as this one: moved to, less and less often
            else:
                k = (k + 1) % (self.n_features + 1)
                continue
            change = where - self.found[k]
            self.found[k] = where
            for i in range(<int32_t>rows.shape[0]):
                self.height[i] += change * (1.0 if k == self.n_features else self.x[k, rows[i]])
            current = value
            k = (k + 1) % (self.n_features + 1)
        return current

    cdef bint jump(self, const int32_t[::1] rows, double current) noexcept nogil:
        """Move the plane in a random direction, as far as is best; whether that lowers the impurity."""
        cdef int32_t i, k, n = 0
        cdef double value, where = 0.0, slope
        for k in range(self.n_features + 1):
            self.direction[k] = 2.0 * fraction(&self.random) - 1.0
        self.clear()
        for i in range(<int32_t>rows.shape[0]):
            slope = self.direction[self.n_features]
            for k in range(self.n_features):
                slope += self.direction[k] * self.x[k, rows[i]]
            n = self.put(i, rows[i], n, slope, 0.0)
        value = self.sweep(n, &where)
        if value >= current - 1e-12 * fabs(current):
            return False
        for k in range(self.n_features + 1):
            self.found[k] += where * self.direction[k]
        return True

    cdef double find(self, const int32_t[::1] rows, bint oblique) noexcept nogil:
        """The best split of some rows, in ``best``; returns its impurity."""
        cdef int32_t r, k, jumps
        cdef double least = self.axis_parallel(rows), current
        if not oblique or least <= 1e-12:
            return least
        for r in range(self.n_restarts):
            for k in range(self.n_features + 1):
                self.found[k] = self.best[k] if r == 0 else 2.0 * fraction(&self.random) - 1.0
            current = self.perturb(rows, self.measured(rows))
            jumps = 0
            while jumps < self.n_jumps and current > 1e-12:
                jumps += 1
                if self.jump(rows, current):
                    jumps = 0
                    current = self.perturb(rows, self.measured(rows))
            if current < least - 1e-12 * fabs(least):
                least = current
                for k in range(self.n_features + 1):
                    self.best[k] = self.found[k]
            if least <= 1e-12:
                break
        return least

    def split(self, const int32_t[::1] rows, bint oblique, uint64_t seed, uint64_t node):
        """Impurity and coefficients of the best split of some rows; (None, None) where nothing parts them."""
        cdef double least
        with nogil:
            self.random = random_stream(seed, node, 0)
            least = self.find(rows, oblique)
        return (None, None) if least >= NEVER else (least, np.array(self.best))
