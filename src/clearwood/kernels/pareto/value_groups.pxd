from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.row_levels cimport RowLevels


@final
cdef class ValueGroups:
    cdef BitTable table
    cdef const int32_t[::1] mark        # the Improver's
    cdef int64_t[:, ::1] sums           # by group: the weight by class, then four more numbers
    cdef int32_t[::1] large             # the largest classes of the node
    cdef uint64_t mask                  # the last best set
    cdef int add_up(self, int32_t column, RowLevels levels, Py_ssize_t depth) except -1 nogil
    cdef int add(self, Py_ssize_t row, Py_ssize_t position) except -1 nogil
    cdef int list_large(self) except -1 nogil
    cdef int64_t one_against_rest(
        self, int32_t column, int32_t test, int32_t missing, bint left_is_leaf, bint right_is_leaf
    ) except -1 nogil
    cdef int64_t best_set(
        self, int32_t column, int32_t missing, int32_t class_left, int32_t class_right
    ) except -1 nogil
