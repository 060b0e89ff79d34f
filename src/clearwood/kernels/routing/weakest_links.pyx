"""Price the links of a tree: what a leaf must cost before it pays to cut a node's subtree to one leaf.

Breiman's weakest-link cutting finds these prices one cut at a time, and goes up to the root after each: O(n depth).
"""

from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int32_t

import numpy as np

from clearwood.kernels.common.codes cimport LEAF

from clearwood.kernels.common.agreement import check_lengths


cdef int32_t meld(
    int32_t one, int32_t other, const double[::1] price, int32_t[::1] left, int32_t[::1] right, int32_t[::1] rank,
) except -2 nogil:
    """Join two leftist heaps, largest price on top; -1 is the empty heap. The recursion is log n deep.

    In a leftist heap the right child's rank, the length of its rightmost path, is never larger than the left's, so that
    path is short, and melding goes down it alone (Crane, 1972; Knuth, volume 3, section 5.2.3).
    """
    if one < 0:
        return other
    if other < 0:
        return one
    if price[one] < price[other]:
        one, other = other, one
    right[one] = meld(right[one], other, price, left, right, rank)
    if left[one] < 0 or rank[left[one]] < rank[right[one]]:
        left[one], right[one] = right[one], left[one]
    rank[one] = 1 if right[one] < 0 else 1 + rank[right[one]]
    return one


cdef int price_below(
    const int8_t[::1] kind, const int32_t[::1] first_child, const int32_t[::1] n_children, const double[::1] errors,
    double[::1] price, double[::1] saved_errors, int32_t[::1] saved_leaves,
    int32_t[::1] top, int32_t[::1] left, int32_t[::1] right, int32_t[::1] rank,
) except -1 nogil:
    """From the last node to the first, find the price at which each becomes a leaf if its ancestors do not.

    With a leaf at price a, the best subtree below node t costs sum over children of what is best below them, a concave
    function of a, made of straight pieces. It meets errors[t] + a once. A heap for each node holds the
    corners of its function: the nodes below that become leaves before t does. So every node enters and leaves a heap
    once, and all prices are found in O(n log n), however deep the tree.
    """
    cdef int32_t node, child, heap, leaves
    cdef double below, cost
    for node in range(<int32_t>kind.shape[0] - 1, -1, -1):
        top[node] = left[node] = right[node] = -1
        rank[node] = 1
        price[node] = 0.0
        if kind[node] == LEAF:
            continue
        heap, leaves, below, cost = -1, n_children[node], 0.0, 0.0
        for child in range(first_child[node], first_child[node] + n_children[node]):
            below += errors[child]
            heap = meld(heap, top[child], price, left, right, rank)
        # right of the last corner every child is a leaf: their errors are ``below``, their number ``leaves``. Going
        # left past a corner puts the subtree of the heap's top back; the loop ends in the piece with the crossing
        if leaves > 1:
            cost = (errors[node] - below) / (leaves - 1)
        while heap >= 0 and (leaves == 1 or cost <= price[heap]):
            below -= saved_errors[heap]
            leaves += saved_leaves[heap]
            if leaves > 1:
                cost = (errors[node] - below) / (leaves - 1)
            heap = meld(left[heap], right[heap], price, left, right, rank)
        price[node] = cost if cost > 0.0 else 0.0
        # what cutting this node changes, for the nodes above it: more errors, fewer leaves
        saved_errors[node] = errors[node] - below
        saved_leaves[node] = leaves - 1
        top[node] = meld(heap, node, price, left, right, rank)
    return 0


cdef int pass_down(
    const int8_t[::1] kind, const int32_t[::1] first_child, const int32_t[::1] n_children, const double[::1] price,
    double[::1] gone,
) except -1 nogil:
    """The price from which a node is cut away with an ancestor."""
    cdef int32_t node, child
    gone[0] = INFINITY
    # parents before children: an ancestor is cut at the least price on the way up
    for node in range(<int32_t>kind.shape[0]):
        if kind[node] != LEAF:
            for child in range(first_child[node], first_child[node] + n_children[node]):
                gone[child] = price[node] if price[node] < gone[node] else gone[node]
    return 0


def price_links(
    const int8_t[::1] kind, const int32_t[::1] first_child, const int32_t[::1] n_children, const double[::1] errors,
):
    """When each node becomes a leaf, and when it is gone, as the price of a leaf rises.

    Parameters
    ----------
    kind, first_child, n_children : the arrays of a tree, children after their parents
    errors : for each node the training weight that it would misclassify as a leaf

    Returns
    -------
    price : for each node the least price of a leaf, in units of errors, at which its subtree is best cut; 0 for leaves
    gone : for each node the least price at which an ancestor is cut; infinite for the root
    """
    cdef Py_ssize_t n = kind.shape[0]
    check_lengths(
        kind=n, first_child=first_child.shape[0], n_children=n_children.shape[0], errors=errors.shape[0]
    )
    price_array, gone_array = np.empty((2, n))
    cdef double[::1] price = price_array, gone = gone_array, saved_errors = np.zeros(n)
    cdef int32_t[::1] saved_leaves = np.zeros(n, dtype=np.int32)
    cdef int32_t[:, ::1] links = np.empty((4, n), dtype=np.int32)
    with nogil:
        price_below(kind, first_child, n_children, errors, price, saved_errors, saved_leaves,
                    links[0], links[1], links[2], links[3])
        pass_down(kind, first_child, n_children, price, gone)
    return price_array, gone_array
