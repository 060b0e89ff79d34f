"""Tree mutation: one node of a tree, or each with a small chance, is changed in a way of section 2.2."""

from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.common.random_stream cimport RandomStream, below, fraction, random_stream
from clearwood.kernels.linear.dipolar_tests cimport place_test
from clearwood.kernels.linear.rows cimport relocate
from clearwood.kernels.linear.split_mutation cimport change_test, shift_test
from clearwood.kernels.linear.tree cimport LinearTree

cdef enum:
    TRIES = 10  # ways that are drawn before a node is left as it is

cdef enum:  # the ways to change an inner node: drawn where a number below 100 is less than this, and not the one before
    SHIFT = 40      # the dipolar operator
    CHANGE = 75     # of a weight or the threshold
    PLACE = 88      # a new dipolar test
    SWAP = 92       # tests with a son
    REPLACE = 95    # one subtree by a copy of the other; from here on: a leaf


cdef int32_t draw_by_rank(LinearTree tree, bint leaves, RandomStream *random) except -2 nogil:
    """A node by linear ranking, or -1: impure leaves by errors, inner nodes by level (section 2.2 and Fig. 1).

    The i-th of n, from the best leaf or the root on, is drawn with a chance of i / (1 + 2 + … + n): leaves with many
    errors and nodes near the leaves most often. The tree's scratch holds the list while it is sorted by insertion.
    """
    cdef int32_t i, j, n = tree.walk(0), found = 0, here
    cdef double key
    for i in range(n):
        here = tree.order[i]
        if (tree.kind[here] == LEAF) != leaves or (leaves and tree.errors[here] <= 0.0):
            continue
        key = tree.errors[here] if leaves else tree.level[here]
        j = found
        while j > 0 and tree.below_errors[j - 1] > key:
            tree.below_errors[j] = tree.below_errors[j - 1]
            tree.stack[j] = tree.stack[j - 1]
            j -= 1
        tree.below_errors[j] = key
        tree.stack[j] = here
        found += 1
    if not found:
        return -1
    j = below(random, found * (found + 1) // 2)
    for i in range(found):  # j falls into the stretch of 1, 2, 3, … numbers that belongs to node i
        j -= i + 1
        if j < 0:
            return tree.stack[i]
    return tree.stack[found - 1]


cdef int mutate_tree(LinearTree tree, bint grows, RandomStream *random) except -1 nogil:
    """Change one node, a leaf or an inner node with equal chance, drawn by rank; returns whether one was changed."""
    cdef bint leaves = fraction(random) < 0.5 and grows
    cdef int32_t node = draw_by_rank(tree, leaves, random)
    if node < 0 and grows:
        leaves = not leaves
        node = draw_by_rank(tree, leaves, random)
    if node < 0:
        return 0
    return mutate_node(tree, node, random)


cdef int mutate_nodes(LinearTree tree, double rate, int *gained, RandomStream *random) except -1 nogil:
    """Change each node with the same small chance, as the authors' earlier system did; returns how many.

    ``gained`` is how many of the changes raised the tree's fitness, each beside what it was before that change.
    """
    cdef int32_t n = tree.walk(0), i = 0, changed = 0
    cdef double before
    gained[0] = 0
    while i < n:  # a change may renumber or remove nodes behind this one, so the walk is made anew
        if fraction(random) < rate:
            before = tree.fitness
            changed += mutate_node(tree, tree.order[i], random)
            gained[0] += tree.fitness > before
            n = tree.walk(0)
        i += 1
    return changed


cdef int mutate_node(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil:
    """Change a node in one of the ways that it allows; returns whether it was changed.

    Changes of a weight or the threshold keep the projections up to date, so that rows are parted anew without them.
    """
    cdef int32_t _t, way, child
    if tree.kind[node] == LEAF:
        return expand(tree, node, random)
    for _t in range(TRIES):  # a way that the node does not allow gives way to another
        way = below(random, 100)
        if way < SHIFT:
            if shift_test(tree, node, random):
                relocate(tree, node, True)
                return 1
        elif way < CHANGE:
            if change_test(tree, node, random):
                relocate(tree, node, True)
                return 1
        elif way < PLACE:
            if place_test(tree, node, random):
                relocate(tree, node, False)
                return 1
        elif way < SWAP:
            child = tree.left[node] if fraction(random) < 0.5 else tree.right[node]
            if tree.kind[child] == LEAF:
                child = tree.left[node] + tree.right[node] - child  # the other one
            if tree.kind[child] != LEAF and tree.swap_tests(node, tree, child):
                relocate(tree, node, False)
                return 1
        elif way < REPLACE:
            if replace_branch(tree, node, random):
                relocate(tree, node, True)
                return 1
        else:
            tree.make_leaf(node)
            tree.assess()
            return 1
    return 0


cdef int expand(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil:
    """Put a test with two leaves in the place of a leaf."""
    if tree.n_leaves >= tree.limits.max_leaves or tree.level[node] >= tree.limits.max_levels:
        return 0
    if tree.n_free < 2 or tree.errors[node] <= 0.0:
        return 0
    if tree.end[node] - tree.start[node] < 2 * tree.limits.min_leaf:
        return 0
    if not place_test(tree, node, random):
        tree.kind[node] = LEAF
        return 0
    tree.split_leaf(node)
    relocate(tree, node, False)
    return 1


cdef bint replace_branch(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil:
    """Put a copy of one subtree of a node in the place of the other."""
    cdef int32_t giver = tree.left[node], taker = tree.right[node], size
    if fraction(random) < 0.5:
        giver, taker = taker, giver
    if tree.kind[giver] == LEAF and tree.kind[taker] == LEAF:
        return False
    size = tree.walk(giver)
    # a subtree of n nodes has (n + 1) / 2 leaves
    if size > tree.n_free or tree.n_leaves + (size - tree.walk(taker)) // 2 > tree.limits.max_leaves:
        return False
    tree.graft(taker, tree, giver)
    return True


def drawn_nodes(LinearTree tree, bint leaves, uint64_t seed, Py_ssize_t n):
    """Nodes drawn by rank n times, as places in reading order, for tests; -1 where there is none."""
    cdef RandomStream random = random_stream(seed, 0, 0)
    nodes = [draw_by_rank(tree, leaves, &random) for _ in range(n)]
    reading = {node: place for place, node in enumerate(np.asarray(tree.order)[: tree.walk(0)].tolist())}
    return [reading.get(node, -1) for node in nodes]
