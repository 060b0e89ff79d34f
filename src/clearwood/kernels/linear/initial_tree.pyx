"""Initial tree: a random tree to begin with."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.common.random_stream cimport RandomStream, below
from clearwood.kernels.linear.dipolar_tests cimport place_test
from clearwood.kernels.linear.rows cimport relocate, send_down
from clearwood.kernels.linear.tree cimport LinearTree


cdef int grow_initial_tree(LinearTree tree, int32_t n_sample, RandomStream *random) except -1 nogil:
    """Grow a tree of the first population: dipolar tests from the top down on a sample of the rows, then all rows.

    A node is split until it is pure, too small for two leaves, or as deep as allowed, or until there are leaves
    enough. Only then are all rows sent down, and what does not pay is pruned.
    """
    cdef int32_t i, j, node, n_rows = tree.data.n_rows, first = 0, last = 1, most = tree.limits.max_leaves
    tree.make_leaf(0)
    for i in range(n_sample):  # the first steps of a shuffle
        j = i + below(random, n_rows - i)
        node = tree.rows[0, i]
        tree.rows[0, i] = tree.rows[0, j]
        tree.rows[0, j] = node
    tree.end[0] = n_sample
    tree.count_node(0)
    tree.stack[0] = 0
    while first < last and last < most:  # stack[first:last]: nodes to be split, breadth first
        node = tree.stack[first]
        first += 1
        if tree.end[node] - tree.start[node] < 2 * tree.limits.min_leaf or not place_test(tree, node, random):
            tree.kind[node] = LEAF
            continue
        tree.split_leaf(node)
        if send_down(tree, node):
            tree.stack[last], tree.stack[last + 1] = tree.left[node], tree.right[node]
            last += 2
    for i in range(n_rows):
        tree.rows[0, i] = i
    tree.end[0] = n_rows
    tree.count_node(0)
    return relocate(tree, 0, False)
