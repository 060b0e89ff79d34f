"""ColumnBoard: for each of some trees the node whose best test is looked for, and what each column has to offer."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from clearwood.kernels.common.atomics cimport add_to, load, store
from clearwood.kernels.common.random_stream cimport RandomStream, below, random_bits, random_stream
from clearwood.kernels.common.team cimport Team
from clearwood.kernels.pareto.best_test cimport FAR, BestTest

cdef enum:  # what is kept of a column's best test; see BestTest
    ERROR = 0
    N_EQUAL = 1
    COLUMN = 2
    TEST = 3
    MASK = 4
    MISSING = 5
    IS_ONE_OF_MANY = 6
    MANY_LAST = 7
    NUMBER = 8
    MANY_DRAW = 9

cdef enum:
    APART = 16  # numbers of a place, or column: a cache line is not written by two threads

cdef int64_t LOW_HALF = (<int64_t>1 << 32) - 1


@final
cdef class ColumnBoard:
    """The attributes are described in the .pxd file.

    Whoever improves a tree opens its place; every thread that has nothing else to do claims columns of places that are
    open. The owner waits until all columns are done, and chooses. What it chooses does not depend on who did what, and
    when: all tests with the fewest errors are counted in any case, and each has the same chance.

    Parameters
    ----------
    n_places : int
    n_columns : int
        Those that can part rows.
    n_words, n_classes : int
        The length of a bitset of rows, and of weights by class; 0 where nobody helps.
    """

    def __init__(self, Py_ssize_t n_places, Py_ssize_t n_columns, Py_ssize_t n_words=0, Py_ssize_t n_classes=0):
        self.n_columns = n_columns
        self.rows = np.zeros((n_places, n_words), dtype=np.uint64)
        self.wrong = np.zeros((n_places, 2, n_words), dtype=np.uint64)
        self.weights = np.zeros((n_places, n_classes), dtype=np.int64)
        self.news = np.zeros(2 * APART, dtype=np.int64)
        self.numbers = np.zeros((n_places, APART), dtype=np.int64)
        self.found = np.zeros((n_places, n_columns, APART), dtype=np.int64)
        np.asarray(self.numbers)[:, CLAIMED] = n_columns

    cdef int open(self, Py_ssize_t place, int64_t bound, RandomStream *random, Team team) except -1 nogil:
        """Let columns be claimed for a node, to find tests that make no more errors than a bound."""
        cdef int64_t times = load(&self.numbers[place, CLAIMED]) >> 32
        self.numbers[place, DONE], self.numbers[place, BOUND] = 0, bound
        self.numbers[place, DRAWS] = <int64_t>random_bits(random)
        store(&self.numbers[place, CLAIMED], (times + 1) << 32)
        if team is not None:
            team.count(&self.news[0])
        return 0

    cdef bint is_open(self, Py_ssize_t place) except -1 nogil:
        """Whether there are columns that nobody has claimed."""
        return (load(&self.numbers[place, CLAIMED]) & LOW_HALF) < self.n_columns

    cdef Py_ssize_t claim(self, Py_ssize_t place, int64_t *opening) except -2 nogil:
        """The number of a column that nobody else has claimed, and which opening of the place it is for; -1: none."""
        cdef int64_t claimed = add_to(&self.numbers[place, CLAIMED], 1)
        opening[0] = claimed >> 32
        return claimed & LOW_HALF if claimed & LOW_HALF < self.n_columns else -1

    cdef int begin_column(self, Py_ssize_t place, Py_ssize_t number, BestTest best) except -1 nogil:
        """Turn to a column that was claimed."""
        return best.begin_column(
            &self.numbers[place, BOUND], random_stream(<uint64_t>self.numbers[place, DRAWS], 0, number))

    cdef int end_column(
        self, Py_ssize_t place, Py_ssize_t number, int32_t column, BestTest best, Team team
    ) except -1 nogil:
        """Keep what was found in a column."""
        self.found[place, number, ERROR], self.found[place, number, N_EQUAL] = best.error, best.n_equal
        self.found[place, number, COLUMN], self.found[place, number, TEST] = column, best.gene.test
        self.found[place, number, MASK] = <int64_t>best.gene.mask
        self.found[place, number, MISSING] = best.gene.missing
        self.found[place, number, IS_ONE_OF_MANY] = best.is_one_of_many
        self.found[place, number, MANY_LAST], self.found[place, number, NUMBER] = best.many_last, best.number
        self.found[place, number, MANY_DRAW] = <int64_t>best.many_draw.state
        if team is None:
            self.numbers[place, DONE] += 1
        else:
            team.count(&self.numbers[place, DONE])
        return 0

    cdef int choose(self, Py_ssize_t place, BestTest best, RandomStream *random) except -1 nogil:
        """Take one of the best tests of all columns, which are done."""
        cdef Py_ssize_t i
        cdef int64_t n = 0
        best.clear()
        for i in range(self.n_columns):
            if self.found[place, i, N_EQUAL] and self.found[place, i, ERROR] <= best.error:
                n = self.found[place, i, N_EQUAL] + (n if self.found[place, i, ERROR] == best.error else 0)
                best.error = self.found[place, i, ERROR]
        if best.error == FAR:
            return 0
        best.n_equal = <int32_t>n
        n = below(random, best.n_equal)
        for i in range(self.n_columns):
            if self.found[place, i, N_EQUAL] and self.found[place, i, ERROR] == best.error:
                n -= self.found[place, i, N_EQUAL]
                if n < 0:
                    break
        best.gene.column, best.gene.test = <int32_t>self.found[place, i, COLUMN], <int32_t>self.found[place, i, TEST]
        best.gene.mask, best.gene.missing = <uint64_t>self.found[place, i, MASK], <int32_t>self.found[place, i, MISSING]
        best.is_one_of_many = self.found[place, i, IS_ONE_OF_MANY] != 0
        best.many_last, best.number = self.found[place, i, MANY_LAST], self.found[place, i, NUMBER]
        best.many_draw.state = <uint64_t>self.found[place, i, MANY_DRAW]
        return 0
