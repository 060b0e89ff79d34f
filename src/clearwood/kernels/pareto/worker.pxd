from libc.stdint cimport int32_t

from clearwood.kernels.common.random_stream cimport RandomStream
from clearwood.kernels.pareto.evaluator cimport Evaluator
from clearwood.kernels.pareto.improver cimport Improver
from clearwood.kernels.pareto.individuals cimport Individuals
from clearwood.kernels.pareto.objectives cimport Objectives
from clearwood.kernels.pareto.tournament cimport Tournament
from clearwood.kernels.pareto.variation cimport Variation


cdef class Worker:
    cdef readonly Evaluator evaluator
    cdef Variation variation
    cdef Improver improver
    cdef Tournament tournament
    cdef int settle(
        self, Individuals trees, Py_ssize_t place, int32_t changed, Objectives objectives, RandomStream *random
    ) except -1 nogil
