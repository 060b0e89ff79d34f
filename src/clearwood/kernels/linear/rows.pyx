"""Rows: where they lie in a tree, and how they get there after a change.

The rows of a node are a range of its level's list, ascending, and its branches share that range one level down. So a
change moves rows below the changed node and nowhere else.
"""

from libc.stdint cimport int32_t

from clearwood.kernels.common.codes cimport LEAF, LINEAR
from clearwood.kernels.linear.projections cimport keep_largest, project
from clearwood.kernels.linear.tree cimport LinearTree


cdef inline bint unknown(LinearTree tree, int32_t node, int32_t row) except -1 nogil:
    """Whether a cell that the node's test needs is missing."""
    cdef int32_t k
    if not tree.data.gappy[row]:
        return False
    if tree.kind[node] == LINEAR:
        for k in range(tree.data.n_numeric):
            if tree.w[node, k] != 0.0 and tree.data.absent[k, row]:
                return True
        return False
    return tree.data.codes[tree.feature[node], row] < 0


cdef inline bint goes_left(LinearTree tree, int32_t node, int32_t row) except -1 nogil:
    if tree.kind[node] == LINEAR:
        return tree.projection[tree.level[node], row] <= tree.threshold[node]
    return tree.in_set[node, tree.data.codes[tree.feature[node], row]]


cdef int choose_missing(LinearTree tree, int32_t node) except -1 nogil:
    """Rows that lack a tested value will follow the heavier branch of the others."""
    cdef double balance = 0.0
    cdef int32_t i, row
    for i in range(tree.start[node], tree.end[node]):
        row = tree.rows[tree.level[node], i]
        if not unknown(tree, node, row):
            if goes_left(tree, node, row):
                balance += tree.data.weights[row]
            else:
                balance -= tree.data.weights[row]
    tree.missing[node] = 0 if balance >= 0.0 else 1
    return 0


cdef int32_t partition(LinearTree tree, int32_t node) except -1 nogil:
    """Write the rows of both branches one level down, ascending, and count classes; return where branch 0 ends.

    Branch 0 is written in its place and branch 1 to the scratch, then behind it. Each row is written to both and kept
    in one, by advancing its end: cheaper than a jump that is hard to foresee. Of the i - first rows before row i,
    n_left - first went left, so that i - n_left went right. Classes are counted in one short array for both branches.
    """
    cdef int32_t i, row, c, first = tree.start[node], last = tree.end[node], n_left = first
    cdef int32_t level = tree.level[node], left = tree.left[node], right = tree.right[node], n = tree.data.n_classes
    cdef double threshold = tree.threshold[node]
    cdef bint goes
    for c in range(2 * n):
        tree.branch_counts[c] = 0.0
    if tree.kind[node] == LINEAR and not tree.data.has_gaps:
        for i in range(first, last):
            row = tree.rows[level, i]
            goes = tree.projection[level, row] <= threshold
            tree.rows[level + 1, n_left] = row
            tree.scratch[i - n_left] = row
            tree.branch_counts[(0 if goes else n) + tree.data.y[row]] += tree.data.weights[row]
            n_left += goes
    else:
        if tree.data.has_gaps:
            choose_missing(tree, node)
        for i in range(first, last):
            row = tree.rows[level, i]
            goes = tree.missing[node] == 0 if unknown(tree, node, row) else goes_left(tree, node, row)
            tree.rows[level + 1, n_left] = row
            tree.scratch[i - n_left] = row
            tree.branch_counts[(0 if goes else n) + tree.data.y[row]] += tree.data.weights[row]
            n_left += goes
    for i in range(last - n_left):
        tree.rows[level + 1, n_left + i] = tree.scratch[i]
    for c in range(n):
        tree.counts[left, c], tree.counts[right, c] = tree.branch_counts[c], tree.branch_counts[n + c]
    if not tree.data.has_gaps:  # no row lacks a value here; a later one would follow the larger branch
        tree.missing[node] = 0 if 2 * (n_left - first) >= last - first else 1
    return n_left


cdef bint send_down(LinearTree tree, int32_t node) except -1 nogil:
    """Part the rows of one node of a tree that is being grown; where a branch stays almost empty it is a leaf again."""
    if tree.level[node] >= tree.limits.max_levels:
        tree.make_leaf(node)
        return False
    if tree.level[node] >= tree.projection.shape[0]:
        with gil:
            tree.room_for_levels(tree.level[node] + 2)
    if tree.kind[node] == LINEAR:
        project(tree, node)
    return part_branches(tree, node)


cdef int relocate(LinearTree tree, int32_t node, bint projected) except -1 nogil:
    """Send a node's rows down to its leaves, remove nodes that stay almost empty, and prune what does not pay."""
    settle(tree, node, projected)
    tree.prune(node)
    return tree.assess()


cdef int settle(LinearTree tree, int32_t node, bint projected) except -1 nogil:
    """Send a node's rows down to its leaves, and remove nodes that stay almost empty.

    ``projected`` says that the projections at the node itself are up to date. The nodes to come are kept in the
    tree's ``order``, a stack here, and nothing that is called meanwhile walks the tree.
    """
    cdef int32_t top = 0, here, left, right, kept
    tree.order[0] = node
    while top >= 0:  # invariant: the rows, counts and levels of all nodes on the stack are right
        here = tree.order[top]
        top -= 1
        while tree.kind[here] != LEAF:
            if tree.level[here] >= tree.limits.max_levels or tree.errors[here] <= 0.0:
                tree.kind[here] = LEAF  # too deep, or pure; what hung below is listed as free later
                break
            if tree.level[here] >= tree.projection.shape[0]:
                with gil:
                    tree.room_for_levels(tree.level[here] + 2)
            if tree.kind[here] == LINEAR:
                keep_largest(tree, here, projected and here == node)
                if not (projected and here == node):
                    project(tree, here)
            left, right = tree.left[here], tree.right[here]
            if part_branches(tree, here):
                tree.order[top + 1], tree.order[top + 2] = right, left
                top += 2
                break
            # the branch that holds the rows takes the node's place, and all of the node's rows; its test is tried next
            kept = right
            if tree.end[left] - tree.start[left] > tree.end[right] - tree.start[right]:
                kept = left
            tree.copy_test(here, tree, kept)
            tree.left[here], tree.right[here] = tree.left[kept], tree.right[kept]
            projected = projected and here != node
    return 0


cdef bint part_branches(LinearTree tree, int32_t node) except -1 nogil:
    """Give the branches of a node their rows, counts and levels; False where one of them stays almost empty."""
    cdef int32_t left = tree.left[node], right = tree.right[node], middle = partition(tree, node)
    tree.start[left], tree.end[left] = tree.start[node], middle
    tree.start[right], tree.end[right] = middle, tree.end[node]
    if middle - tree.start[node] < tree.limits.min_leaf or tree.end[node] - middle < tree.limits.min_leaf:
        return False
    tree.sum_up(left)
    tree.sum_up(right)
    tree.level[left] = tree.level[right] = tree.level[node] + 1
    return True
