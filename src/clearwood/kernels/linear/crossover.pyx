"""Crossover: two trees exchange a subtree or a test (section 2.2)."""

from libc.stdint cimport int32_t, uint64_t

from clearwood.kernels.common.codes cimport LEAF, LINEAR
from clearwood.kernels.common.random_stream cimport RandomStream, below, fraction, random_stream
from clearwood.kernels.linear.rows cimport relocate
from clearwood.kernels.linear.tree cimport LinearTree


cdef int cross(LinearTree one, LinearTree two, RandomStream *random) except -1 nogil:
    """Exchange subtrees or tests between two trees, at a random node of each; returns whether anything was exchanged.

    Half the time tests only, if both nodes have one; two planes then share out their weights.
    """
    cdef int32_t a = one.walk(0), b = two.walk(0)
    cdef bint tests_only = fraction(random) < 0.5
    a = one.order[below(random, a)]
    b = two.order[below(random, b)]
    if one.kind[a] == LEAF and two.kind[b] == LEAF:
        return 0
    if tests_only and one.kind[a] != LEAF and two.kind[b] != LEAF:
        if one.kind[a] == LINEAR and two.kind[b] == LINEAR:
            if not cross_weights(one, a, two, b, random):
                return 0
        else:
            one.swap_tests(a, two, b)
    elif not exchange_subtrees(one, a, two, b):
        return 0
    relocate(one, a, False)
    relocate(two, b, False)
    return 1


cdef bint cross_weights(LinearTree one, int32_t a, LinearTree two, int32_t b, RandomStream *random) except -1 nogil:
    """One-point crossover of two planes' weights and thresholds: from the point on they change places.

    False where nothing was exchanged, because a plane would be left without a weight.
    """
    cdef int32_t k, point = below(random, one.data.n_numeric) + 1, n_one = 0, n_two = 0
    cdef double held
    for k in range(one.data.n_numeric):
        n_one += (one.w[a, k] if k < point else two.w[b, k]) != 0.0
        n_two += (two.w[b, k] if k < point else one.w[a, k]) != 0.0
    if n_one == 0 or n_two == 0:
        return False
    for k in range(point, one.data.n_numeric):
        held = one.w[a, k]
        one.w[a, k] = two.w[b, k]
        two.w[b, k] = held
    held = one.threshold[a]
    one.threshold[a], two.threshold[b] = two.threshold[b], held
    one.n_weights[a], two.n_weights[b] = n_one, n_two
    return True


cdef bint exchange_subtrees(LinearTree one, int32_t a, LinearTree two, int32_t b) except -1 nogil:
    """Exchange two subtrees through a copy in spare nodes; False where there is no room, or too many leaves.

    A subtree of n nodes has (n + 1) / 2 leaves, so an exchange adds half the difference of nodes to the leaves.
    """
    cdef int32_t n_one = one.walk(a), n_two = two.walk(b), held
    if one.n_free < n_one + n_two + 1 or two.n_free < n_one + 1:
        return False
    if one.n_leaves + (n_two - n_one) // 2 > one.limits.max_leaves:
        return False
    if two.n_leaves + (n_one - n_two) // 2 > two.limits.max_leaves:
        return False
    held = one.new_node()
    one.graft(held, one, a)
    one.graft(a, two, b)
    two.graft(b, one, held)
    one.drop_below(held)
    one.free_node(held)
    return True


def crossed_roots(LinearTree one, LinearTree two, uint64_t seed):
    """Cross the planes at the roots of two trees, for tests; returns whether anything was exchanged."""
    cdef RandomStream random = random_stream(seed, 0, 0)
    if one.kind[0] != LINEAR or two.kind[0] != LINEAR:
        raise ValueError("both roots must be planes.")
    return bool(cross_weights(one, 0, two, 0, &random))
