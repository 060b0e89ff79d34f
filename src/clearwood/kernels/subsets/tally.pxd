from libc.stdint cimport int32_t, uint16_t

from clearwood.kernels.common.arithmetic cimport number
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.row_lists cimport RowLists
from clearwood.kernels.greedy.training_set cimport TrainingSet


cdef class Tally:
    """The class weights of every value of every nominal feature at a node, counted in one pass over its rows.

    A row's cells lie side by side and say which weight to add to: that of a feature's value (the last one stands for
    missing) and the row's class, among the classes that occur.
    """
    cdef TrainingSet data
    cdef Finder finder
    cdef readonly bint serves           # False where another way of counting is needed
    cdef int32_t n_present              # classes that occur
    cdef int32_t[::1] present           # their numbers by class code; -1 for the others
    cdef int32_t[::1] column            # of a feature in cells; -1 for those that are not nominal
    cdef int32_t[::1] offset            # of a feature's first weight
    cdef uint16_t[:, ::1] cells         # by row of the table and column
    cdef int32_t[::1] counted           # scratch: the columns of the features in question
    cdef int32_t[::1] whole             # the weights that are added to, where all are whole
    cdef double[::1] weight             # the same where rows are shared out
    cdef int32_t[::1] known_whole       # scratch, by class
    cdef double[::1] known_weight

    cdef int count(self, RowLists lists, const int32_t[::1] features, int32_t n) except -1 nogil
    cdef int split(self, int32_t feature) except -1 nogil
    cdef int split_by(self, int32_t feature, const number[::1] sums, number[::1] known) except -1 nogil
