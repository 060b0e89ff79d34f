"""Layout: a finished tree's nodes as prediction reads them, after a look that none leads beyond the arrays."""

from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

from clearwood.kernels.common.codes cimport BRANCHES, LEAF, LINEAR, THRESHOLD
from clearwood.kernels.routing.branch cimport Step
from clearwood.kernels.routing.likeliest cimport likeliest

from clearwood.kernels.common.agreement import check_lengths


cdef bint rises(const int32_t[::1] start, Py_ssize_t end) noexcept nogil:
    """Whether these are the places where parts begin that lie end to end up to the given one."""
    cdef Py_ssize_t i
    if start[0] != 0 or start[start.shape[0] - 1] != end:
        return False
    for i in range(1, start.shape[0]):
        if start[i] < start[i - 1]:
            return False
    return True


cdef bint is_sound(
    Py_ssize_t i, const int8_t[::1] kind, const int32_t[::1] feature, const int32_t[::1] first_child,
    const int32_t[::1] n_children, const int32_t[::1] missing, const uint8_t[::1] nominal, const int64_t[::1] n_values,
) noexcept nogil:
    """Whether an inner node's test suits its column, and its children come after it and before the end."""
    cdef int64_t f = feature[i], wanted = 2
    if kind[i] != LINEAR:
        if f < 0 or f >= nominal.shape[0] or nominal[f] != (kind[i] != THRESHOLD):
            return False
        if kind[i] == BRANCHES:
            wanted = n_values[f]
    return (n_children[i] == wanted and missing[i] < n_children[i] and first_child[i] > i
            and <int64_t>first_child[i] + n_children[i] <= kind.shape[0])


cdef bint lay_out_nodes(
    const int8_t[::1] kind, const int32_t[::1] feature, const double[::1] threshold, const int32_t[::1] first_child,
    const int32_t[::1] n_children, const int32_t[::1] missing, const int32_t[::1] set_start,
    const int32_t[::1] set_values, const int32_t[::1] weight_start, const int32_t[::1] weight_features,
    const int32_t[::1] weight_codes, const uint8_t[::1] nominal, const int64_t[::1] n_values,
    const int32_t[::1] slots, const double[::1] weight, Step[::1] steps, double[::1] share,
) noexcept nogil:
    cdef Py_ssize_t i, j, n = kind.shape[0]
    cdef int64_t n_declared
    cdef double total
    if not rises(set_start, set_values.shape[0]) or not rises(weight_start, weight_features.shape[0]):
        return False
    for j in range(weight_features.shape[0]):
        if weight_features[j] < 0 or weight_features[j] >= nominal.shape[0]:
            return False
        if nominal[weight_features[j]] != (weight_codes[j] >= 0) or weight_codes[j] >= n_values[weight_features[j]]:
            return False
    share[0] = 1.0
    for i in range(n):
        if kind[i] < LEAF or kind[i] > LINEAR:
            return False
        steps[i].kind, steps[i].threshold, steps[i].first_child = kind[i], threshold[i], first_child[i]
        steps[i].place, steps[i].slot = weight_start[i], weight_start[i + 1] - weight_start[i]
        n_declared = 0  # of the column whose values may be in the node's set
        if kind[i] == LEAF:  # it leads to itself, so that a kernel may go on stepping
            steps[i].threshold, steps[i].first_child = INFINITY, <int32_t>i
        elif not is_sound(i, kind, feature, first_child, n_children, missing, nominal, n_values):
            return False
        elif kind[i] != LINEAR:
            steps[i].slot, n_declared = slots[feature[i]], n_values[feature[i]]
        for j in range(set_start[i], set_start[i + 1]):
            if set_values[j] < 0 or set_values[j] >= n_declared:
                return False
        if kind[i] != LEAF:
            total = 0.0
            for j in range(first_child[i], first_child[i] + n_children[i]):
                total += weight[j]
            for j in range(first_child[i], first_child[i] + n_children[i]):
                share[j] = weight[j] / total if total > 0 else 0.0
    return True


def lay_out(
    const int8_t[::1] kind, const int32_t[::1] feature, const double[::1] threshold, const int32_t[::1] first_child,
    const int32_t[::1] n_children, const int32_t[::1] missing, const int32_t[::1] set_start,
    const int32_t[::1] set_values, const int32_t[::1] weight_start, const int32_t[::1] weight_features,
    const int32_t[::1] weight_codes, const uint8_t[::1] nominal, const int64_t[::1] n_values,
    const int32_t[::1] slots, const double[::1] weight, Step[::1] steps, double[::1] share,
):
    """Fill the steps of a tree, all but the places of sets, and each node's share among its siblings by weight.

    Returns False where children, columns or values lie outside of what there is; then nothing may be routed.
    """
    check_lengths(
        kind=kind.shape[0], feature=feature.shape[0], threshold=threshold.shape[0], first_child=first_child.shape[0],
        n_children=n_children.shape[0], missing=missing.shape[0], set_start=set_start.shape[0] - 1,
        weight_start=weight_start.shape[0] - 1, weight=weight.shape[0], steps=steps.shape[0], share=share.shape[0],
    )
    check_lengths(weight_features=weight_features.shape[0], weight_codes=weight_codes.shape[0])
    check_lengths(nominal=nominal.shape[0], n_values=n_values.shape[0], slots=slots.shape[0])
    cdef bint sound
    if kind.shape[0] == 0:
        return False
    with nogil:
        sound = lay_out_nodes(kind, feature, threshold, first_child, n_children, missing, set_start, set_values,
                              weight_start, weight_features, weight_codes, nominal, n_values, slots, weight, steps,
                              share)
    return sound


def fill_leaves(const double[:, ::1] counts, const double[::1] total, double[:, ::1] plain, int32_t[::1] said):
    """For each node, as a leaf, the share of each class in its total, and the class that it predicts."""
    check_lengths(counts=counts.shape[0], total=total.shape[0], plain=plain.shape[0], said=said.shape[0])
    check_lengths(counts=counts.shape[1], plain=plain.shape[1])
    cdef Py_ssize_t i, c
    with nogil:
        for i in range(counts.shape[0]):
            for c in range(counts.shape[1]):
                plain[i, c] = counts[i, c] / total[i] if total[i] > 0 else 0.0
            said[i] = likeliest(plain, i)
