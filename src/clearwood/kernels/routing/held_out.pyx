"""Judge every subtree of a pruning path on held-out rows, in one descent for each row.

The subtrees are nested: a node is a leaf of some of them that follow each other, and inner or gone in the others. So a
row's leaves in all subtrees lie on its one way down, and what each answers holds for a run of steps. Such a run is
added as a difference, plus at its begin and minus at its end; a running sum over the steps at the end undoes it. A row
costs the length of its way, not that times the number of subtrees.
"""

from libc.stdint cimport int32_t, uint8_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF
from clearwood.kernels.routing.branch cimport Step, Weight, branch_of
from clearwood.kernels.routing.likeliest cimport likeliest

from clearwood.kernels.common.agreement import check_lengths, check_range
from clearwood.kernels.routing.routes import check_nodes, check_table


cdef int add_shared(
    double[:, ::1] change, double[:, ::1] probability, int32_t label, double weight, double[::1] wrong,
) except -1 nogil:
    """Turn a row's changes of probability along the path into errors; clears the changes.

    Before each comparison ``probability`` is the row's mixture in the subtree of that step.
    """
    cdef Py_ssize_t step, c
    for c in range(probability.shape[1]):
        probability[0, c] = 0.0
    for step in range(wrong.shape[0]):
        for c in range(probability.shape[1]):
            probability[0, c] += change[step, c]
            change[step, c] = 0.0
        if likeliest(probability, 0) != label:
            wrong[step] += weight
    for c in range(probability.shape[1]):
        change[wrong.shape[0], c] = 0.0
    return 0


def held_out_errors(
    const Step[::1] steps, const uint8_t[:, ::1] in_set, const Weight[::1] linear,
    const int32_t[::1] missing,
    const double[:, :] numeric, const int32_t[:, :] nominal,
    const int32_t[::1] n_children, const uint8_t[::1] empty, const double[::1] share,
    const double[:, ::1] probability, const int32_t[::1] leaf_class,
    const int32_t[::1] begin, const int32_t[::1] end,
    const int32_t[::1] rows, const int32_t[::1] y, const double[::1] weights, Py_ssize_t n_steps,
):
    """The weight of rows that each step of a path misclassifies.

    Node i is a leaf of the steps ``begin[i] .. end[i] - 1``. The other arrays are those of the route kernel.
    """
    check_table(numeric, nominal, y.shape[0])
    check_nodes(steps.shape[0], missing, n_children, empty, share, probability)
    check_lengths(steps=steps.shape[0], leaf_class=leaf_class.shape[0], begin=begin.shape[0], end=end.shape[0])
    check_lengths(y=y.shape[0], weights=weights.shape[0])
    check_range("rows", rows, 0, y.shape[0])
    check_range("begin", begin, 0, n_steps + 1)
    check_range("end", end, 0, n_steps + 1)
    cdef Py_ssize_t i, row, c, step, n_classes = probability.shape[1], n_nodes = steps.shape[0]
    wrong_array = np.zeros(n_steps)
    # held: differences of the errors of rows with one leaf; change: differences of one row's probabilities
    cdef double[::1] wrong = wrong_array, held = np.zeros(n_steps + 1), share_of = np.empty(n_nodes + 1)
    cdef double[:, ::1] mixture = np.zeros((1, n_classes)), change = np.zeros((n_steps + 1, n_classes))
    cdef int32_t[::1] stack = np.empty(n_nodes + 1, dtype=np.int32)
    cdef int32_t node, branch, child, top
    cdef double weight
    cdef bint shared
    with nogil:
        for i in range(rows.shape[0]):
            row = rows[i]
            node = 0
            while steps[node].kind != LEAF:  # is a value missing on the way?
                branch = branch_of(steps, node, in_set, linear, missing, numeric, nominal, row)
                if branch < 0:
                    break
                node = steps[node].first_child + branch
            shared = steps[node].kind != LEAF  # then classes are compared by mixtures of leaves, step by step
            # once more from the root, and now every node on the way counts for the steps in which it is a leaf
            top, stack[0], share_of[0] = 0, 0, 1.0
            while top >= 0:
                node, weight = stack[top], share_of[top]
                top -= 1
                if begin[node] < end[node]:
                    if shared:
                        for c in range(n_classes):
                            change[begin[node], c] += weight * probability[node, c]
                            change[end[node], c] -= weight * probability[node, c]
                    elif leaf_class[node] != y[row]:
                        held[begin[node]] += weights[row]
                        held[end[node]] -= weights[row]
                if steps[node].kind == LEAF:
                    continue
                branch = branch_of(steps, node, in_set, linear, missing, numeric, nominal, row)
                if branch >= 0:
                    top += 1
                    stack[top], share_of[top] = steps[node].first_child + branch, weight
                    continue
                for child in range(steps[node].first_child, steps[node].first_child + n_children[node]):
                    if not empty[child]:
                        top += 1
                        stack[top], share_of[top] = child, weight * share[child]
            if shared:
                add_shared(change, mixture, y[row], weights[row], wrong)
        weight = 0.0
        for step in range(n_steps):  # differences become sums
            weight += held[step]
            wrong[step] += weight
    return wrong_array
