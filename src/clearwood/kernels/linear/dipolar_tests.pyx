"""Dipolar tests: new tests that part two rows of different classes, a mixed dipole (section 2.2)."""

from libc.math cimport fabs
from libc.stdint cimport int32_t

from clearwood.kernels.common.codes cimport LINEAR, SUBSET
from clearwood.kernels.common.random_stream cimport RandomStream, below, fraction
from clearwood.kernels.linear.projections cimport most_weights
from clearwood.kernels.linear.tree cimport LinearTree

cdef enum:
    DIPOLES = 8  # tried before a node is left without a new test
    MANY = 64  # features; of more, those to leave out are drawn in one pass


cdef struct Dipole:
    int32_t one
    int32_t two


cdef bint mixed_dipole(LinearTree tree, int32_t node, Dipole *ends, RandomStream *random) except -1 nogil:
    """Find two rows of a node from different classes; False where there are none."""
    cdef int32_t _t, i, first, n = tree.end[node] - tree.start[node]
    if tree.errors[node] <= 0.0 or n < 2:
        return False
    ends.one = some_row(tree, node, random)
    for _t in range(TRIES):
        ends.two = some_row(tree, node, random)
        if tree.data.y[ends.one] != tree.data.y[ends.two]:
            return True
    first = below(random, n)  # one class has nearly all the rows: look at all of them from anywhere
    for i in range(n):
        ends.two = tree.rows[tree.level[node], tree.start[node] + (first + i) % n]
        if tree.data.y[ends.one] != tree.data.y[ends.two]:
            return True
    return False


cdef int leave_out(LinearTree tree, int32_t node, int32_t n, int32_t most, RandomStream *random) except -1 nogil:
    """Make weights of a plane zero at random until no more than the rows can bear are left of n."""
    cdef int32_t k, spare
    if n > MANY:  # each is left out with the chance (to be left out) / (to be seen): the same draw in one pass
        spare = n - most
        for k in range(tree.data.n_numeric):
            if tree.w[node, k] != 0.0 and spare > 0:
                if below(random, n) < spare:
                    tree.w[node, k] = 0.0
                    spare -= 1
                n -= 1
        return 0
    while n > most:
        spare = below(random, n)  # so many weights are passed over before one is made zero
        for k in range(tree.data.n_numeric):
            if tree.w[node, k] != 0.0:
                if spare == 0:
                    tree.w[node, k] = 0.0
                    break
                spare -= 1
        n -= 1
    return 0


cdef bint place_plane(LinearTree tree, int32_t node, Dipole ends, RandomStream *random) except -1 nogil:
    """A plane perpendicular to the segment between two rows, that cuts it anywhere.

    The weights are the segment's direction, less features that the rows cannot bear; the largest becomes 1 or -1.
    """
    cdef int32_t k, n = 0
    cdef double widest = 0.0, at_one = 0.0, at_two = 0.0, gap
    for k in range(tree.data.n_numeric):
        gap = <double>tree.data.x[k, ends.one] - <double>tree.data.x[k, ends.two]
        tree.w[node, k] = gap
        n += gap != 0.0
    if n == 0:
        return False
    leave_out(tree, node, n, most_weights(tree, node), random)
    for k in range(tree.data.n_numeric):
        widest = max(widest, fabs(tree.w[node, k]))
    n = 0
    for k in range(tree.data.n_numeric):
        tree.w[node, k] = rounded(tree.w[node, k] / widest)
        n += tree.w[node, k] != 0.0
        at_one += tree.w[node, k] * tree.data.x[k, ends.one]
        at_two += tree.w[node, k] * tree.data.x[k, ends.two]
    tree.kind[node] = LINEAR
    tree.n_weights[node] = n
    tree.threshold[node] = at_one + fraction(random) * (at_two - at_one)
    return True


cdef bint place_threshold(
    LinearTree tree, int32_t node, int32_t feature, Dipole ends, RandomStream *random
) except -1 nogil:
    """A plane with one weight, between two rows."""
    cdef int32_t k
    cdef double a = tree.data.x[feature, ends.one], b = tree.data.x[feature, ends.two]
    if a == b:
        return False
    for k in range(tree.data.n_numeric):
        tree.w[node, k] = 0.0
    tree.w[node, feature] = 1.0
    tree.kind[node] = LINEAR
    tree.n_weights[node] = 1
    tree.threshold[node] = a + fraction(random) * (b - a)
    return True


cdef bint place_values(
    LinearTree tree, int32_t node, int32_t feature, Dipole ends, RandomStream *random
) except -1 nogil:
    """A set of values that parts two rows: one value alone, or all that stand nearer to the first row's class.

    A value stands nearer to the class that has the larger share of its rows there; where the shares are equal, it is
    drawn.
    """
    cdef int32_t a = tree.data.codes[feature, ends.one], b = tree.data.codes[feature, ends.two], v, i, row
    cdef int32_t n = tree.data.n_values[feature], first = tree.data.y[ends.one], second = tree.data.y[ends.two]
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
    tree.kind[node] = SUBSET
    tree.feature[node] = feature
    return True


cdef bint place_test(LinearTree tree, int32_t node, RandomStream *random) except -1 nogil:
    """Give a node a new test that parts a mixed dipole of its rows; False where none was found."""
    cdef int32_t _t, k, n = tree.data.n_numeric, n_all = n + tree.data.n_nominal
    cdef Dipole ends
    if n_all == 0:  # nothing can be tested
        return False
    for _t in range(DIPOLES):  # the rows of a dipole may agree in the feature that is drawn
        if not mixed_dipole(tree, node, &ends, random):
            return False
        if n > 0 and fraction(random) >= tree.limits.univariate_share:
            if place_plane(tree, node, ends, random):
                return True
            continue
        k = below(random, n_all)
        if k >= n:
            if place_values(tree, node, k - n, ends, random):
                return True
        elif place_threshold(tree, node, k, ends, random):
            return True
    return False
