"""Send rows down the part of a tree that has changed."""

from libc.math cimport fabs
from libc.stdint cimport int32_t
from libc.string cimport memcpy

from clearwood.kernels.linear.tree cimport AT_LEAF, PLANE, LinearTree


cdef int add_column(LinearTree tree, int32_t node, int32_t feature, double change) noexcept nogil:
    """A changed weight changes the projections by one column."""
    cdef int32_t i, level = tree.level[node], first = tree.start[node], last = tree.end[node], row
    cdef double* projection = &tree.projection[level, 0]
    cdef const float* x = &tree.data.x[feature, 0]
    cdef const int32_t* rows = &tree.rows[level, 0]
    if last - first == tree.data.n_rows:
        for i in range(last):
            projection[i] += change * x[i]
        return 0
    for i in range(first, last):
        row = rows[i]
        projection[row] += change * x[row]
    return 0


cdef int add_two_columns(LinearTree tree, int32_t node, int32_t one, int32_t two, bint anew) noexcept nogil:
    """Add two features' parts of the projections, or start them with these."""
    cdef int32_t i, level = tree.level[node], first = tree.start[node], last = tree.end[node], row
    cdef double* projection = &tree.projection[level, 0]
    cdef double a = tree.w[node, one], b = tree.w[node, two]
    cdef const float* x = &tree.data.x[one, 0]
    cdef const float* z = &tree.data.x[two, 0]
    cdef const int32_t* rows = &tree.rows[level, 0]
    if last - first == tree.data.n_rows:
        if anew:
            for i in range(last):
                projection[i] = a * x[i] + b * z[i]
        else:
            for i in range(last):
                projection[i] += a * x[i] + b * z[i]
    elif anew:
        for i in range(first, last):
            row = rows[i]
            projection[row] = a * x[row] + b * z[row]
    else:
        for i in range(first, last):
            row = rows[i]
            projection[row] += a * x[row] + b * z[row]
    return 0


cdef int project(LinearTree tree, int32_t node) noexcept nogil:
    """The projections of a node's rows from the beginning; sums are exact, so their order does not matter."""
    cdef int32_t k, one = -1, level = tree.level[node], i
    cdef bint anew = True
    for k in range(tree.data.n_numeric):
        if tree.w[node, k] == 0.0:
            continue
        if one < 0:
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


cdef int set_weight(LinearTree tree, int32_t node, int32_t feature, double weight) noexcept nogil:
    """Change one weight of a plane whose projections are up to date, and keep them so."""
    cdef double before = tree.w[node, feature]
    tree.n_weights[node] += (weight != 0.0) - (before != 0.0)
    tree.w[node, feature] = weight
    return add_column(tree, node, feature, weight - before)


cdef int keep_largest(LinearTree tree, int32_t node, bint projected) noexcept nogil:
    """Drop the smallest weights of a plane until there are rows enough for those that are left."""
    cdef int32_t k, smallest, most
    most = <int32_t>((tree.end[node] - tree.start[node]) / tree.limits.objects_per_weight)
    most = max(1, min(most, tree.limits.plane_weights))
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


cdef inline bint unknown(LinearTree tree, int32_t node, int32_t row) noexcept nogil:
    """Whether a cell that the node's test needs is missing."""
    cdef int32_t k
    if not tree.data.gappy[row]:
        return False
    if tree.kind[node] == PLANE:
        for k in range(tree.data.n_numeric):
            if tree.w[node, k] != 0.0 and tree.data.absent[k, row]:
                return True
        return False
    return tree.data.codes[tree.feature[node], row] < 0


cdef inline bint goes_left(LinearTree tree, int32_t node, int32_t row) noexcept nogil:
    if tree.kind[node] == PLANE:
        return tree.projection[tree.level[node], row] <= tree.threshold[node]
    return tree.in_set[node, tree.data.codes[tree.feature[node], row]]


cdef int choose_missing(LinearTree tree, int32_t node) noexcept nogil:
    """Rows that lack a tested value will follow the heavier branch of the others."""
    cdef double balance = 0.0
    cdef int32_t i, row
    for i in range(tree.start[node], tree.end[node]):
        row = tree.rows[tree.level[node], i]
        if not unknown(tree, node, row):
            if goes_left(tree, node, row):
                balance += tree.data.weights[row]
            else:
                balance -= tree.data.weights[row]
    tree.missing[node] = 0 if balance >= 0.0 else 1
    return 0


cdef int32_t part(LinearTree tree, int32_t node, int32_t* scratch) noexcept nogil:
    """Write the rows of both branches one level down, ascending, and count classes; return where branch 0 ends."""
    cdef int32_t i, row, c, first = tree.start[node], last = tree.end[node], n_left = first, n_right = 0
    cdef int32_t level = tree.level[node]
    cdef const int32_t* rows = &tree.rows[level, 0]
    cdef int32_t* below = &tree.rows[level + 1, 0]
    cdef const int32_t* y = &tree.data.y[0]
    cdef const double* weights = &tree.data.weights[0]
    cdef double* left = &tree.counts[tree.left[node], 0]
    cdef double* right = &tree.counts[tree.right[node], 0]
    cdef const double* projection = &tree.projection[level, 0]
    cdef double threshold = tree.threshold[node]
    cdef bint goes
    for c in range(tree.data.n_classes):
        left[c] = right[c] = 0.0
    if tree.kind[node] == PLANE and not tree.data.has_gaps:
        for i in range(first, last):
            row = rows[i]
            goes = projection[row] <= threshold
            below[n_left] = row  # written to both sides, and kept on one: cheaper than a jump that is hard to foresee
            scratch[n_right] = row
            (left if goes else right)[y[row]] += weights[row]
            n_left += goes
            n_right += not goes
    else:
        if tree.data.has_gaps:
            choose_missing(tree, node)
        for i in range(first, last):
            row = rows[i]
            goes = tree.missing[node] == 0 if unknown(tree, node, row) else goes_left(tree, node, row)
            below[n_left] = row
            scratch[n_right] = row
            (left if goes else right)[y[row]] += weights[row]
            n_left += goes
            n_right += not goes
    memcpy(&below[n_left], scratch, n_right * sizeof(int32_t))
    if not tree.data.has_gaps:
        tree.missing[node] = 0 if 2 * (n_left - first) >= last - first else 1
    return n_left


cdef bint send_down(LinearTree tree, int32_t node, int32_t* scratch) except -1 nogil:
    """Part the rows of one node of a tree that is being grown; where a branch stays almost empty it is a leaf again."""
    if tree.level[node] >= tree.limits.max_levels:
        tree.make_leaf(node)
        return False
    if tree.level[node] >= tree.projection.shape[0]:
        with gil:
            tree.room_for_levels(tree.level[node] + 2)
    if tree.kind[node] == PLANE:
        project(tree, node)
    return part_branches(tree, node, scratch)


cdef int relocate(LinearTree tree, int32_t node, bint projected, int32_t* scratch) except -1 nogil:
    """Send a node's rows down to its leaves, remove nodes that stay almost empty, and prune what does not pay."""
    settle(tree, node, projected, scratch)
    tree.prune(node)
    return tree.assess()


cdef int settle(LinearTree tree, int32_t node, bint projected, int32_t* scratch) except -1 nogil:
    """Send a node's rows down to its leaves, and remove nodes that stay almost empty.

    ``projected`` says that the projections at the node itself are up to date. The nodes to come are kept in the
    tree's ``order``, and nothing that is called meanwhile walks the tree.
    """
    cdef int32_t top = 0, here, left, right, kept
    tree.order[0] = node
    while top >= 0:
        here = tree.order[top]
        top -= 1
        while tree.kind[here] != AT_LEAF:
            if tree.level[here] >= tree.limits.max_levels or tree.errors[here] <= 0.0:
                tree.kind[here] = AT_LEAF
                break
            if tree.level[here] >= tree.projection.shape[0]:
                with gil:
                    tree.room_for_levels(tree.level[here] + 2)
            if tree.kind[here] == PLANE:
                keep_largest(tree, here, projected and here == node)
                if not (projected and here == node):
                    project(tree, here)
            left, right = tree.left[here], tree.right[here]
            if part_branches(tree, here, scratch):
                tree.order[top + 1], tree.order[top + 2] = right, left
                top += 2
                break
            # the branch that holds the rows takes the node's place, and all of the node's rows
            kept = right
            if tree.end[left] - tree.start[left] > tree.end[right] - tree.start[right]:
                kept = left
            tree.copy_test(here, tree, kept)
            tree.left[here], tree.right[here] = tree.left[kept], tree.right[kept]
            projected = projected and here != node
    return 0


cdef bint part_branches(LinearTree tree, int32_t node, int32_t* scratch) noexcept nogil:
    """Give the branches of a node their rows, counts and levels; False where one of them stays almost empty."""
    cdef int32_t left = tree.left[node], right = tree.right[node], middle = part(tree, node, scratch)
    tree.start[left], tree.end[left] = tree.start[node], middle
    tree.start[right], tree.end[right] = middle, tree.end[node]
    if middle - tree.start[node] < tree.limits.min_leaf or tree.end[node] - middle < tree.limits.min_leaf:
        return False
    tree.tally(left)
    tree.tally(right)
    tree.level[left] = tree.level[right] = tree.level[node] + 1
    return True
