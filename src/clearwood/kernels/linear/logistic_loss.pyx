"""LogisticLoss: what a plane costs in a logistic regression, and which way is down."""

from libc.math cimport exp, fabs, log
import numpy as np

from clearwood.kernels.common.agreement import check_lengths


cdef class LogisticLoss:
    """The weighted mean of the rows' losses, and half the penalty for the squared weights; the constant is free.

    Called with the weights and the constant behind them, it gives the loss and its gradient, as optimisers want it.
    One for each thread: the rows' sums are kept in it. The attributes are described in the .pxd file.
    """

    def __init__(self, x, inside, weights, double penalty):
        check_lengths(x=x.shape[1], inside=len(inside), weights=len(weights))
        self.x, self.inside, self.weights, self.penalty = x, inside, weights, penalty
        self.total = float(np.sum(weights))
        self.pull = np.zeros(len(weights))

    def __call__(self, const double[::1] at):
        check_lengths(at=len(at), weights_and_constant=len(self.x) + 1)
        gradient = np.empty(len(at))
        cdef double[::1] slope = gradient
        cdef double loss
        with nogil:
            loss = self.look(at, slope)
        return loss, gradient

    cdef double look(self, const double[::1] at, double[::1] slope) except? -1.0 nogil:
        """The loss, and its gradient into ``slope``."""
        cdef double loss
        self.add_up(at)
        loss = self.sum_losses()
        self.sum_slopes(at, slope, &loss)
        return loss

    cdef int add_up(self, const double[::1] at) except -1 nogil:
        """The rows' sums, feature by feature."""
        cdef Py_ssize_t i, k, n = self.weights.shape[0], p = self.x.shape[0]
        cdef double weight
        for i in range(n):
            self.pull[i] = at[p]
        for k in range(p):
            weight = at[k]
            for i in range(n):
                self.pull[i] += weight * self.x[k, i]
        return 0

    cdef double sum_losses(self) except? -1.0 nogil:
        """The mean loss, ln(1 + e^s) - ys for a sum s; in the place of the sums come their derivatives, by weight."""
        cdef Py_ssize_t i
        cdef double s, small, chance, loss = 0.0
        for i in range(self.weights.shape[0]):
            s = self.pull[i]
            small = exp(-fabs(s))  # never overflows
            chance = (1.0 if s > 0.0 else small) / (1.0 + small)
            loss += self.weights[i] * (log(1.0 + small) + (s if s > 0.0 else 0.0) - (s if self.inside[i] else 0.0))
            self.pull[i] = self.weights[i] * (chance - self.inside[i]) / self.total
        return loss / self.total

    cdef int sum_slopes(self, const double[::1] at, double[::1] slope, double* loss) except -1 nogil:
        """The gradient, and the penalty with its own."""
        cdef Py_ssize_t i, k, n = self.weights.shape[0], p = self.x.shape[0], whole = n - n % 4
        cdef double a, b, c, d
        for k in range(p):
            a = b = c = d = 0.0
            for i in range(0, whole, 4):  # four sums side by side: no addition waits for the one before
                a += self.pull[i] * self.x[k, i]
                b += self.pull[i + 1] * self.x[k, i + 1]
                c += self.pull[i + 2] * self.x[k, i + 2]
                d += self.pull[i + 3] * self.x[k, i + 3]
            for i in range(whole, n):
                a += self.pull[i] * self.x[k, i]
            slope[k] = (a + b) + (c + d) + self.penalty * at[k]
            loss[0] += 0.5 * self.penalty * at[k] * at[k]
        a = 0.0
        for i in range(n):
            a += self.pull[i]
        slope[p] = a
        return 0
