from libc.stdint cimport int32_t

from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.row_lists cimport RowLists


cdef int sweep_two_sorted(Finder finder, int32_t feature, RowLists lists) except -1 nogil
cdef int sweep_two_bins(Finder finder, int32_t feature, RowLists lists) except -1 nogil
