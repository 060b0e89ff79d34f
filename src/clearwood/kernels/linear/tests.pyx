"""New tests by the dipolar rule, and small changes to the tests that there are."""

from libc.math cimport fabs, floor
from libc.stdint cimport int32_t

from clearwood.kernels.common.random_stream cimport RandomStream, below, fraction, nearly_normal
from clearwood.kernels.linear.rows cimport set_weight
from clearwood.kernels.linear.tree cimport PLANE, VALUES, LinearTree

cdef enum:
    TRIES = 60  # pairs looked at before an operator gives up
    MANY = 64

cdef extern from *:
    """
    #define CW_GRAIN 65536.0
    #define CW_LARGEST 8.0
    """
    const double GRAIN "CW_GRAIN"  # weights are multiples of 1 / GRAIN: see linear_data.pxd
    const double LARGEST "CW_LARGEST"


cdef inline double rounded(double weight) noexcept nogil:
    return floor(weight * GRAIN + 0.5) / GRAIN


cdef inline int32_t some_row(LinearTree tree, int32_t node, RandomStream *random) noexcept nogil:
    return tree.rows[tree.level[node], tree.start[node] + below(random, tree.end[node] - tree.start[node])]


cdef bint mixed_dipole(LinearTree tree, int32_t node, RandomStream *random, int32_t* one, int32_t* two) noexcept nogil:
    """Two rows of a node from different classes."""
    cdef int32_t _t, i, first, n = tree.end[node] - tree.start[node]
    if tree.errors[node] <= 0.0 or n < 2:
        return False
    one[0] = some_row(tree, node, random)
    for _t in range(TRIES):
        two[0] = some_row(tree, node, random)
        if tree.data.y[one[0]] != tree.data.y[two[0]]:
            return True
    first = below(random, n)  # one class has nearly all the rows: look at all of them from anywhere
    for i in range(n):
        two[0] = tree.rows[tree.level[node], tree.start[node] + (first + i) % n]
        if tree.data.y[one[0]] != tree.data.y[two[0]]:
            return True
    return False


cdef int32_t most_weights(LinearTree tree, int32_t node) noexcept nogil:
    """How many weights the rows of a node can bear."""
    cdef int32_t most = <int32_t>((tree.end[node] - tree.start[node]) / tree.limits.objects_per_weight)
    return max(1, min(most, tree.limits.plane_weights))


cdef bint place_plane(
    LinearTree tree, int32_t node, int32_t one, int32_t two, int32_t most, RandomStream *random
) noexcept nogil:
    """A plane perpendicular to the segment between two rows, that cuts it anywhere."""
    cdef int32_t k, n = 0, spare
    cdef double widest = 0.0, at_one = 0.0, at_two = 0.0, gap, where
    for k in range(tree.data.n_numeric):
        gap = <double>tree.data.x[k, one] - <double>tree.data.x[k, two]
        tree.w[node, k] = gap
        n += gap != 0.0
        widest = max(widest, fabs(gap))
    if n == 0:
        return False
    if n > MANY:  # the same draw in one pass, for wide tables
        spare = n - most
        for k in range(tree.data.n_numeric):
            if tree.w[node, k] != 0.0 and spare > 0:
                if below(random, n) < spare:
                    tree.w[node, k] = 0.0
                    spare -= 1
                n -= 1
        n = most
    while n > most:  # features that the rows cannot bear are left out at random
        spare = below(random, n)
        for k in range(tree.data.n_numeric):
            if tree.w[node, k] != 0.0:
                if spare == 0:
                    tree.w[node, k] = 0.0
                    break
                spare -= 1
        n -= 1
    widest = 0.0
    for k in range(tree.data.n_numeric):
        widest = max(widest, fabs(tree.w[node, k]))
    n = 0
    for k in range(tree.data.n_numeric):
        tree.w[node, k] = rounded(tree.w[node, k] / widest)
        n += tree.w[node, k] != 0.0
        at_one += tree.w[node, k] * tree.data.x[k, one]
        at_two += tree.w[node, k] * tree.data.x[k, two]
    where = fraction(random)
    tree.kind[node] = PLANE
    tree.n_weights[node] = n
    tree.threshold[node] = at_one + where * (at_two - at_one)
    return True


cdef bint place_values(
    LinearTree tree, int32_t node, int32_t feature, int32_t one, int32_t two, RandomStream *random
) noexcept nogil:
    """A set of values that parts two rows: one value alone, or all that stand nearer to the first row's class."""
    cdef int32_t a = tree.data.codes[feature, one], b = tree.data.codes[feature, two], v, i, row
    cdef int32_t n = tree.data.n_values[feature], first = tree.data.y[one], second = tree.data.y[two]
    cdef double balance
    if a < 0 or b < 0 or a == b:
        return False
    cdef bint alone = fraction(random) < 0.5
    for v in range(n):
        tree.in_set[node, v] = 0
    if not alone:
        for v in range(n):
            balance = 0.0
            for i in range(tree.start[node], tree.end[node]):
                row = tree.rows[tree.level[node], i]
                if tree.data.codes[feature, row] == v:
                    if tree.data.y[row] == first:
                        balance += tree.data.weights[row] / tree.counts[node, first]
                    elif tree.data.y[row] == second:
                        balance -= tree.data.weights[row] / tree.counts[node, second]
            tree.in_set[node, v] = balance > 0.0 or (balance == 0.0 and fraction(random) < 0.5)
    tree.in_set[node, a], tree.in_set[node, b] = 1, 0
    tree.kind[node] = VALUES
    tree.feature[node] = feature
    return True


cdef bint place_test(LinearTree tree, int32_t node, RandomStream *random) noexcept nogil:
    """Give a node a new test that parts a mixed dipole of its rows."""
    cdef int32_t one = 0, two = 0, _t, k, n = tree.data.n_numeric, n_all = n + tree.data.n_nominal
    for _t in range(8):
        if not mixed_dipole(tree, node, random, &one, &two):
            return False
        if n > 0 and fraction(random) >= tree.limits.univariate_share:
            if place_plane(tree, node, one, two, most_weights(tree, node), random):
                return True
            continue
        k = below(random, n_all)
        if k >= n:
            if place_values(tree, node, k - n, one, two, random):
                return True
        elif place_threshold(tree, node, k, one, two, random):
            return True
    return False


cdef bint place_threshold(
    LinearTree tree, int32_t node, int32_t feature, int32_t one, int32_t two, RandomStream *random
) noexcept nogil:
    """A plane with one weight, between two rows."""
    cdef int32_t k
    cdef double a = tree.data.x[feature, one], b = tree.data.x[feature, two]
    if a == b:
        return False
    for k in range(tree.data.n_numeric):
        tree.w[node, k] = 0.0
    tree.w[node, feature] = 1.0
    tree.kind[node] = PLANE
    tree.n_weights[node] = 1
    tree.threshold[node] = a + fraction(random) * (b - a)
    return True


# -- changes to a test ------------------------------------------------------------------------------


cdef bint shift_test(LinearTree tree, int32_t node, RandomStream *random) noexcept nogil:
    """The dipolar operator: cut a mixed dipole that is not divided, or stop cutting a pure one."""
    cdef int32_t _t, one, two
    cdef double h_one, h_two
    cdef bint mixed, divided
    if tree.kind[node] == VALUES:
        return shift_values(tree, node, random)
    for _t in range(TRIES):
        one, two = some_row(tree, node, random), some_row(tree, node, random)
        h_one = tree.projection[tree.level[node], one] - tree.threshold[node]
        h_two = tree.projection[tree.level[node], two] - tree.threshold[node]
        mixed = tree.data.y[one] != tree.data.y[two]
        divided = (h_one <= 0.0) != (h_two <= 0.0)
        if mixed == divided or one == two:
            continue
        if fabs(h_one) > fabs(h_two):  # the nearer row first
            one, two = two, one
            h_one, h_two = h_two, h_one
        if shift_plane(tree, node, one, two, h_one, h_two, mixed, random):
            return True
    return False


cdef bint shift_plane(
    LinearTree tree, int32_t node, int32_t one, int32_t two, double h_one, double h_two, bint cut, RandomStream *random
) noexcept nogil:
    """Change one coefficient so that the plane passes between two rows, or beyond the nearer one."""
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
    if fabs(weight) > LARGEST or weight == tree.w[node, k]:
        return False
    if tree.w[node, k] == 0.0 and tree.n_weights[node] >= most_weights(tree, node):
        return False
    if weight == 0.0 and tree.n_weights[node] == 1:
        return False
    set_weight(tree, node, k, weight)
    return True


cdef bint shift_values(LinearTree tree, int32_t node, RandomStream *random) noexcept nogil:
    """Move the value of one row of a dipole to the other side."""
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


cdef bint change_test(LinearTree tree, int32_t node, RandomStream *random) noexcept nogil:
    """Change one weight, drop one feature or move the threshold; of a set, move one value."""
    cdef int32_t k, n = tree.data.n_numeric
    cdef double step, weight
    if tree.kind[node] == VALUES:
        k = below(random, tree.data.n_values[tree.feature[node]])
        tree.in_set[node, k] = not tree.in_set[node, k]
        return True
    step = nearly_normal(random) / (1 << below(random, 9))  # of any size: coarse at first, fine in the end
    if fraction(random) < tree.limits.dropped and tree.n_weights[node] > 1:
        return drop_weight(tree, node, random)
    k = below(random, n + 1)
    if k == n:
        tree.threshold[node] += step
        return True
    weight = rounded(tree.w[node, k] + step)
    if fabs(weight) > LARGEST or weight == tree.w[node, k] or (weight == 0.0 and tree.n_weights[node] == 1):
        return False
    if tree.w[node, k] == 0.0 and tree.n_weights[node] >= most_weights(tree, node):
        return False
    set_weight(tree, node, k, weight)
    return True


cdef bint drop_weight(LinearTree tree, int32_t node, RandomStream *random) noexcept nogil:
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
