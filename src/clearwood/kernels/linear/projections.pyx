"""Projections: the weighted sums of a node's rows, kept up to date weight by weight.

Cells are multiples of 2**-18 below 64 and weights are multiples of 2**-16 up to 8, so a product has at most 43 bits. A
double has 53: sums of 1,024 products are exact, in any order; those of 2,048, the most that a plane may have, unless
nearly all cells and weights lie at their limits. So a projection that was changed weight by weight equals one that is
formed anew, to the last bit, and rows on a plane stay on their side.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t

from clearwood.kernels.linear.tree cimport LinearTree


cdef int add_column(LinearTree tree, int32_t node, int32_t feature, double change) except -1 nogil:
    """A changed weight changes the projections by one column."""
    cdef int32_t i, level = tree.level[node], first = tree.start[node], last = tree.end[node], row
    if last - first == tree.data.n_rows:  # all rows: no list of them is needed, and the loop can be unrolled
        for i in range(last):
            tree.projection[level, i] += change * tree.data.x[feature, i]
        return 0
    for i in range(first, last):
        row = tree.rows[level, i]
        tree.projection[level, row] += change * tree.data.x[feature, row]
    return 0


cdef int add_two_columns(LinearTree tree, int32_t node, int32_t one, int32_t two, bint anew) except -1 nogil:
    """Add two features' parts of the projections, or start them with these.

    Two at a time, because the sums are read and written once for both, and memory takes longer than the products.
    """
    cdef int32_t i, level = tree.level[node], first = tree.start[node], last = tree.end[node], row
    cdef double a = tree.w[node, one], b = tree.w[node, two]
    if last - first == tree.data.n_rows:
        if anew:
            for i in range(last):
                tree.projection[level, i] = a * tree.data.x[one, i] + b * tree.data.x[two, i]
        else:
            for i in range(last):
                tree.projection[level, i] += a * tree.data.x[one, i] + b * tree.data.x[two, i]
    elif anew:
        for i in range(first, last):
            row = tree.rows[level, i]
            tree.projection[level, row] = a * tree.data.x[one, row] + b * tree.data.x[two, row]
    else:
        for i in range(first, last):
            row = tree.rows[level, i]
            tree.projection[level, row] += a * tree.data.x[one, row] + b * tree.data.x[two, row]
    return 0


cdef int project(LinearTree tree, int32_t node) except -1 nogil:
    """The projections of a node's rows from the beginning."""
    cdef int32_t k, one = -1, level = tree.level[node], i
    cdef bint anew = True
    for k in range(tree.data.n_numeric):
        if tree.w[node, k] == 0.0:
            continue
        if one < 0:  # the first of a pair waits for the second
            one = k
        else:
            add_two_columns(tree, node, one, k, anew)
            anew = False
            one = -1
    if one >= 0:
        if anew:
            for i in range(tree.start[node], tree.end[node]):
                tree.projection[level, tree.rows[level, i]] = 0.0
        add_column(tree, node, one, tree.w[node, one])
    return 0


cdef int set_weight(LinearTree tree, int32_t node, int32_t feature, double weight) except -1 nogil:
    """Change one weight of a plane whose projections are up to date, and keep them so."""
    cdef double before = tree.w[node, feature]
    tree.n_weights[node] += (weight != 0.0) - (before != 0.0)
    tree.w[node, feature] = weight
    return add_column(tree, node, feature, weight - before)


cdef int32_t most_weights(LinearTree tree, int32_t node) except -1 nogil:
    """How many weights the rows of a node can bear (section 2.2: five objects for each weight), at least one."""
    cdef int32_t most = <int32_t>((tree.end[node] - tree.start[node]) / tree.limits.objects_per_weight)
    return max(1, min(most, tree.limits.plane_weights))


cdef int keep_largest(LinearTree tree, int32_t node, bint projected) except -1 nogil:
    """Drop the smallest weights of a plane until there are rows enough for those that are left."""
    cdef int32_t k, smallest, most = most_weights(tree, node)
    while tree.n_weights[node] > most:
        smallest = -1
        for k in range(tree.data.n_numeric):
            if tree.w[node, k] != 0.0 and (
                smallest < 0 or fabs(tree.w[node, k]) < fabs(tree.w[node, smallest])
            ):
                smallest = k
        if projected:
            set_weight(tree, node, smallest, 0.0)
        else:
            tree.n_weights[node] -= 1
            tree.w[node, smallest] = 0.0
    return 0
