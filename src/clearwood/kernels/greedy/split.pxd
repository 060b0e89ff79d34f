from libc.stdint cimport int32_t

from clearwood.kernels.greedy.finder cimport Candidate, Finder
from clearwood.kernels.greedy.row_lists cimport RowLists


cdef int examine(Finder finder, int32_t feature, RowLists lists) except -1 nogil

cdef int choose(Finder finder, const int32_t[::1] features, int32_t n_features, Candidate* best) except -1 nogil
