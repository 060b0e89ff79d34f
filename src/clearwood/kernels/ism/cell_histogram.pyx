"""CellHistogram: the rows of a node by the cells of one feature."""

from cython cimport final
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.ism.forest cimport Forest, in_set


@final
cdef class CellHistogram:
    """A cell is the number of thresholds below a value, or the code of a value: all that candidates can tell apart.

    So a row is looked at once for each feature, and not for each candidate. The attributes are described in the .pxd
    file.
    """

    def __init__(self, Forest forest, cells, probability, weights, rows, *, bint by_class):
        self.forest = forest
        self.cells, self.probability, self.weights, self.rows = cells, probability, weights, rows
        self.by_class = by_class
        widest = max(max(np.diff(forest.first_candidate), default=0), max(np.diff(forest.first_value), default=0)) + 1
        self.weight = np.zeros(widest)
        self.class_weight = np.zeros((widest if by_class else 0, forest.n_classes))
        self.total = np.zeros(forest.n_classes)

    cdef int fill(self, int32_t f, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """Take in a feature of the rows from ``start`` to ``end``; the histogram must be empty."""
        cdef Py_ssize_t i
        cdef int32_t cell, row
        self.known = self.gone = 0.0
        for i in range(start, end):
            row = self.rows[i]
            cell = self.cells[f, row]
            if cell < 0:
                self.gone += self.weights[row]
            else:
                self.known += self.weights[row]
                self.weight[cell] += self.weights[row]
        return 0

    cdef int fill_classes(self, int32_t f, Py_ssize_t start, Py_ssize_t end) except -1 nogil:
        """The same by the ensemble's class probabilities too."""
        cdef Py_ssize_t i
        cdef int32_t cell, c, row
        self.fill(f, start, end)
        for c in range(self.forest.n_classes):
            self.total[c] = 0.0
        for i in range(start, end):
            row = self.rows[i]
            cell = self.cells[f, row]
            if cell >= 0:
                for c in range(self.forest.n_classes):
                    self.class_weight[cell, c] += self.weights[row] * self.probability[row, c]
                    self.total[c] += self.weights[row] * self.probability[row, c]
        return 0

    cdef int clear(self, int32_t f) except -1 nogil:
        """Set the cells of a feature back to zero: those of others were never touched."""
        cdef int32_t cell, c, n = self.forest.first_candidate[f + 1] - self.forest.first_candidate[f] + 1
        if self.forest.nominal[f]:
            n = self.forest.first_value[f + 1] - self.forest.first_value[f]
        for cell in range(n):
            self.weight[cell] = 0.0
            if self.by_class:
                for c in range(self.forest.n_classes):
                    self.class_weight[cell, c] = 0.0
        return 0

    cdef double of_set(self, int32_t candidate) except? -1.0 nogil:
        """The weight of the known rows with a value of a set."""
        cdef int32_t f = self.forest.feature_of[candidate], value
        cdef double passed = 0.0
        for value in range(self.forest.first_value[f + 1] - self.forest.first_value[f]):
            if in_set(self.forest, candidate, value):
                passed += self.weight[value]
        return passed
