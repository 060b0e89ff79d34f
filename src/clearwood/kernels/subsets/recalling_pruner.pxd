from libc.stdint cimport int32_t, uint64_t

from clearwood.kernels.greedy.pruner cimport Pruner
from clearwood.kernels.subsets.recalling_grower cimport RecallingGrower


cdef class RecallingPruner(Pruner):
    """Prunes the tree of a RecallingGrower: rows come from its memo when they are asked for."""
    cdef RecallingGrower recalling      # the grower
    cdef uint64_t[::1] tests            # the features that the subtree tests, as bits; only where rows are shared out

    cdef double flow_apart(self, int32_t node, int32_t child, double limit) except? -1.0 nogil
