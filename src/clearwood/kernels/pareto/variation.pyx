"""Variation: random trees, crossover, and the five mutations."""

from cython cimport final
from libc.stdint cimport int32_t, uint64_t

from clearwood.kernels.common.random_stream cimport RandomStream, below, chance, random_bits
from clearwood.kernels.pareto.bit_table cimport BitTable
from clearwood.kernels.pareto.gene cimport Gene
from clearwood.kernels.pareto.individuals cimport Individuals

cdef enum:  # the places of the scratch
    PIECE = 0   # a subtree that is made or kept, until it is put in its place
    OTHER = 1   # a subtree of the other parent, which crossover overwrites meanwhile


@final
cdef class Variation:
    """Makes and changes trees of 2 to ``max_leaves`` leaves; ``scratch`` has room for two subtrees."""

    def __init__(self, BitTable table, int32_t max_leaves):
        self.table = table
        self.max_leaves = max_leaves
        self.scratch = Individuals(2, max_leaves)

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
            if gene.mask == 0:  # one value; also in place of the empty set, which would part nothing
                gene.test = self.table.boundary[first + below(random, n)]
        elif boundary and n:
            gene.test = self.table.boundary[first + below(random, n)]
        else:
            first = self.table.test_start[column]
            gene.test = first + below(random, self.table.test_start[column + 1] - first)
        return 0

    cdef int random_subtree(
        self, Individuals trees, Py_ssize_t place, int32_t node, int32_t leaves, RandomStream *random
    ) except -1 nogil:
        """Write a random subtree with the given number of leaves, in pre-order from a node on."""
        cdef int32_t left
        trees.genes[place, node].size = 2 * leaves - 1
        trees.genes[place, node].wrong = trees.genes[place, node].rows = 0
        trees.genes[place, node].spare = 0
        if leaves == 1:
            trees.genes[place, node].column = trees.genes[place, node].test = -1
            trees.genes[place, node].mask = 0
            trees.genes[place, node].missing = 0
            trees.genes[place, node].label = below(random, <int32_t>self.table.n_classes)
            return 0
        trees.genes[place, node].label = 0
        self.random_test(
            &trees.genes[place, node], self.table.usable[below(random, <int32_t>self.table.usable.shape[0])], False,
            random)
        left = 1 + below(random, leaves - 1)
        self.random_subtree(trees, place, node + 1, left, random)
        return self.random_subtree(trees, place, node + 2 * left, leaves - left, random)

    cdef int replace(self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t piece) except -1 nogil:
        """Put a piece of the scratch in the place of the subtree at a node."""
        cdef int32_t here = 0, left, right, i, n = trees.genes[place, 0].size
        cdef int32_t old = trees.genes[place, node].size, change = self.scratch.genes[piece, 0].size - old
        while here != node:  # only the nodes above have another size now
            trees.genes[place, here].size += change
            left = here + 1
            right = left + trees.genes[place, left].size
            here = left if node < right else right
        # what lies behind moves by the difference, from the far end if it moves away: nothing is overwritten unread
        if change > 0:
            for i in range(n - 1, node + old - 1, -1):
                trees.genes[place, i + change] = trees.genes[place, i]
        elif change < 0:
            for i in range(node + old, n):
                trees.genes[place, i + change] = trees.genes[place, i]
        return trees.copy_genes(place, node, self.scratch, piece, 0)

    cdef int32_t room_at(self, Individuals trees, Py_ssize_t place, int32_t node) except -1 nogil:
        """How many leaves a subtree at a node may have: a tree of s nodes has (s + 1) / 2 leaves."""
        return self.max_leaves - (trees.genes[place, 0].size - trees.genes[place, node].size) // 2

    cdef int replace_at_random(
        self, Individuals trees, Py_ssize_t place, int32_t node, int32_t leaves, RandomStream *random
    ) except -1 nogil:
        """Put a new random subtree in the place of the subtree at a node."""
        self.random_subtree(self.scratch, PIECE, 0, leaves, random)
        return self.replace(trees, place, node, PIECE)

    cdef int graft(
        self, Individuals trees, Py_ssize_t place, int32_t node, Py_ssize_t piece, RandomStream *random
    ) except -1 nogil:
        """Replace the subtree at a node by a piece, or by a random subtree if that would make the tree too large."""
        cdef int32_t room = self.room_at(trees, place, node)
        if (self.scratch.genes[piece, 0].size + 1) // 2 <= room:
            return self.replace(trees, place, node, piece)
        return self.replace_at_random(trees, place, node, 1 + below(random, room), random)

    cdef int32_t random_branch(self, Individuals trees, Py_ssize_t place, RandomStream *random) except -1 nogil:
        """A node below the root, each with the same chance."""
        return 1 + below(random, trees.genes[place, 0].size - 1)

    cdef int crossover(
        self, Individuals trees, Py_ssize_t a, int32_t node_a, Py_ssize_t b, int32_t node_b, RandomStream *random
    ) except -1 nogil:
        """Swap a branch of one tree for a branch of another (Fig. 11.3)."""
        self.scratch.copy_genes(OTHER, 0, trees, a, node_a)
        self.scratch.copy_genes(PIECE, 0, trees, b, node_b)
        self.graft(trees, a, node_a, PIECE, random)
        return self.graft(trees, b, node_b, OTHER, random)

    cdef int32_t mutate(self, Individuals trees, Py_ssize_t place, RandomStream *random) except -2 nogil:
        """Apply one of the five operators, each as likely as the others; returns where the tree changed."""
        cdef int32_t changed = -1
        while changed < 0:  # an operator that cannot be applied gives way to another
            changed = self.mutate_by(1 + below(random, 5), trees, place, random)
        return changed

    cdef int32_t mutate_by(
        self, int32_t operator, Individuals trees, Py_ssize_t place, RandomStream *random
    ) except -2 nogil:
        """Apply the given operator; returns where the tree changed, or -1 if there is nothing to apply it to."""
        cdef int32_t node, n_inner = trees.genes[place, 0].size // 2, leaves = n_inner + 1
        if operator == NEW_SUBTREE:
            node = self.random_branch(trees, place, random)
            self.replace_at_random(
                trees, place, node, 1 + below(random, self.room_at(trees, place, node)), random)
        elif operator == SPLIT_LEAF:
            if leaves >= self.max_leaves:
                return -1
            node = trees.nth_leaf(place, below(random, leaves))
            self.replace_at_random(trees, place, node, 2, random)
        elif operator == CUT_SUBTREE:
            if n_inner < 2:
                return -1
            node = trees.nth_inner(place, 1 + below(random, n_inner - 1))
            self.replace_at_random(trees, place, node, 1, random)
        else:
            node = trees.nth_inner(place, below(random, n_inner))
            if operator == BOUNDARY_TEST:
                self.random_test(
                    &trees.genes[place, node],
                    self.table.usable[below(random, <int32_t>self.table.usable.shape[0])], True, random)
            else:
                self.change_test(trees, place, node, random)
        return node

    cdef int change_test(self, Individuals trees, Py_ssize_t place, int32_t node, RandomStream *random) except -1 nogil:
        """Change a test's attribute, or only its threshold or its values; of a set, half the time one value."""
        cdef int32_t column = trees.genes[place, node].column
        cdef uint64_t flip
        if chance(random, 0.5):
            column = self.table.usable[below(random, <int32_t>self.table.usable.shape[0])]
        elif self.table.is_nominal[column] and trees.genes[place, node].test < 0 and chance(random, 0.5):
            flip = <uint64_t>1 << below(random, self.table.n_sets[column])
            if trees.genes[place, node].mask != flip:  # a set holds something
                trees.genes[place, node].mask ^= flip
            return 0
        return self.random_test(&trees.genes[place, node], column, False, random)

    cdef int drop_empty(self, Individuals trees, Py_ssize_t place) except -1 nogil:
        """Take out tests that send all rows one way, so that every leaf has rows; returns how many."""
        cdef int32_t node = 0, left, right
        cdef int dropped = 0
        while node < trees.genes[place, 0].size:  # invariant: no test before node sends all rows one way
            if trees.genes[place, node].column >= 0:
                left = node + 1
                right = left + trees.genes[place, left].size
                if trees.genes[place, left].rows == 0 or trees.genes[place, right].rows == 0:
                    self.scratch.copy_genes(PIECE, 0, trees, place, left if trees.genes[place, left].rows else right)
                    self.replace(trees, place, node, PIECE)
                    dropped += 1
                    continue  # the branch that stays is looked at itself
            node += 1
        return dropped
