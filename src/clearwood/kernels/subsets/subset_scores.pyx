"""SubsetScores: what the threads of one call share, the subsets to score and where the scores go.

A unit of work is one subset in one fold. A fold's trees are grown by a link of the chain of folds, which remembers what
it has met and so can be in one thread's hands only; with more threads than folds there are several links for each. A
thread holds the link of the fold that most is left of, takes the fold's next subset, scores it and lets the link go: so
all folds end at nearly the same time, whatever the number of threads. No result depends on who scores what.
"""

from libc.stdint cimport int64_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range

cdef extern from *:
    """
    #define cw_hold(flag) (__atomic_exchange_n((flag), 1, __ATOMIC_ACQ_REL) == 0)
    #define cw_let_go(flag) __atomic_store_n((flag), 0, __ATOMIC_RELEASE)
    #define cw_next(number) __atomic_fetch_add((number), 1, __ATOMIC_RELAXED)
    #define cw_look(number) __atomic_load_n((number), __ATOMIC_RELAXED)
    """
    bint hold_flag "cw_hold"(int64_t* flag) nogil
    void let_go_flag "cw_let_go"(int64_t* flag) nogil
    int64_t next_number "cw_next"(int64_t* number) nogil
    int64_t look_at "cw_look"(const int64_t* number) nogil

LINE = 8  # numbers in a cache line


cdef class SubsetScores:
    """The attributes are described in the .pxd file."""

    def __init__(self, subsets, correct, sizes, fold_of):
        check_lengths(subsets=len(subsets), correct=len(correct), sizes=sizes.shape[1])
        check_lengths(correct=correct.shape[1], sizes=sizes.shape[2])
        check_lengths(sizes=len(sizes), nodes_leaves_and_features=3)
        check_range("fold_of", fold_of, 0, correct.shape[1])
        self.subsets, self.correct, self.sizes, self.fold_of = subsets, correct, sizes, fold_of
        self.held = np.zeros((len(fold_of), LINE), dtype=np.int64)
        self.taken = np.zeros((correct.shape[1], LINE), dtype=np.int64)

    cdef Py_ssize_t left(self, Py_ssize_t link) noexcept nogil:
        """How many subsets nobody has taken yet in a link's fold."""
        return self.subsets.shape[0] - look_at(&self.taken[self.fold_of[link], 0])

    cdef Py_ssize_t hold(self, Py_ssize_t link, Py_ssize_t stay) noexcept nogil:
        """Hold the free link whose fold most is left of, this one if it has at most ``stay`` less; -1: none is of use.

        To stay is cheaper, because what the link remembers is near.

        Whoever gets -1 may go: what is left then is in folds whose links all are in other hands.
        """
        cdef Py_ssize_t i, left, best, most
        while True:
            best, most = -1, 0
            for i in range(self.fold_of.shape[0]):
                left = self.left(i)
                if left <= 0 or look_at(&self.held[i, 0]):
                    continue
                if i == link:
                    left += stay
                if left > most:
                    best, most = i, left
            if best < 0 or hold_flag(&self.held[best, 0]):  # of two threads that want it, one reads 0 there
                return best

    cdef Py_ssize_t take(self, Py_ssize_t link) noexcept nogil:
        """The next subset of a link's fold; too large where none is left."""
        return next_number(&self.taken[self.fold_of[link], 0])

    cdef void let_go(self, Py_ssize_t link) noexcept nogil:
        """Let others hold a link; what was written can be read by whoever does."""
        let_go_flag(&self.held[link, 0])
