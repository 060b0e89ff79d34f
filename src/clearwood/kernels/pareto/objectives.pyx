"""Objectives: what is measured of an evaluated tree: its errors, its leaves, and what its tests cost."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t

from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.measures cimport MOST_EXTRAS


@final
cdef class Objectives:
    """The further objectives: for each the prices of the columns, and how they add up."""

    def __init__(self, prices, price_kinds):
        if len(prices) != len(price_kinds) or len(prices) > MOST_EXTRAS:
            raise ValueError(f"there may be up to {MOST_EXTRAS} rows of prices, one for each kind, got {len(prices)}.")
        self.price, self.price_kind = prices, price_kinds
        self.n_extras = len(price_kinds)

    cdef int measure(self, Individuals trees, Py_ssize_t place) except -1 nogil:
        """Set the measures of an evaluated tree."""
        cdef int32_t node, i
        cdef int64_t wrong = 0
        for node in range(trees.genes[place, 0].size):
            if trees.genes[place, node].column < 0:
                wrong += trees.genes[place, node].wrong
        trees.measures[place].wrong = wrong
        trees.measures[place].leaves = (trees.genes[place, 0].size + 1) // 2
        trees.measures[place].n_extras = self.n_extras
        for i in range(self.n_extras):
            if self.price_kind[i] == EACH_COLUMN:
                trees.measures[place].extra[i] = self.price_of_columns(trees, place, i)
            else:
                trees.measures[place].extra[i] = self.price_of_rows(trees, place, i)
        return 0

    cdef double price_of_columns(self, Individuals trees, Py_ssize_t place, int32_t objective) except? -1.0 nogil:
        """The sum of the prices of the columns that are tested, each counted once: at the first node that tests it."""
        cdef int32_t node, before, column
        cdef double total = 0.0
        for node in range(trees.genes[place, 0].size):
            column = trees.genes[place, node].column
            if column >= 0:
                before = 0
                while trees.genes[place, before].column != column:
                    before += 1
                if before == node:
                    total += self.price[objective, column]
        return total

    cdef double price_of_rows(self, Individuals trees, Py_ssize_t place, int32_t objective) except? -1.0 nogil:
        """The mean price of a row's tests; a column that is tested again on the way costs nothing more."""
        cdef int32_t node, above, left, right, column
        cdef bint known
        cdef double total = 0.0
        for node in range(trees.genes[place, 0].size):
            column = trees.genes[place, node].column
            if column < 0:
                continue
            known, above = False, 0
            while above != node and not known:  # from the root down the path to the node
                known = trees.genes[place, above].column == column
                left = above + 1
                right = left + trees.genes[place, left].size
                above = left if node < right else right
            if not known:
                total += self.price[objective, column] * <double>trees.genes[place, node].rows
        return total / <double>trees.genes[place, 0].rows
