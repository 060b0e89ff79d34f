"""Send rows down a tree: to one leaf, or to several in shares where a tested value is missing."""

from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.routing.branch cimport Step, Weight, branch_of
from clearwood.kernels.routing.likeliest cimport likeliest

from clearwood.kernels.common.agreement import check_lengths, check_range


cdef inline int32_t next_place(
    const Step[::1] steps, int32_t node, const double[:, :] numeric, Py_ssize_t row, int32_t* gaps,
) noexcept nogil:
    """One step down a numeric tree without a jump: a leaf leads to itself, a missing value is only counted."""
    cdef double value = numeric[steps[node].slot, row]
    # NaN is not above any threshold, so such a row goes left and is sent anew by the caller
    gaps[0] += (value != value) & (steps[node].kind != LEAF)
    return steps[node].first_child + (value > steps[node].threshold)


cdef Py_ssize_t four_by_four(
    const Step[::1] steps, const double[:, :] numeric, const int32_t[::1] rows, int32_t[::1] leaf,
) noexcept nogil:
    """Send four rows at a time down a tree of thresholds, so that they wait for memory together.

    A step down depends on the one before, so a row alone leaves the processor idle while it waits; four do not depend
    on each other. All go on until the last has arrived, which is why a leaf leads to itself. Rows of a group that met a
    missing value, and those of the last, incomplete group, are left at -2.
    """
    cdef Py_ssize_t i, n = leaf.shape[0] - leaf.shape[0] % 4
    cdef int32_t a, b, c, d, gaps
    for i in range(0, n, 4):
        a = b = c = d = gaps = 0
        while steps[a].kind | steps[b].kind | steps[c].kind | steps[d].kind:  # LEAF is 0
            a = next_place(steps, a, numeric, rows[i], &gaps)
            b = next_place(steps, b, numeric, rows[i + 1], &gaps)
            c = next_place(steps, c, numeric, rows[i + 2], &gaps)
            d = next_place(steps, d, numeric, rows[i + 3], &gaps)
        if gaps:
            a = b = c = d = -2
        leaf[i], leaf[i + 1], leaf[i + 2], leaf[i + 3] = a, b, c, d
    for i in range(n, leaf.shape[0]):
        leaf[i] = -2
    return 0


cdef Py_ssize_t find_leaves(
    const Step[::1] steps, const uint8_t[:, ::1] in_set, const Weight[::1] linear, const int32_t[::1] missing,
    const double[:, :] numeric, const int32_t[:, :] nominal, bint only_thresholds, const int32_t[::1] rows,
    int32_t[::1] leaf,
) noexcept nogil:
    """Write the leaf of each of the given rows; -1 where a missing value would send it to several. How many those are.
    """
    cdef Py_ssize_t i, shared = 0
    cdef int32_t node, branch
    if only_thresholds:  # most rows are done then; the loop below takes the rest
        four_by_four(steps, numeric, rows, leaf)
    for i in range(rows.shape[0]):
        if only_thresholds and leaf[i] != -2:
            continue
        node = 0
        while steps[node].kind != LEAF:
            branch = branch_of(steps, node, in_set, linear, missing, numeric, nominal, rows[i])
            if branch < 0:
                node = -1
                shared += 1
                break
            node = steps[node].first_child + branch
        leaf[i] = node
    return shared


cdef void share_out(
    const Step[::1] steps, const uint8_t[:, ::1] in_set, const Weight[::1] linear, const int32_t[::1] missing,
    const double[:, :] numeric, const int32_t[:, :] nominal, const int32_t[::1] n_children, const uint8_t[::1] empty,
    const double[::1] share, const double[:, ::1] probability, Py_ssize_t row, int32_t[::1] stack,
    double[::1] weights, double[::1] out,
) noexcept nogil:
    """Add up the leaves' probabilities for a row that meets a missing value, each leaf by the row's share in it.

    ``stack`` and ``weights`` are scratch with room for every node.
    """
    cdef Py_ssize_t c
    cdef int32_t node, branch, child, top = 0
    cdef double weight
    for c in range(out.shape[0]):
        out[c] = 0.0
    # the stack holds subtrees that the row still has to visit, with its weight in each; never more than one for each
    # node
    stack[0] = 0
    weights[0] = 1.0
    while top >= 0:
        node = stack[top]
        weight = weights[top]
        top -= 1
        if steps[node].kind == LEAF:
            for c in range(out.shape[0]):
                out[c] += weight * probability[node, c]
            continue
        branch = branch_of(steps, node, in_set, linear, missing, numeric, nominal, row)
        if branch >= 0:
            top += 1
            stack[top] = steps[node].first_child + branch
            weights[top] = weight
            continue
        # the last branch goes in first, so that sums are formed from the first branch on
        for child in range(steps[node].first_child + n_children[node] - 1, steps[node].first_child - 1, -1):
            if not empty[child]:
                top += 1
                stack[top] = child
                weights[top] = weight * share[child]


def check_table(numeric, nominal, Py_ssize_t n_rows):
    """Refuse blocks of columns that have not just so many rows; a block without columns may have any."""
    for block in (numeric, nominal):
        if block.shape[0]:
            check_lengths(cells=block.shape[1], rows=n_rows)


def check_rows(numeric, nominal, rows):
    """Refuse numbers of rows that a block of columns does not have."""
    for block in (numeric, nominal):
        if block.shape[0]:
            check_range("rows", rows, 0, block.shape[1])


def check_nodes(Py_ssize_t n_nodes, missing, n_children, empty, share, probability):
    """Refuse arrays that have not one item for each node."""
    check_lengths(
        steps=n_nodes, missing=len(missing), n_children=len(n_children), empty=len(empty), share=len(share),
        probability=len(probability),
    )


def to_leaves(
    const Step[::1] steps, const uint8_t[:, ::1] in_set, const Weight[::1] linear,
    const int32_t[::1] missing,
    const double[:, :] numeric, const int32_t[:, :] nominal, bint only_thresholds,
    const int32_t[::1] rows, int32_t[::1] leaf,
):
    """Write the leaf of each of the given rows; -1 where a missing value would send it to several.

    Returns how many those are.
    """
    check_rows(numeric, nominal, rows)
    check_lengths(rows=rows.shape[0], leaf=leaf.shape[0])
    check_lengths(steps=steps.shape[0], missing=missing.shape[0])
    cdef Py_ssize_t shared
    with nogil:
        shared = find_leaves(steps, in_set, linear, missing, numeric, nominal, only_thresholds, rows, leaf)
    return shared


def to_shares(
    const Step[::1] steps, const uint8_t[:, ::1] in_set, const Weight[::1] linear,
    const int32_t[::1] missing,
    const double[:, :] numeric, const int32_t[:, :] nominal,
    const int32_t[::1] n_children, const uint8_t[::1] empty, const double[::1] share, const double[:, ::1] probability,
    const int32_t[::1] rows, int32_t[::1] stack, double[::1] weights, double[:, ::1] out,
):
    """The probabilities of rows that meet a missing value, a line of ``out`` for each; see ``share_out``."""
    check_rows(numeric, nominal, rows)
    check_lengths(rows=rows.shape[0], out=out.shape[0])
    check_nodes(steps.shape[0], missing, n_children, empty, share, probability)
    check_lengths(probability=probability.shape[1], out=out.shape[1])
    check_lengths(stack=stack.shape[0], weights=weights.shape[0], nodes_and_one=steps.shape[0] + 1)
    cdef Py_ssize_t i
    with nogil:
        for i in range(rows.shape[0]):
            share_out(steps, in_set, linear, missing, numeric, nominal, n_children, empty, share, probability,
                      rows[i], stack, weights, out[i])


def most_probable(const double[:, ::1] probability, int32_t[::1] out):
    """For each row the class that is predicted."""
    check_lengths(probability=probability.shape[0], out=out.shape[0])
    cdef Py_ssize_t row
    with nogil:
        for row in range(out.shape[0]):
            out[row] = likeliest(probability, row)
