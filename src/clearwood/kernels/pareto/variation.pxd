from cython cimport final
from libc.stdint cimport int32_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.gene cimport Gene
from clearwood.kernels.pareto.individuals cimport Individuals

cpdef enum Mutation:
    """The paper's five mutation operators (Fig. 11.4), by its numbers."""
    NEW_SUBTREE = 1     # a subtree is deleted, and a random one made
    NEW_TEST = 2        # an inner node changes its attribute, or its threshold
    SPLIT_LEAF = 3      # a leaf becomes a test with two leaves
    CUT_SUBTREE = 4     # a subtree becomes a leaf of a random class
    BOUNDARY_TEST = 5   # an inner node gets a random attribute, cut between rows of different classes


@final
cdef class Variation:
    cdef BitTable table
    cdef readonly int32_t max_leaves
    cdef Individuals scratch
    cdef int random_test(self, Gene *gene, int32_t column, bint boundary, RandomStream *random) except -1 nogil
    cdef int random_subtree(
        self, Individuals trees, Py_ssize_t place, int32_t node, int32_t leaves, RandomStream *random
    ) except -1 nogil
    cdef int replace(self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t piece) except -1 nogil
    cdef int replace_at_random(
        self, Individuals trees, Py_ssize_t place, int32_t node, int32_t leaves, RandomStream *random
    ) except -1 nogil
    cdef int32_t room_at(self, Individuals trees, Py_ssize_t place, int32_t node) except -1 nogil
    cdef int graft(
        self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t piece, RandomStream *random
    ) except -1 nogil
    cdef int32_t random_branch(self, Individuals trees, Py_ssize_t place, RandomStream *random) except -1 nogil
    cdef int crossover(
        self, Individuals trees, Py_ssize_t a, int32_t node_a, Py_ssize_t b, int32_t node_b, RandomStream *random
    ) except -1 nogil
    cdef int32_t mutate(self, Individuals trees, Py_ssize_t place, RandomStream *random) except -2 nogil
    cdef int32_t mutate_by(
        self, int32_t operator, Individuals trees, Py_ssize_t place, RandomStream *random
    ) except -2 nogil
    cdef int change_test(self, Individuals trees, Py_ssize_t place, int32_t node, RandomStream *random) except -1 nogil
    cdef int drop_empty(self, Individuals trees, Py_ssize_t place) except -1 nogil
