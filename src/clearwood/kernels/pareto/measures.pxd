"""Measure a judged tree: its errors, and what its tests cost."""

from libc.stdint cimport int32_t, int64_t

from clearwood.kernels.pareto.genes cimport Gene

cdef enum:
    MOST_EXTRAS = 2


cdef struct Measures:
    int64_t wrong
    int32_t leaves
    int32_t n_extras
    double extra[MOST_EXTRAS]


cdef inline bint dominates(const Measures *a, const Measures *b) noexcept nogil:
    """Whether a is nowhere worse than b and somewhere better."""
    cdef int32_t i
    cdef bint better = a.wrong < b.wrong or a.leaves < b.leaves
    if a.wrong > b.wrong or a.leaves > b.leaves:
        return False
    for i in range(a.n_extras):
        if a.extra[i] > b.extra[i]:
            return False
        better = better or a.extra[i] < b.extra[i]
    return better


cdef inline int64_t errors_of(const Gene *tree) noexcept nogil:
    """The weight of the rows that the leaves get wrong."""
    cdef int32_t node
    cdef int64_t wrong = 0
    for node in range(tree[0].size):
        if tree[node].column < 0:
            wrong += tree[node].wrong
    return wrong


cdef inline double price_of_features(const Gene *tree, const double *price) noexcept nogil:
    """The sum of the prices of the columns that are tested, each counted once."""
    cdef int32_t node, before
    cdef double total = 0.0
    for node in range(tree[0].size):
        if tree[node].column >= 0:
            before = 0
            while tree[before].column != tree[node].column:
                before += 1
            if before == node:
                total += price[tree[node].column]
    return total


cdef inline double price_of_rows(const Gene *tree, const double *price) noexcept nogil:
    """The mean price of a row's tests; a column that is tested again on the way costs nothing more."""
    cdef int32_t node, above, left
    cdef bint known
    cdef double total = 0.0
    for node in range(tree[0].size):
        if tree[node].column < 0:
            continue
        known, above = False, 0
        while above != node and not known:
            known = tree[above].column == tree[node].column
            left = above + 1
            above = left if node < left + tree[left].size else left + tree[left].size
        if not known:
            total += price[tree[node].column] * <double>tree[node].rows
    return total / <double>tree[0].rows
