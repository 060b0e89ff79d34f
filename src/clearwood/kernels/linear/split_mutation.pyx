"""Split mutation: small changes to the test of a node.

The projections of a plane are up to date when it is changed, and are kept so (``set_weight``).
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t

from clearwood.kernels.common.codes cimport SUBSET
from clearwood.kernels.common.random_stream cimport RandomStream, below, fraction, nearly_normal
from clearwood.kernels.linear.dipolar_tests cimport TRIES, rounded, some_row
from clearwood.kernels.linear.projections cimport most_weights, set_weight
from clearwood.kernels.linear.tree cimport LinearTree

cdef extern from *:
    """
    #define CW_LARGEST 8.0
    """
    const double LARGEST "CW_LARGEST"  # of a weight: see projections.pyx


cdef bint shift_test(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil:
    """The dipolar operator: cut a mixed dipole that is not divided, or stop cutting a pure one.

    False, and nothing changed, where no such pair was met among those that were drawn.
    """
    cdef int32_t _t, one, two
    cdef double h_one, h_two
    cdef bint mixed, divided
    if tree.kind[node] == SUBSET:
        return shift_values(tree, node, random)
    for _t in range(TRIES):
        one, two = some_row(tree, node, random), some_row(tree, node, random)
        h_one = tree.projection[tree.level[node], one] - tree.threshold[node]
        h_two = tree.projection[tree.level[node], two] - tree.threshold[node]
        mixed = tree.data.y[one] != tree.data.y[two]
        divided = (h_one <= 0.0) != (h_two <= 0.0)
        if mixed == divided or one == two:  # as it should be
            continue
        if fabs(h_one) > fabs(h_two):  # the nearer row first
            one, two = two, one
            h_one, h_two = h_two, h_one
        if shift_plane(tree, node, one, two, h_one, h_two, mixed, random):
            return True
    return False


cdef bint shift_plane(
    LinearTree tree, int32_t node, int32_t one, int32_t two, double h_one, double h_two, bint cut, RandomStream *random
) except -1 nogil:
    """Change one coefficient so that the plane passes between two rows, or beyond the nearer one.

    ``h_one`` and ``h_two`` are the rows' projections less the threshold, the nearer row first. The plane is to pass
    through the point one + t (two - one), whose projection less the threshold is ``height``: either the threshold rises
    by that, or one weight falls by it, divided by the point's cell ``where``.
    """
    cdef double t = fraction(random), where, height, weight
    cdef int32_t k
    t = t * t  # near the nearer row: a small shift is more often a good one
    if not cut:
        t = -t
    height = h_one + t * (h_two - h_one)
    k = below(random, tree.data.n_numeric + 1)
    if k == tree.data.n_numeric:
        tree.threshold[node] += height
        return True
    where = tree.data.x[k, one] + t * (<double>tree.data.x[k, two] - <double>tree.data.x[k, one])
    if where == 0.0:
        return False
    weight = rounded(tree.w[node, k] - height / where)
    return try_weight(tree, node, k, weight)


cdef bint try_weight(LinearTree tree, int32_t node, int32_t feature, double weight) except -1 nogil:
    """Set a weight, unless it is too large, the same, one more than the rows can bear, or the last to become zero."""
    if fabs(weight) > LARGEST or weight == tree.w[node, feature]:
        return False
    if tree.w[node, feature] == 0.0 and tree.n_weights[node] >= most_weights(tree, node):
        return False
    if weight == 0.0 and tree.n_weights[node] == 1:
        return False
    set_weight(tree, node, feature, weight)
    return True


cdef bint shift_values(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil:
    """The same for a set: move the value of one row of a dipole to the other side."""
    cdef int32_t _t, one, two, a, b
    cdef bint mixed, divided
    for _t in range(TRIES):
        one, two = some_row(tree, node, random), some_row(tree, node, random)
        a, b = tree.data.codes[tree.feature[node], one], tree.data.codes[tree.feature[node], two]
        if a < 0 or b < 0 or a == b:
            continue
        mixed = tree.data.y[one] != tree.data.y[two]
        divided = tree.in_set[node, a] != tree.in_set[node, b]
        if mixed != divided:
            tree.in_set[node, a] = not tree.in_set[node, a]
            return True
    return False


cdef bint change_test(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil:
    """Change one weight, drop one feature or move the threshold; of a set, move one value."""
    cdef int32_t k, n = tree.data.n_numeric
    cdef double step, weight
    if tree.kind[node] == SUBSET:
        k = below(random, tree.data.n_values[tree.feature[node]])
        tree.in_set[node, k] = not tree.in_set[node, k]
        return True
    # the step comes first although dropping needs none: seeded runs depend on the order of draws
    step = nearly_normal(random) / (1 << below(random, 9))  # of any size: coarse at first, fine in the end
    if fraction(random) < tree.limits.dropped and tree.n_weights[node] > 1:
        return drop_weight(tree, node, random)
    k = below(random, n + 1)
    if k == n:
        tree.threshold[node] += step
        return True
    weight = rounded(tree.w[node, k] + step)
    return try_weight(tree, node, k, weight)


cdef bint drop_weight(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil:
    """Make one weight zero; the threshold allows for the feature's mean, so that the plane stays where the rows are."""
    cdef int32_t k = 0, i, chosen = below(random, tree.n_weights[node])
    cdef double mean = 0.0
    for k in range(tree.data.n_numeric):
        if tree.w[node, k] != 0.0:
            if chosen == 0:
                break
            chosen -= 1
    for i in range(tree.start[node], tree.end[node]):
        mean += tree.data.x[k, tree.rows[tree.level[node], i]]
    mean /= tree.end[node] - tree.start[node]
    tree.threshold[node] -= tree.w[node, k] * mean
    set_weight(tree, node, k, 0.0)
    return True
