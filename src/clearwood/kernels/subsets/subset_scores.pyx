"""SubsetScores: what the threads of one call share, the subsets to score and where the scores go."""

from libc.stdint cimport uint8_t

from clearwood.kernels.common.agreement import check_lengths

cdef extern from *:
    """
    #define cw_claim(flag) (__atomic_exchange_n((flag), 1, __ATOMIC_ACQ_REL) == 0)
    """
    bint claim_flag "cw_claim"(uint8_t* flag) nogil


cdef class SubsetScores:
    """The attributes are described in the .pxd file."""

    def __init__(self, subsets, correct, sizes, claimed):
        check_lengths(subsets=len(subsets), correct=len(correct), sizes=sizes.shape[1])
        check_lengths(correct=correct.shape[1], sizes=sizes.shape[2], claimed=len(claimed))
        check_lengths(sizes=len(sizes), nodes_leaves_and_features=3)
        self.subsets, self.correct, self.sizes, self.claimed = subsets, correct, sizes, claimed

    cdef bint claim(self, Py_ssize_t fold) noexcept nogil:
        """Whether this thread is the first to ask for a fold, and so has to score it.

        One atomic exchange: of two threads that ask at once, one reads 0. So each fold, with its grower and its memo,
        is in one thread's hands, and no result depends on which.
        """
        return claim_flag(&self.claimed[fold])
