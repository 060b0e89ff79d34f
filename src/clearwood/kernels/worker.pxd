from clearwood.kernels.improve cimport Improver
from clearwood.kernels.judge cimport Judge
from clearwood.kernels.vary cimport Breeder


cdef class Worker:
    cdef readonly Judge judge
    cdef Breeder breeder
    cdef Improver improver
