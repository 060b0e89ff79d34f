"""Forest votes: the class probabilities that the trees of a forest give to rows."""

from libc.math cimport isnan
from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.common.agreement import check_lengths, check_range


cdef class VotingTree:
    """A tree, as ``ForestGrower`` has it, and the one that votes after it: a chain is asked without Python's lock."""
    cdef readonly VotingTree following
    cdef bint is_last
    cdef readonly Py_ssize_t n_classes   # the most that a tree of the chain knows
    cdef const int32_t[::1] feature, first_child, set_row, outcome
    cdef const double[::1] threshold
    cdef const uint8_t[::1] missing_left
    cdef const uint8_t[:, ::1] sets
    cdef const float[:, ::1] shares

    def __init__(self, tree, VotingTree following=None):
        self.feature, self.threshold, self.missing_left, self.first_child = tree[:4]
        self.set_row, self.outcome, self.sets, self.shares = tree[4:8]
        check_lengths(
            feature=len(self.feature), threshold=len(self.threshold), missing_left=len(self.missing_left),
            first_child=len(self.first_child), set_row=len(self.set_row), outcome=len(self.outcome),
        )
        self.following, self.is_last = following, following is None
        self.n_classes = self.shares.shape[1] if following is None else max(self.shares.shape[1], following.n_classes)

    cdef int vote(
        self, const double[:, ::1] numeric, const int32_t[:, ::1] nominal, const int32_t[::1] rows, double[:, ::1] out,
    ) except -1 nogil:
        """Add the probabilities of this tree, then those of the others: by recursion, as deep as there are trees."""
        cdef int32_t node, f, n_numeric = <int32_t>numeric.shape[0]
        cdef Py_ssize_t i, row, k
        cdef double value
        cdef bint left
        for i in range(rows.shape[0]):
            row, node = rows[i], 0
            while self.feature[node] >= 0:
                f = self.feature[node]
                if f < n_numeric:
                    value = numeric[f, row]
                    left = self.missing_left[node] if isnan(value) else value <= self.threshold[node]
                else:
                    left = self.sets[self.set_row[node], nominal[f - n_numeric, row]]
                node = self.first_child[node] + (not left)
            if self.outcome[node] >= 0:
                out[row, self.outcome[node]] += 1.0
            else:
                for k in range(self.shares.shape[1]):
                    out[row, k] += self.shares[-self.outcome[node] - 1, k]
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
