"""Voter: a tree of an ensemble, which adds its class probabilities to those of the trees before it."""

from libc.stdint cimport int32_t, uint8_t

import numpy as np

from clearwood.kernels.routing.branch cimport Step, Weight
from clearwood.kernels.routing.routes cimport find_leaves, share_out

from clearwood.kernels.common.agreement import check_lengths, check_range
from clearwood.kernels.routing.routes import check_nodes, check_rows


cdef class Voter:
    """A link in the chain of an ensemble's trees.

    A chain, because a list of objects cannot be walked without Python's lock.

    Parameters
    ----------
    tests, sharing : tuples of arrays, as of Routing
    only_thresholds : whether the tree tests thresholds only
    probability : by node the class probabilities
    weight : of its vote
    asked : for each row whether the tree is asked about it; None: about all
    following : the next link, or None
    """
    cdef const Step[::1] steps
    cdef const uint8_t[:, ::1] in_set
    cdef const Weight[::1] linear
    cdef const int32_t[::1] missing, n_children
    cdef const uint8_t[::1] empty, asked
    cdef const double[::1] share
    cdef const double[:, ::1] probability
    cdef double weight
    cdef bint only_thresholds, is_last, asked_of_all
    cdef Voter following
    cdef readonly Py_ssize_t most_nodes         # of this tree and those that follow

    def __init__(self, tests, sharing, bint only_thresholds, probability, double weight, asked, Voter following):
        self.steps, self.in_set, self.linear, self.missing = tests
        self.n_children, self.empty, self.share = sharing
        self.probability, self.only_thresholds, self.weight = probability, only_thresholds, weight
        check_nodes(len(self.steps), self.missing, self.n_children, self.empty, self.share, self.probability)
        self.asked_of_all = asked is None
        self.asked = np.empty(0, dtype=np.uint8) if asked is None else asked
        self.following, self.is_last = following, following is None
        self.most_nodes = len(self.steps)
        if following is not None:
            check_lengths(classes=self.probability.shape[1], others=following.probability.shape[1])
            self.most_nodes = max(self.most_nodes, following.most_nodes)

    cdef int vote(
        self, const double[:, :] numeric, const int32_t[:, :] nominal, const int32_t[::1] rows, int32_t[::1] some,
        int32_t[::1] leaf, int32_t[::1] stack, double[::1] weights, double[::1] shared, double[:, ::1] out,
    ) except -1 nogil:
        """Add this tree's vote for the rows that it is asked about, then those of the trees that follow."""
        cdef Py_ssize_t i, c, n = 0
        for i in range(rows.shape[0]):
            some[n] = rows[i]
            n += 1 if self.asked_of_all else self.asked[rows[i]]
        find_leaves(self.steps, self.in_set, self.linear, self.missing, numeric, nominal, self.only_thresholds,
                    some[:n], leaf[:n])
        for i in range(n):
            if leaf[i] >= 0:
                for c in range(out.shape[1]):
                    out[some[i], c] += self.weight * self.probability[leaf[i], c]
            else:
                share_out(self.steps, self.in_set, self.linear, self.missing, numeric, nominal, self.n_children,
                          self.empty, self.share, self.probability, some[i], stack, weights, shared)
                for c in range(out.shape[1]):
                    out[some[i], c] += self.weight * shared[c]
        if self.is_last:
            return 0
        # down the chain by recursion, which is as deep as there are trees
        return self.following.vote(numeric, nominal, rows, some, leaf, stack, weights, shared, out)


def add_votes(
    Voter first, const double[:, :] numeric, const int32_t[:, :] nominal, const int32_t[::1] rows, double[:, ::1] out,
):
    """Add the votes of all trees of a chain to the lines of the given rows, in the order of the chain."""
    check_rows(numeric, nominal, rows)
    check_range("rows", rows, 0, out.shape[0])
    check_lengths(classes=first.probability.shape[1], out=out.shape[1])
    cdef Voter voter = first
    while True:
        if not voter.asked_of_all:
            check_lengths(asked=voter.asked.shape[0], out=out.shape[0])
        if voter.is_last:
            break
        voter = voter.following
    cdef int32_t[::1] some = np.empty(rows.shape[0] + 1, dtype=np.int32)  # the next row is written, then kept or not
    cdef int32_t[::1] leaf = np.empty(rows.shape[0], dtype=np.int32)
    cdef int32_t[::1] stack = np.empty(first.most_nodes + 1, dtype=np.int32)
    cdef double[::1] weights = np.empty(first.most_nodes + 1), shared = np.empty(out.shape[1])
    with nogil:
        first.vote(numeric, nominal, rows, some, leaf, stack, weights, shared, out)
