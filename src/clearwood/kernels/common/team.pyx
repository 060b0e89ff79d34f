"""Team: threads that go through the same steps together, without Python's lock.

A generation of a search takes a millisecond and has three parts that must follow each other. Handing each part to
threads through Python would take as long as the work. So every member of a team runs the whole loop: they meet between
the parts, and within a part each claims one unit after the other.

A member that waits turns in a loop for some microseconds, then sleeps until it is woken: with more members than free
cores nobody waits for one who cannot run. In a team of more members than there are cores it sleeps at once.

One of them may be a leader, who goes away between two meetings and comes back (``go``, ``come``): to call threads
together takes longer than a short part. The others wait for it some hundredths of a second, then they leave, so that no
thread stays behind when the leader has no more use for them, or was interrupted.
"""

from libc.stdint cimport int64_t

import os

import numpy as np

from clearwood.kernels.common.atomics cimport add_to, load, store

cdef extern from *:
    """
    #include <stdint.h>
    #include <time.h>
    #if defined(__x86_64__) || defined(__i386__)
    #define cw_pause() __builtin_ia32_pause()
    #else
    #define cw_pause() ((void)0)
    #endif

    /* Sleep while a number is what it was: on Linux until somebody wakes those who wait for it, but no longer than some
       milliseconds, so that whoever was missed looks again; elsewhere for a moment. */
    #ifdef __linux__
    #include <limits.h>
    #include <linux/futex.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    #if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define cw_low_half(number) ((uint32_t *)(number) + 1)
    #else
    #define cw_low_half(number) ((uint32_t *)(number))
    #endif
    #define CW_NAPS 4
    static void cw_sleep(const int64_t *number, int64_t was)
    {
        const struct timespec nap = {0, 5000000};
        syscall(SYS_futex, cw_low_half(number), FUTEX_WAIT_PRIVATE, (uint32_t)was, &nap, 0, 0);
    }
    static void cw_wake(const int64_t *number)
    {
        syscall(SYS_futex, cw_low_half(number), FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
    }
    #else
    #define CW_NAPS 400
    static void cw_sleep(const int64_t *number, int64_t was)
    {
        const struct timespec nap = {0, 50000};
        nanosleep(&nap, 0);
    }
    static void cw_wake(const int64_t *number) {}
    #endif

    #define CW_AWAY 0
    #define CW_THERE 1
    #define CW_TOO_LATE 2
    /* Of two threads that want to change a number from what it was, one does. */
    static int cw_change(int64_t *number, int64_t was, int64_t value)
    {
        return __atomic_compare_exchange_n(number, &was, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }

    /* Wait until a number is no longer what it was, or another one is not 0; some turns awake, then asleep. Who has
       slept long while the leader was away breaks the team up. */
    static void cw_wait(const int64_t *number, int64_t was, int64_t *broken, int64_t *leader, int64_t turns,
                        int64_t *asleep)
    {
        int naps = 0;
        for (int64_t turn = 0; turn < turns; turn++) {
            if (cw_load(number) != was || cw_load(broken)) return;
            cw_pause();
        }
        __atomic_fetch_add(asleep, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(number, __ATOMIC_SEQ_CST) == was && !cw_load(broken)) {
            cw_sleep(number, was);
            naps = cw_load(leader) == CW_AWAY ? naps + 1 : 0;
            if (naps > CW_NAPS && cw_change(leader, CW_AWAY, CW_TOO_LATE)) {
                cw_store(broken, 1);
                cw_wake(number);
            }
        }
        cw_add(asleep, -1);
    }

    /* Add one to a number, and wake those who sleep until it changes. */
    static void cw_count(int64_t *number, const int64_t *asleep)
    {
        __atomic_fetch_add(number, 1, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(asleep, __ATOMIC_SEQ_CST)) cw_wake(number);
    }

    /* Set a number, and wake those who sleep until it changes. */
    static void cw_tell(int64_t *number, int64_t value, const int64_t *asleep)
    {
        __atomic_store_n(number, value, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(asleep, __ATOMIC_SEQ_CST)) cw_wake(number);
    }
    """
    void wait_for_change "cw_wait"(
        const int64_t *number, int64_t was, int64_t *broken, int64_t *leader, int64_t turns, int64_t *asleep) nogil
    bint change "cw_change"(int64_t *number, int64_t was, int64_t value) nogil
    void wake "cw_wake"(const int64_t *number) nogil
    enum:
        AWAY "CW_AWAY"
        THERE "CW_THERE"
    void tell "cw_tell"(int64_t *number, int64_t value, const int64_t *asleep) nogil
    void count_one "cw_count"(int64_t *number, const int64_t *asleep) nogil

cdef enum:  # the numbers
    ARRIVED = 0     # how many have come to the meeting
    MEETINGS = 1    # how many meetings there were
    CLAIMED = 2     # units of the part in hand that are taken
    BROKEN = 3      # a member has left: nobody waits any more
    ASLEEP = 4      # how many have to be woken
    LEADER = 5      # whether it is there; teams without one are as if it were
    NUMBERS = 6

cdef int64_t AWAKE = 2000  # turns that are waited awake, less than a tenth of a millisecond


cdef class Team:
    """``size`` threads; each calls :meth:`meet` as often as the others, and :meth:`leave` if it cannot go on."""

    def __init__(self, Py_ssize_t size):
        if size < 1:
            raise ValueError(f"size must be at least 1, got {size}.")
        self.size = size
        self.numbers = np.zeros((NUMBERS, 16), dtype=np.int64)
        self.numbers[LEADER, 0] = THERE
        n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.turns = AWAKE if size <= n_cores else 0

    cdef bint meet(self) noexcept nogil:
        """Wait for all members; what they wrote before can be read after. False if one has left."""
        cdef int64_t meeting = load(&self.numbers[MEETINGS, 0])
        if add_to(&self.numbers[ARRIVED, 0], 1) == self.size - 1:  # the last one opens the next part
            self.numbers[ARRIVED, 0] = self.numbers[CLAIMED, 0] = 0
            tell(&self.numbers[MEETINGS, 0], meeting + 1, &self.numbers[ASLEEP, 0])
        else:
            self.wait(&self.numbers[MEETINGS, 0], meeting)
        return not load(&self.numbers[BROKEN, 0])

    cdef Py_ssize_t claim(self) noexcept nogil:
        """The next unit of the part in hand, from 0 on: each goes to one member."""
        return add_to(&self.numbers[CLAIMED, 0], 1)

    cdef void leave(self) noexcept nogil:
        """Break the team up: those who wait go on at once, and learn it."""
        store(&self.numbers[BROKEN, 0], 1)

    cdef void note(self, int64_t *number, int64_t value) noexcept nogil:
        """Set a number that others may wait for; what was written before can be read by those who see it."""
        tell(number, value, &self.numbers[ASLEEP, 0])

    cdef void count(self, int64_t *number) noexcept nogil:
        """Add one to a number that others may wait for, and add to."""
        count_one(number, &self.numbers[ASLEEP, 0])

    cdef bint is_whole(self) noexcept nogil:
        """Whether nobody has left."""
        return not load(&self.numbers[BROKEN, 0])

    cdef bint waits_awake(self) noexcept nogil:
        """Whether each member has a core, so that whoever has nothing to do may look for something."""
        return self.turns > 0

    cdef void wait(self, const int64_t *number, int64_t was) noexcept nogil:
        """Wait until a number is no longer what it was, or the team is broken up."""
        wait_for_change(number, was, &self.numbers[BROKEN, 0], &self.numbers[LEADER, 0], self.turns,
                        &self.numbers[ASLEEP, 0])

    cdef bint wait_until(self, const int64_t *number, int64_t value) noexcept nogil:
        """Wait until another member has noted a value. False if one has left."""
        cdef int64_t now = load(number)
        while now != value and not load(&self.numbers[BROKEN, 0]):
            self.wait(number, now)
            now = load(number)
        return now == value

    # -- for Python ------------------------------------------------------------------------------

    def break_up(self):
        """Let nobody wait any more; a member calls this before it raises."""
        self.leave()
        wake(&self.numbers[MEETINGS, 0])

    def go(self):
        """Leave the others waiting at the next meeting, as the leader."""
        store(&self.numbers[LEADER, 0], AWAY)

    def come(self):
        """Go on with them; False if they have left meanwhile, and another team must be made."""
        return bool(change(&self.numbers[LEADER, 0], AWAY, THERE)) and not load(&self.numbers[BROKEN, 0])

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
