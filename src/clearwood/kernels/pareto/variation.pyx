"""Vary trees: random subtrees, crossover, the five mutations."""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memmove

import numpy as np

from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.common.random_stream cimport RandomStream, below, chance, random_bits
from clearwood.kernels.pareto.genes cimport Gene

GENE = np.dtype(
    [
        ("mask", "u8"), ("wrong", "i8"), ("rows", "i8"), ("column", "i4"), ("test", "i4"), ("label", "i4"),
        ("size", "i4"), ("missing", "i4"), ("spare", "i4"),
    ]
)


cdef int32_t nth_inner(const Gene *tree, int32_t n) noexcept nogil:
    """The n-th inner node in pre-order."""
    cdef int32_t node = 0
    while True:
        if tree[node].column >= 0:
            if n == 0:
                return node
            n -= 1
        node += 1


cdef int32_t nth_leaf(const Gene *tree, int32_t n) noexcept nogil:
    """The n-th leaf in pre-order."""
    cdef int32_t node = 0
    while True:
        if tree[node].column < 0:
            if n == 0:
                return node
            n -= 1
        node += 1


cdef class Breeder:
    """Makes and changes trees; slip and other are scratch for one tree each."""

    def __init__(self, BitTable table, int32_t max_leaves):
        self.table = table
        self.max_leaves = max_leaves
        self.slip = np.zeros(2 * max_leaves, dtype=GENE)
        self.other = np.zeros(2 * max_leaves, dtype=GENE)

    cdef int random_test(self, Gene *gene, int32_t column, bint boundary, RandomStream *random) except -1 nogil:
        """A random test of a column; of a numeric one at a class boundary, or anywhere."""
        cdef int32_t first = self.table.boundary_start[column], n = self.table.boundary_start[column + 1] - first
        gene.column = column
        gene.mask = 0
        gene.missing = 0
        if self.table.missing_bits[column] >= 0:
            gene.missing = below(random, 2)
        if self.table.is_nominal[column]:
            if self.table.n_sets[column] > 2 and chance(random, 0.5):
                gene.test = -1
                gene.mask = random_bits(random)
                if self.table.n_sets[column] < 64:
                    gene.mask &= (<uint64_t>1 << self.table.n_sets[column]) - 1
            if gene.mask == 0:
                gene.test = self.table.boundary[first + below(random, n)]
        elif boundary and n:
            gene.test = self.table.boundary[first + below(random, n)]
        else:
            first = self.table.test_start[column]
            gene.test = first + below(random, self.table.test_start[column + 1] - first)
        return 0

    cdef int random_subtree(self, Gene *tree, int32_t leaves, RandomStream *random) except -1 nogil:
        """A random subtree with the given number of leaves, written in pre-order."""
        cdef int32_t left
        tree[0].size = 2 * leaves - 1
        tree[0].wrong = tree[0].rows = 0
        tree[0].spare = 0
        if leaves == 1:
            tree[0].column, tree[0].test, tree[0].mask, tree[0].missing = -1, -1, 0, 0
            tree[0].label = below(random, <int32_t>self.table.n_classes)
            return 0
        tree[0].label = 0
        self.random_test(tree, self.table.usable[below(random, <int32_t>self.table.usable.shape[0])], False, random)
        left = 1 + below(random, leaves - 1)
        self.random_subtree(tree + 1, left, random)
        return self.random_subtree(tree + 2 * left, leaves - left, random)

    cdef int replace(self, Gene *tree, int32_t node, const Gene *piece) except -1 nogil:
        """Put a piece, which must lie outside the tree, in the place of the subtree at a node."""
        cdef int32_t here = 0, left, old = tree[node].size, change = piece.size - old
        cdef Py_ssize_t tail = tree[0].size - node - old
        while here != node:
            tree[here].size += change
            left = here + 1
            here = left if node < left + tree[left].size else left + tree[left].size
        memmove(&tree[node + piece.size], &tree[node + old], tail * sizeof(Gene))
        memcpy(&tree[node], piece, piece.size * sizeof(Gene))
        return 0

    cdef int graft(self, Gene *tree, int32_t node, const Gene *piece, RandomStream *random) except -1 nogil:
        """Replace the subtree at a node by a piece, or by a random subtree if the piece is too large."""
        cdef int32_t room = self.max_leaves - (tree[0].size - tree[node].size) // 2
        if (piece.size + 1) // 2 <= room:
            return self.replace(tree, node, piece)
        self.random_subtree(&self.slip[0], 1 + below(random, room), random)
        return self.replace(tree, node, &self.slip[0])

    cdef int crossover(
        self, Gene *a, Gene *b, RandomStream *random, int32_t *changed_a, int32_t *changed_b
    ) except -1 nogil:
        """Swap two branches; sets where each tree changed."""
        cdef int32_t i = 1 + below(random, a.size - 1), j = 1 + below(random, b.size - 1)
        changed_a[0], changed_b[0] = i, j
        memcpy(&self.other[0], &a[i], a[i].size * sizeof(Gene))
        self.graft(a, i, &b[j], random)
        return self.graft(b, j, &self.other[0], random)

    cdef int32_t mutate(self, Gene *tree, RandomStream *random) except -2 nogil:
        """One of the five operators, each as likely as the others; returns where the tree changed."""
        cdef int32_t changed = -1
        while changed < 0:  # an operator that cannot be applied gives way to another
            changed = self.mutate_by(tree, 1 + below(random, 5), random)
        return changed

    cdef int32_t mutate_by(self, Gene *tree, int32_t operator, RandomStream *random) except -2 nogil:
        """Apply the given operator; -1 if there is nothing to apply it to."""
        cdef int32_t node, column, n_inner = tree[0].size // 2, leaves = n_inner + 1
        cdef int32_t usable = <int32_t>self.table.usable.shape[0]
        cdef uint64_t flip
        if operator == 1:  # a new random subtree
            node = 1 + below(random, tree[0].size - 1)
            self.random_subtree(
                &self.slip[0], 1 + below(random, self.max_leaves - (tree[0].size - tree[node].size) // 2), random)
            self.replace(tree, node, &self.slip[0])
        elif operator == 3:  # split a leaf
            if leaves >= self.max_leaves:
                return -1
            node = nth_leaf(tree, below(random, leaves))
            self.random_subtree(&self.slip[0], 2, random)
            self.replace(tree, node, &self.slip[0])
        elif operator == 4:  # cut a subtree to a leaf
            if n_inner < 2:
                return -1
            node = nth_inner(tree, 1 + below(random, n_inner - 1))
            self.random_subtree(&self.slip[0], 1, random)
            self.replace(tree, node, &self.slip[0])
        else:
            node = nth_inner(tree, below(random, n_inner))
            if operator == 5:  # any attribute, at a class boundary
                column = self.table.usable[below(random, usable)]
                self.random_test(&tree[node], column, True, random)
            else:  # change the attribute, or its threshold
                column = tree[node].column
                if chance(random, 0.5):
                    column = self.table.usable[below(random, usable)]
                elif self.table.is_nominal[column] and tree[node].test < 0 and chance(random, 0.5):
                    flip = <uint64_t>1 << below(random, self.table.n_sets[column])
                    if tree[node].mask != flip:  # a set holds something
                        tree[node].mask ^= flip
                    return node
                self.random_test(&tree[node], column, False, random)
        return node

    cdef int drop_empty(self, Gene *tree) except -1 nogil:
        """Take out tests that send all rows one way; returns how many."""
        cdef int32_t node = 0, left, right, kept
        cdef int dropped = 0
        while node < tree[0].size:
            if tree[node].column >= 0:
                left = node + 1
                right = left + tree[left].size
                if tree[left].rows == 0 or tree[right].rows == 0:
                    kept = left if tree[left].rows else right
                    memcpy(&self.slip[0], &tree[kept], tree[kept].size * sizeof(Gene))
                    self.replace(tree, node, &self.slip[0])
                    dropped += 1
                    continue
            node += 1
        return dropped
