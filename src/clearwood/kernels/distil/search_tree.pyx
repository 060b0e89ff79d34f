"""SearchTree: a tree that changes, with the rows that lie at each of its nodes."""

from cython cimport final
from libc.math cimport isnan
from libc.stdint cimport int32_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF, LINEAR, SUBSET, THRESHOLD
from clearwood.kernels.distil.soft_rows cimport SoftRows

from clearwood.kernels.common.agreement import check_codes, check_lengths, check_range

TESTS = ("kind", "left", "right", "parent", "feature", "threshold", "in_set", "n_terms", "term_feature",
         "term_weight", "missing_left", "label")
FIGURES = ("counts", "probability", "n_real")


@final
cdef class SearchTree:
    """Nodes in the order in which they were made, at first a single leaf; the attributes are in the .pxd file."""

    def __init__(self, SoftRows data, int32_t capacity, int32_t max_terms):
        n, k = capacity, max(max_terms, 1)
        self.data, self.capacity, self.max_terms = data, capacity, max_terms
        self.weighed, self.nominal = data.weighed, data.nominal
        self.kind, self.left, self.right, self.parent, self.feature = np.zeros((5, n), dtype=np.int32)
        self.n_terms, self.label, self.n_real, self.low, self.high = np.zeros((5, n), dtype=np.int32)
        self.threshold, self.term_weight = np.zeros(n), np.zeros((n, k))
        self.term_feature = np.zeros((n, k), dtype=np.int32)
        self.in_set = np.zeros((n, data.most_values), dtype=np.uint8)
        self.missing_left, self.relabelled = np.zeros((2, n), dtype=np.uint8)
        self.counts, self.probability = np.zeros((2, n, data.n_classes))
        self.rows, self.spare = np.arange(data.n_rows, dtype=np.int32), np.zeros(data.n_rows, dtype=np.int32)
        self.order, self.sums = np.zeros(n, dtype=np.int32), np.zeros(data.n_rows)
        self.kind[0] = LEAF
        self.n_nodes = 1
        self.refresh()

    # -- as arrays ------------------------------------------------------------------------------

    def arrays(self):
        """The nodes as arrays of their own: the tests, and the class weights of the rows."""
        return {name: np.array(self._view(name)[: self.n_nodes]) for name in (*TESTS, *FIGURES)}

    def restore(self, arrays):
        """Take the tests of :meth:`arrays`, and send the rows down."""
        kind = arrays["kind"]
        check_lengths(**{name: len(arrays[name]) for name in TESTS})
        check_range("nodes", len(kind), 1, self.capacity + 1)
        inner = kind != LEAF
        for name in ("left", "right"):
            check_range(name, arrays[name][inner], 1, len(kind))
        for test, n in ((THRESHOLD, self.data.n_numeric), (SUBSET, self.data.n_nominal)):
            check_range("feature", arrays["feature"][kind == test], 0, n)
        check_range("n_terms", arrays["n_terms"][inner], 0, self.term_feature.shape[1] + 1)
        used = np.arange(self.term_feature.shape[1]) < np.where(kind == LINEAR, arrays["n_terms"], 0)[:, None]
        check_range("term_feature", arrays["term_feature"][used], 0, self.data.n_weighed)
        children = np.concatenate([arrays["left"][inner], arrays["right"][inner]])
        check_range("the parents of a node", np.bincount(children), 0, 2)  # with more of them there may be a circle
        self.n_nodes = len(kind)
        for name in TESTS:
            self._view(name)[: self.n_nodes] = arrays[name]
        self.renumber(0)
        return self.refresh()

    def _view(self, name):
        return np.asarray({
            "kind": self.kind, "left": self.left, "right": self.right, "parent": self.parent, "feature": self.feature,
            "threshold": self.threshold, "in_set": self.in_set, "n_terms": self.n_terms,
            "term_feature": self.term_feature, "term_weight": self.term_weight, "missing_left": self.missing_left,
            "label": self.label, "counts": self.counts, "probability": self.probability, "n_real": self.n_real,
        }[name])

    def refresh(self):
        """Send all rows down and count them; the weight in error, and the Gini impurity times weight."""
        with nogil:
            self.send_rows()
            self.count()
        kind = self._view("kind")[: self.n_nodes]
        leaves = np.flatnonzero(kind == LEAF)
        counts = self._view("counts")[leaves]
        total = float(counts.sum())
        right = float(counts[np.arange(len(leaves)), self._view("label")[leaves]].sum())
        return total - right, total - float((counts * self._view("probability")[leaves]).sum())

    def leaves_of(self, const double[:, ::1] numeric, const int32_t[:, ::1] nominal, int32_t[::1] out):
        """The leaf of each of some other rows, whose missing values are coded like the data's."""
        cdef Py_ssize_t row
        check_lengths(numeric=numeric.shape[0], columns=self.data.n_numeric)
        check_lengths(rows=out.shape[0], **({"numeric": numeric.shape[1]} if numeric.shape[0] else {}))
        check_lengths(rows=out.shape[0], **({"nominal": nominal.shape[1]} if nominal.shape[0] else {}))
        check_codes("nominal", np.asarray(nominal), np.asarray(self.data.n_values) + 1, 0)
        self.weighed = self.data.weighed_of(np.asarray(numeric), np.asarray(nominal))
        self.nominal = nominal
        try:
            with nogil:
                for row in range(out.shape[0]):
                    out[row] = self.leaf_below(0, row)
        finally:
            self.weighed, self.nominal = self.data.weighed, self.data.nominal

    def labels(self):
        """The class of each node's rows."""
        return np.array(self.label[: self.n_nodes])

    def real_rows_at(self, int32_t node):
        """The real rows at a node, ascending."""
        rows = np.asarray(self.rows)[self.low[node] : self.high[node]]
        return np.sort(rows[rows < self.data.n_real])

    # -- shape ----------------------------------------------------------------------------------

    def drop_empty(self):
        """Replace nodes that have a branch without real rows by the other branch; whether there were any."""
        cdef int32_t before = self.n_nodes, node, child, root = self.alive(0)
        for node in range(self.n_nodes):
            if self.kind[node] != LEAF:
                child = self.alive(self.left[node])
                self.left[node], self.parent[child] = child, node
                child = self.alive(self.right[node])
                self.right[node], self.parent[child] = child, node
        self.renumber(root)
        return self.n_nodes < before

    def merge_equal(self):
        """Replace tests between leaves of one class by a leaf."""
        cdef int32_t node, left, right
        for node in range(self.n_nodes - 1, -1, -1):
            if self.kind[node] != LEAF:
                left, right = self.left[node], self.right[node]
                if self.kind[left] == LEAF and self.kind[right] == LEAF and self.label[left] == self.label[right]:
                    self.kind[node] = LEAF
                    self.label[node] = self.label[left]
        self.renumber(0)

    cdef int32_t alive(self, int32_t node) except -1 nogil:
        """The first node from this one down that has real rows on both sides, or is a leaf."""
        while self.kind[node] != LEAF:
            if self.n_real[self.left[node]] == 0:
                node = self.right[node]
            elif self.n_real[self.right[node]] == 0:
                node = self.left[node]
            else:
                break
        return node

    def renumber(self, int32_t root):
        """Number the nodes below one anew, level by level, siblings side by side; the others are gone."""
        cdef int32_t i, n = 1
        self.order[0] = root
        i = 0
        while i < n:
            if self.kind[self.order[i]] != LEAF:
                self.order[n], self.order[n + 1] = self.left[self.order[i]], self.right[self.order[i]]
                n += 2
            i += 1
        order = np.array(self.order[:n])
        for name in TESTS:
            view = self._view(name)
            view[:n] = view[order]
        for name in FIGURES:
            view = self._view(name)
            view[:n] = view[order]
        self.n_nodes = n
        n = 1
        self.parent[0] = -1
        for i in range(self.n_nodes):
            if self.kind[i] != LEAF:
                self.left[i], self.right[i] = n, n + 1
                self.parent[n] = self.parent[n + 1] = i
                n += 2

    cdef int split(self, int32_t node, int32_t kind) except -1 nogil:
        """Give a leaf two children; its test is in place but for the kind."""
        cdef int32_t child
        self.kind[node] = kind
        self.left[node], self.right[node] = self.n_nodes, self.n_nodes + 1
        for child in range(self.n_nodes, self.n_nodes + 2):
            self.kind[child] = LEAF
            self.parent[child] = node
            self.label[child] = self.label[node]
        self.n_nodes += 2
        return self.divide(node)

    cdef int swap_children(self, int32_t node) except -1 nogil:
        cdef int32_t left = self.left[node]
        self.left[node] = self.right[node]
        self.right[node] = left
        return 0

    # -- rows -----------------------------------------------------------------------------------

    cdef bint goes_left(self, int32_t node, Py_ssize_t row) noexcept nogil:
        cdef int32_t kind = self.kind[node], i
        cdef double value
        if kind == SUBSET:
            return self.in_set[node, self.nominal[self.feature[node], row]]
        if kind == THRESHOLD:
            value = self.weighed[self.feature[node], row]
        else:  # the terms from the first to the last, as a Tree adds them
            value = 0.0
            for i in range(self.n_terms[node]):
                value = value + self.term_weight[node, i] * self.weighed[self.term_feature[node, i], row]
        if isnan(value):
            return self.missing_left[node]
        return value <= self.threshold[node]

    cdef int32_t leaf_below(self, int32_t node, Py_ssize_t row) noexcept nogil:
        while self.kind[node] != LEAF:
            node = self.left[node] if self.goes_left(node, row) else self.right[node]
        return node

    cdef int32_t part(self, int32_t node, int32_t[::1] rows, int32_t low, int32_t high) except -1 nogil:
        """Put rows[low:high] that go left before those that go right, each side in its order; where those begin."""
        cdef int32_t i, row, term, feature = self.feature[node], place = low, n_right = 0, left
        cdef int32_t missing_left = self.missing_left[node] != 0
        cdef double value, cut = self.threshold[node]
        if self.kind[node] == LINEAR:  # a term at a time: sums of different rows do not wait for each other
            for i in range(low, high):
                self.sums[i] = 0.0
            for term in range(self.n_terms[node]):
                feature, value = self.term_feature[node, term], self.term_weight[node, term]
                for i in range(low, high):
                    self.sums[i] += value * self.weighed[feature, rows[i]]
        elif self.kind[node] == THRESHOLD:
            for i in range(low, high):
                self.sums[i] = self.weighed[feature, rows[i]]
        for i in range(low, high):  # without a jump that depends on the row; place never passes i
            row = rows[i]
            if self.kind[node] == SUBSET:
                left = self.in_set[node, self.nominal[feature, row]] != 0
            else:
                value = self.sums[i]
                left = <int32_t>(value <= cut) | (<int32_t>(value != value) & missing_left)
            rows[place] = row
            self.spare[n_right] = row
            place += left
            n_right += 1 - left
        for i in range(n_right):
            rows[place + i] = self.spare[i]
        return place

    cdef int divide(self, int32_t node) except -1 nogil:
        """Part the rows of a node between its children; on each side they stay in their order."""
        cdef int32_t middle = self.part(node, self.rows, self.low[node], self.high[node])
        self.low[self.left[node]], self.high[self.left[node]] = self.low[node], middle
        self.low[self.right[node]], self.high[self.right[node]] = middle, self.high[node]
        return 0

    cdef int send_rows(self) except -1 nogil:
        """Send all rows down; they lie in ascending order at every leaf, whatever was done before."""
        cdef int32_t node
        for node in range(self.data.n_rows):
            self.rows[node] = node
        self.low[0], self.high[0] = 0, self.data.n_rows
        for node in range(self.n_nodes):  # parents first
            if self.kind[node] != LEAF:
                self.divide(node)
        return 0

    cdef int count(self) except -1 nogil:
        """The class weights of all nodes, and their labels: the largest class, the first of equals."""
        cdef int32_t node, i, j, row, best
        cdef Py_ssize_t c, n_classes = self.data.n_classes
        cdef double total
        for node in range(self.n_nodes - 1, -1, -1):  # children first
            self.n_real[node] = 0
            for c in range(n_classes):
                self.counts[node, c] = 0.0
            if self.kind[node] == LEAF:
                for i in range(self.low[node], self.high[node]):
                    row = self.rows[i]
                    self.n_real[node] += row < self.data.n_real
                    for j in range(self.data.start[row], self.data.start[row + 1]):
                        self.counts[node, self.data.label[j]] += self.data.weight[j]
            else:
                self.n_real[node] = self.n_real[self.left[node]] + self.n_real[self.right[node]]
                for c in range(n_classes):
                    self.counts[node, c] = self.counts[self.left[node], c] + self.counts[self.right[node], c]
            best, total = 0, 0.0
            for c in range(n_classes):
                total += self.counts[node, c]
                if self.counts[node, c] > self.counts[node, best] + 1e-12:
                    best = <int32_t>c
            self.relabelled[node] = self.kind[node] == LEAF and self.label[node] != best
            self.label[node] = best
            for c in range(n_classes):
                self.probability[node, c] = self.counts[node, c] / total if total > 0.0 else 0.0
        return 0
