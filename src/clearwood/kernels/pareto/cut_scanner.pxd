from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.pareto.best_test cimport BestTest
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.evaluator cimport Evaluator


@final
cdef class CutScanner:
    cdef BitTable table
    cdef Evaluator evaluator
    cdef BestTest best
    cdef const int32_t[::1] mark            # the Improver's
    # the node
    cdef Py_ssize_t depth
    cdef bint left_is_leaf, right_is_leaf
    cdef int64_t n_rows                     # in it
    cdef int64_t wrong_right                # weight of its rows that the right subtree gets wrong
    # its rows without a value in the column in hand
    cdef int64_t[::1] lacking               # weight by class
    cdef int64_t n_lacking, lacking_wrong_left, lacking_wrong_right
    # places between two rows of the column's order: what a branch would hold that ended, or began, there
    cdef int64_t[::1] n_below               # by place: the node's rows below it
    cdef int64_t[:, ::1] below, above       # by place: weight by class of branch 0, and of branch 1
    cdef int64_t[::1] below_error, above_error  # by place
    # rows of the node that lie side by side in the column's order
    cdef int32_t[::1] found                 # their marks
    cdef int32_t[::1] cut                   # the first cut above each
    cdef int64_t[::1] weight
    cdef int64_t[::1] left_error            # the errors of branch 0 if it ends before this row
    cdef int64_t[::1] tally                 # scratch: weight by class of a branch while rows are added to it
    cdef int begin(self, Py_ssize_t depth, bint left_is_leaf, bint right_is_leaf) except -1 nogil
    cdef int scan(self, int32_t column, int32_t missing, RandomStream *random) except -1 nogil
    cdef int32_t settle_choice(self) except -1 nogil
    cdef int add_lacking(self, int32_t column) except -1 nogil
    cdef int fill_ends(self, int32_t missing) except -1 nogil
    cdef int fill_place(self, int32_t place, int32_t column, int32_t step, int32_t missing) except -1 nogil
    cdef int set_errors(self, int32_t place, int64_t wrong_below, int64_t wrong_above) except -1 nogil
    cdef int64_t count_wrong(self, int side, const uint64_t *rows) except -1 nogil
    cdef int scan_between(
        self, int32_t column, int32_t missing, int32_t low_step, int32_t high_step, int32_t low, int32_t high,
        int32_t free, RandomStream *random
    ) except -1 nogil
    cdef int32_t class_throughout(self, int32_t low, int32_t high) except -2 nogil
    cdef int walk(
        self, int32_t column, int32_t missing, Py_ssize_t first, Py_ssize_t last, int32_t low, int32_t high,
        RandomStream *random
    ) except -1 nogil
    cdef Py_ssize_t find_marked(self, Py_ssize_t first, Py_ssize_t last) except -1 nogil
    cdef Py_ssize_t find_rows(self, Py_ssize_t first, Py_ssize_t last) except -1 nogil
    cdef Py_ssize_t row_below(self, int32_t column, Py_ssize_t j) except -2 nogil
    cdef bint is_in_node(self, Py_ssize_t j) except -1 nogil
