from clearwood.kernels.pareto.improver cimport Improver
from clearwood.kernels.pareto.evaluator cimport Judge
from clearwood.kernels.pareto.variation cimport Breeder


cdef class Worker:
    cdef readonly Judge judge
    cdef Breeder breeder
    cdef Improver improver
