"""Forest votes: the class probabilities that the trees of a forest give to rows."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

import numpy as np

from clearwood.kernels.common.agreement import check_lengths, check_range

cdef enum:
    SIDE_BY_SIDE = 8  # rows that go down a tree together: while one waits for a cell, others step
    MOST_IN_WORD = 64  # values of a nominal column, the missing one among them, whose set is one word


cdef class VotingTree:
    """A tree, as ``ForestGrower`` has it, and the one that votes after it: a chain is asked without Python's lock."""
    cdef readonly VotingTree following
    cdef bint is_last
    cdef readonly Py_ssize_t n_classes   # the most that a tree of the chain knows
    cdef const int32_t[::1] feature, set_row, outcome
    cdef int32_t[::1] child    # the first, of a leaf the leaf itself: rows that have come there stay, without a jump
    cdef const double[::1] threshold
    cdef const uint8_t[::1] missing_left
    cdef const uint8_t[:, ::1] sets
    cdef uint64_t[::1] words   # the sets as bits, as far as there are bits, and an empty one where there is none
    cdef const float[:, ::1] shares

    def __init__(self, tree, VotingTree following=None):
        cdef const int32_t[::1] first_child = tree[3]
        cdef Py_ssize_t i, k
        self.feature, self.threshold, self.missing_left = tree[:3]
        self.set_row, self.outcome, self.sets, self.shares = tree[4:8]
        check_lengths(
            feature=len(self.feature), threshold=len(self.threshold), missing_left=len(self.missing_left),
            first_child=len(first_child), set_row=len(self.set_row), outcome=len(self.outcome),
        )
        self.child = np.empty(len(self.feature), dtype=np.int32)
        for i in range(self.feature.shape[0]):
            self.child[i] = <int32_t>i if self.feature[i] < 0 else first_child[i]
        self.words = np.zeros(max(1, self.sets.shape[0]), dtype=np.uint64)
        for i in range(self.sets.shape[0]):
            for k in range(min(self.sets.shape[1], <Py_ssize_t>MOST_IN_WORD)):
                self.words[i] |= <uint64_t>(self.sets[i, k] != 0) << k
        self.following, self.is_last = following, following is None
        self.n_classes = self.shares.shape[1] if following is None else max(self.shares.shape[1], following.n_classes)

    cdef int vote(
        self, const double[:, ::1] numeric, const int32_t[:, ::1] nominal, const int32_t[::1] rows, double[:, ::1] out,
    ) except -1 nogil:
        """Add the probabilities of this tree, then those of the others: by recursion, as deep as there are trees."""
        cdef int32_t[SIDE_BY_SIDE] at
        cdef int32_t node, f, left, moved, n_numeric = <int32_t>numeric.shape[0]
        cdef Py_ssize_t begin = 0, i, k, n, row
        cdef double value
        cdef uint64_t word
        cdef bint mixed = n_numeric > 0 and nominal.shape[0] > 0 and self.sets.shape[1] <= MOST_IN_WORD
        while begin < rows.shape[0]:
            n = min(<Py_ssize_t>SIDE_BY_SIDE, rows.shape[0] - begin)
            for i in range(n):
                at[i] = 0
            moved = self.feature.shape[0] > 1
            while moved:  # all step until none moves; no jump depends on which way one goes
                moved = 0
                for i in range(n):
                    node = at[i]
                    f = max(self.feature[node], 0)  # whatever a leaf is taken to ask
                    if mixed:  # a jump for the kind of the test would be as hard to foresee as one for its outcome
                        value = numeric[min(f, n_numeric - 1), rows[begin + i]]
                        left = <int32_t>(value <= self.threshold[node])
                        left |= <int32_t>(value != value) & self.missing_left[node]
                        word = self.words[self.set_row[node]] >> nominal[max(f - n_numeric, 0), rows[begin + i]]
                        left ^= (left ^ <int32_t>(word & 1)) & <int32_t>(f >= n_numeric)
                    elif f < n_numeric:
                        value = numeric[f, rows[begin + i]]
                        left = <int32_t>(value <= self.threshold[node])
                        left |= <int32_t>(value != value) & self.missing_left[node]
                    else:
                        left = self.sets[self.set_row[node], nominal[f - n_numeric, rows[begin + i]]]
                    at[i] = self.child[node] + ((1 - left) & <int32_t>(self.feature[node] >= 0))
                    moved |= at[i] ^ node
            for i in range(n):
                row, node = rows[begin + i], at[i]
                if self.outcome[node] >= 0:
                    out[row, self.outcome[node]] += 1.0
                else:
                    for k in range(self.shares.shape[1]):
                        out[row, k] += self.shares[-self.outcome[node] - 1, k]
            begin += SIDE_BY_SIDE
        return 0 if self.is_last else self.following.vote(numeric, nominal, rows, out)


def add_votes(
    VotingTree first, const double[:, ::1] numeric, const int32_t[:, ::1] nominal, const int32_t[::1] rows,
    double[:, ::1] out,
):
    """Add the probabilities of a chain of trees for some rows to what is there."""
    check_lengths(rows=out.shape[0], **({"numeric": numeric.shape[1]} if numeric.shape[0] else {}))
    check_lengths(rows=out.shape[0], **({"nominal": nominal.shape[1]} if nominal.shape[0] else {}))
    check_range("rows", rows, 0, out.shape[0])
    check_range("classes of the trees", first.n_classes, 0, out.shape[1] + 1)
    with nogil:
        first.vote(numeric, nominal, rows, out)
