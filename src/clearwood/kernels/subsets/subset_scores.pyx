"""SubsetScores: what the threads of one call share, the subsets to score and where the scores go.

A unit of work is one subset in one fold. A fold's trees are grown by a link of the chain of folds, which remembers what
it has met and so can be in one thread's hands only; with more threads than folds there are several links for each. A
thread holds the link of the fold that most is left of, takes the fold's next subset, scores it and lets the link go: so
all folds end at nearly the same time, whatever the number of threads. Several calls may be under way, and share the
links. No result depends on who scores what.
"""

from libc.stdint cimport int64_t

from itertools import count

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range

cdef extern from *:
    """
    #include <stdint.h>
    #include <time.h>
    static int cw_hold(int64_t *number, int64_t call)
    {
        int64_t nobody = 0;
        return __atomic_compare_exchange_n(number, &nobody, call, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
    #define cw_set(number, value) __atomic_store_n((number), (value), __ATOMIC_RELEASE)
    #define cw_next(number) __atomic_fetch_add((number), 1, __ATOMIC_RELAXED)
    #define cw_look(number) __atomic_load_n((number), __ATOMIC_RELAXED)
    static void cw_pause(void)
    {
        const struct timespec moment = {0, 20000};
        nanosleep(&moment, 0);
    }
    """
    bint hold_place "cw_hold"(int64_t* number, int64_t call) nogil
    void set_number "cw_set"(int64_t* number, int64_t value) nogil
    int64_t next_number "cw_next"(int64_t* number) nogil
    int64_t look_at "cw_look"(const int64_t* number) nogil
    void pause "cw_pause"() nogil

LINE = 8  # numbers in a cache line
_calls = count(1)


def free_places(n):
    """The places of n links, none of which is in hand; calls that share links share these."""
    return np.zeros((n, LINE), dtype=np.int64)


cdef class SubsetScores:
    """The attributes are described in the .pxd file."""

    def __init__(self, subsets, correct, sizes, fold_of, place_of, held):
        check_lengths(subsets=len(subsets), correct=len(correct), sizes=sizes.shape[1])
        check_lengths(correct=correct.shape[1], sizes=sizes.shape[2])
        check_lengths(sizes=len(sizes), nodes_leaves_and_features=3)
        check_lengths(fold_of=len(fold_of), place_of=len(place_of))
        check_range("fold_of", fold_of, 0, correct.shape[1])
        check_range("place_of", place_of, 0, len(held))
        self.subsets, self.correct, self.sizes = subsets, correct, sizes
        self.fold_of, self.place_of, self.held = fold_of, place_of, held
        self.taken = np.zeros((correct.shape[1], LINE), dtype=np.int64)
        self.call = next(_calls)

    cdef Py_ssize_t left(self, Py_ssize_t link) noexcept nogil:
        """How many subsets nobody has taken yet in a link's fold."""
        return self.subsets.shape[0] - look_at(&self.taken[self.fold_of[link], 0])

    cdef Py_ssize_t hold(self, Py_ssize_t link, Py_ssize_t stay) noexcept nogil:
        """Hold the free link whose fold most is left of, this one if it has at most ``stay`` less; -1: none is of use.

        To stay is cheaper, because what the link remembers is near. Whoever gets -1 may go: what is left then is in
        folds whose links all are in other hands of this call. For those in the hands of another call it waits.
        """
        cdef Py_ssize_t i, left, best, most
        cdef int64_t holder
        cdef bint waits
        while True:
            best, most, waits = -1, 0, False
            for i in range(self.fold_of.shape[0]):
                left = self.left(i)
                if left <= 0:
                    continue
                holder = look_at(&self.held[self.place_of[i], 0])
                if holder:
                    waits |= holder != self.call
                    continue
                if i == link:
                    left += stay
                if left > most:
                    best, most = i, left
            if look_at(&self.failed) or (best < 0 and not waits):
                return -1
            if best < 0:
                pause()
            elif hold_place(&self.held[self.place_of[best], 0], self.call):  # of two threads that want it, one gets it
                return best

    cdef Py_ssize_t take(self, Py_ssize_t link) noexcept nogil:
        """The next subset of a link's fold; too large where none is left."""
        return next_number(&self.taken[self.fold_of[link], 0])

    cdef void let_go(self, Py_ssize_t link) noexcept nogil:
        """Let others hold a link; what was written can be read by whoever does."""
        set_number(&self.held[self.place_of[link], 0], 0)

    cdef void fail(self) noexcept nogil:
        """Let nobody take more."""
        set_number(&self.failed, 1)
