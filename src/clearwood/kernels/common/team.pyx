"""Team: threads that go through the same steps together, without Python's lock.

A generation of a search takes a millisecond and has three parts that must follow each other. Handing each part to
threads through Python would take as long as the work. So every member of a team runs the whole loop: they meet between
the parts, and within a part each claims one unit after the other.

A member that waits turns in a loop for some microseconds, then lets other threads have the core: with more members than
free cores nobody waits for one who cannot run.
"""

from libc.stdint cimport int64_t

import numpy as np

cdef extern from *:
    """
    #include <sched.h>
    #include <stdint.h>
    #include <time.h>
    #define cw_add(number, n) __atomic_fetch_add((number), (n), __ATOMIC_ACQ_REL)
    #define cw_load(number) __atomic_load_n((number), __ATOMIC_ACQUIRE)
    #define cw_store(number, value) __atomic_store_n((number), (value), __ATOMIC_RELEASE)
    #if defined(__x86_64__) || defined(__i386__)
    #define cw_pause() __builtin_ia32_pause()
    #else
    #define cw_pause() ((void)0)
    #endif

    /* Wait until a number is no longer what it was, or another one is not 0. */
    static void cw_wait(const int64_t *number, int64_t was, const int64_t *broken)
    {
        const struct timespec nap = {0, 50000};
        for (long turn = 0; cw_load(number) == was && !cw_load(broken); turn++) {
            if (turn < 2000) cw_pause();
            else if (turn < 2200) sched_yield();
            else nanosleep(&nap, 0);
        }
    }
    """
    int64_t add_to "cw_add"(int64_t *number, int64_t n) nogil
    int64_t load "cw_load"(const int64_t *number) nogil
    void store "cw_store"(int64_t *number, int64_t value) nogil
    void wait_for_change "cw_wait"(const int64_t *number, int64_t was, const int64_t *broken) nogil

cdef enum:  # the numbers
    ARRIVED = 0     # how many have come to the meeting
    MEETINGS = 1    # how many meetings there were
    CLAIMED = 2     # units of the part in hand that are taken
    BROKEN = 3      # a member has left: nobody waits any more
    NUMBERS = 4


cdef class Team:
    """``size`` threads; each calls :meth:`meet` as often as the others, and :meth:`leave` if it cannot go on."""

    def __init__(self, Py_ssize_t size):
        if size < 1:
            raise ValueError(f"size must be at least 1, got {size}.")
        self.size = size
        self.numbers = np.zeros((NUMBERS, 16), dtype=np.int64)

    cdef bint meet(self) noexcept nogil:
        """Wait for all members; what they wrote before can be read after. False if one has left."""
        cdef int64_t meeting = load(&self.numbers[MEETINGS, 0])
        if add_to(&self.numbers[ARRIVED, 0], 1) == self.size - 1:  # the last one opens the next part
            self.numbers[ARRIVED, 0] = self.numbers[CLAIMED, 0] = 0
            store(&self.numbers[MEETINGS, 0], meeting + 1)
        else:
            wait_for_change(&self.numbers[MEETINGS, 0], meeting, &self.numbers[BROKEN, 0])
        return not load(&self.numbers[BROKEN, 0])

    cdef Py_ssize_t claim(self) noexcept nogil:
        """The next unit of the part in hand, from 0 on: each goes to one member."""
        return add_to(&self.numbers[CLAIMED, 0], 1)

    cdef void leave(self) noexcept nogil:
        """Break the team up: those who wait go on at once, and learn it."""
        store(&self.numbers[BROKEN, 0], 1)

    cdef void note(self, int64_t *number, int64_t value) noexcept nogil:
        """Set a number that others may wait for; what was written before can be read by those who see it."""
        store(number, value)

    cdef bint wait_until(self, const int64_t *number, int64_t value) noexcept nogil:
        """Wait until another member has noted a value. False if one has left."""
        cdef int64_t now = load(number)
        while now != value and not load(&self.numbers[BROKEN, 0]):
            wait_for_change(number, now, &self.numbers[BROKEN, 0])
            now = load(number)
        return now == value

    # -- for Python ------------------------------------------------------------------------------

    def break_up(self):
        """Let nobody wait any more; a member calls this before it raises."""
        self.leave()

    def count_together(self, Py_ssize_t parts, Py_ssize_t units, int64_t[::1] done):
        """Go through some parts as a member, and count every unit; for tests. False if the team was broken up."""
        cdef Py_ssize_t part, unit
        cdef bint whole = True
        with nogil:
            for part in range(parts):
                whole = self.meet()
                if not whole:
                    break
                unit = self.claim()
                while unit < units:
                    done[unit] += part + 1  # no other member has this unit
                    unit = self.claim()
                whole = self.meet()
        return whole
