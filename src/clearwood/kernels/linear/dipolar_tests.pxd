"""Dipolar tests: new tests that part two rows of different classes."""

from libc.math cimport floor
from libc.stdint cimport int32_t

from clearwood.kernels.common.random_stream cimport RandomStream, below
from clearwood.kernels.linear.tree cimport LinearTree

cdef extern from *:
    """
    #define CW_GRAIN 65536.0
    """
    const double GRAIN "CW_GRAIN"  # weights are multiples of 1 / GRAIN: see projections.pyx

cdef enum:
    TRIES = 60  # pairs looked at before an operator gives up


cdef inline double rounded(double weight) noexcept nogil:
    return floor(weight * GRAIN + 0.5) / GRAIN


cdef inline int32_t some_row(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil:
    """A row of a node, each with the same chance."""
    return tree.rows[tree.level[node], tree.start[node] + below(random, tree.end[node] - tree.start[node])]


cdef bint place_test(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil
