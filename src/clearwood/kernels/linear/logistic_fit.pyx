"""Fit: where a logistic regression costs least, by a quasi-Newton search that holds no lock."""

from libc.math cimport INFINITY, fabs, sqrt

import numpy as np

from clearwood.kernels.linear.logistic_loss cimport LogisticLoss

cdef enum:
    KEPT = 10           # steps that are remembered, to know how the slope bends
    MOST_STEPS = 300
    MOST_TRIES = 50     # lengths of one step

cdef double FLAT = 1e-4         # no part of the slope is larger at the end
cdef double LEAST_FALL = 1.4e-14      # a step that lowers the loss by a smaller share is the last one
cdef double DESCENT = 1e-4      # of what the slope promises a step keeps at least so much
cdef double STEEP = 0.9         # and after it the slope is at most so much of what it was


cdef class Path:
    """A walk downhill: where it stands, and the last steps.

    The loss is convex. A direction is the slope, turned by what the last steps say of how it bends (limited-memory
    BFGS, Nocedal and Wright 2006, algorithm 7.4); its length is doubled and halved until the loss falls enough and the
    slope has become flat enough (the weak conditions of Wolfe), so that every step that is kept tells of a bend.
    """
    cdef LogisticLoss loss
    cdef Py_ssize_t n, n_kept, newest
    cdef double value, next_value
    cdef double[::1] at, slope, next_at, next_slope, way
    cdef double[:, ::1] moved, bent         # by step: how far it went, and how the slope changed on it
    cdef double[::1] moved_by_bent, share

    def __init__(self, LogisticLoss loss):
        self.loss, self.n = loss, loss.x.shape[0] + 1
        self.at, self.slope, self.next_at, self.next_slope, self.way = np.zeros((5, self.n))
        self.moved, self.bent = np.zeros((2, KEPT, self.n))
        self.moved_by_bent, self.share = np.zeros((2, KEPT))

    cdef int go(self) except -1 nogil:
        """Go down from nothing until it is flat."""
        cdef Py_ssize_t _step
        cdef double gained
        self.value = self.loss.look(self.at, self.slope)
        for _step in range(MOST_STEPS):
            if self.is_flat():
                break
            self.turn()
            if not self.take_step():
                break
            self.remember()
            gained = self.value - self.next_value
            self.at[:] = self.next_at
            self.slope[:] = self.next_slope
            self.value = self.next_value
            if gained <= LEAST_FALL * max(fabs(self.value + gained), fabs(self.value), 1.0):
                break
        return 0

    cdef bint is_flat(self) except -1 nogil:
        cdef Py_ssize_t i
        for i in range(self.n):
            if fabs(self.slope[i]) > FLAT:
                return False
        return True

    cdef int turn(self) except -1 nogil:
        """Set the way down: minus the slope times the inverse of the bend, which is never written down as a whole."""
        cdef Py_ssize_t i, k, step
        cdef double scale = 1.0
        for i in range(self.n):
            self.way[i] = -self.slope[i]
        for k in range(self.n_kept):  # from the newest step to the oldest
            step = (self.newest - k + KEPT) % KEPT
            self.share[step] = inner(self.moved[step], self.way) / self.moved_by_bent[step]
            add(self.way, -self.share[step], self.bent[step])
        if self.n_kept:
            scale = self.moved_by_bent[self.newest] / inner(self.bent[self.newest], self.bent[self.newest])
        else:  # the first step is no longer than 1
            scale = 1.0 / max(1.0, sqrt(inner(self.slope, self.slope)))
        for i in range(self.n):
            self.way[i] *= scale
        for k in range(self.n_kept - 1, -1, -1):
            step = (self.newest - k + KEPT) % KEPT
            add(self.way, self.share[step] - inner(self.bent[step], self.way) / self.moved_by_bent[step],
                self.moved[step])
        return 0

    cdef bint take_step(self) except -1 nogil:
        """Find how far to go on the way; False if no length lowers the loss as it should, so close is the bottom."""
        cdef Py_ssize_t i, _try
        cdef double length = 1.0, low = 0.0, high = INFINITY, steepness = inner(self.slope, self.way)
        for _try in range(MOST_TRIES):
            for i in range(self.n):
                self.next_at[i] = self.at[i] + length * self.way[i]
            self.next_value = self.loss.look(self.next_at, self.next_slope)
            if not self.next_value <= self.value + DESCENT * length * steepness:
                high = length
            elif inner(self.next_slope, self.way) < STEEP * steepness:
                low = length
            else:
                return True
            length = 2 * length if high == INFINITY else (low + high) / 2
        return False

    cdef int remember(self) except -1 nogil:
        """Keep the step in place of the oldest."""
        cdef Py_ssize_t i, step = (self.newest + 1) % KEPT if self.n_kept else 0
        for i in range(self.n):
            self.moved[step, i] = self.next_at[i] - self.at[i]
            self.bent[step, i] = self.next_slope[i] - self.slope[i]
        self.moved_by_bent[step] = inner(self.moved[step], self.bent[step])
        self.newest, self.n_kept = step, min(self.n_kept + 1, KEPT)
        return 0


cdef double inner(const double[::1] one, const double[::1] other) except? -1.0 nogil:
    cdef Py_ssize_t i
    cdef double sum = 0.0
    for i in range(one.shape[0]):
        sum += one[i] * other[i]
    return sum


cdef int add(double[::1] to, double share, const double[::1] what) except -1 nogil:
    cdef Py_ssize_t i
    for i in range(to.shape[0]):
        to[i] += share * what[i]
    return 0


def least_loss(LogisticLoss loss):
    """The weights, and the constant behind them, of the least loss."""
    cdef Path path = Path(loss)
    with nogil:
        path.go()
    return np.array(path.at)
