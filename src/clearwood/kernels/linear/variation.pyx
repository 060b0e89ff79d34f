"""Mutation and crossover of whole trees."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.random_stream cimport RandomStream, below, fraction
from clearwood.kernels.linear.rows cimport relocate, send_down
from clearwood.kernels.linear.tests cimport change_test, place_test, shift_test
from clearwood.kernels.linear.tree cimport AT_LEAF, PLANE, LinearTree

# the variants of a change to an inner node, and how often each is drawn (of 100)
cdef enum:
    SHIFT = 40
    CHANGE = 75
    PLACE = 88
    SWAP = 92
    REPLACE = 95


cdef int32_t draw_by_rank(LinearTree tree, bint leaves, RandomStream *random) noexcept nogil:
    """A node by linear ranking, or -1: impure leaves by errors, inner nodes by level, the last of n with weight n."""
    cdef int32_t i, j, n = tree.walk(0), found = 0, here
    cdef double key
    for i in range(n):
        here = tree.order[i]
        if (tree.kind[here] == AT_LEAF) != leaves or (leaves and tree.errors[here] <= 0.0):
            continue
        key = tree.errors[here] if leaves else tree.level[here]
        j = found
        while j > 0 and tree.below_errors[j - 1] > key:
            tree.below_errors[j] = tree.below_errors[j - 1]
            tree.stack[j] = tree.stack[j - 1]
            j -= 1
        tree.below_errors[j] = key
        tree.stack[j] = here
        found += 1
    if not found:
        return -1
    j = below(random, found * (found + 1) // 2)
    for i in range(found):
        j -= i + 1
        if j < 0:
            return tree.stack[i]
    return tree.stack[found - 1]


cdef int mutate_tree(LinearTree tree, bint grows, RandomStream *random, int32_t* scratch) except -1 nogil:
    """Change one node, a leaf or an inner node with equal chance, drawn by rank; returns whether one was changed."""
    cdef bint leaves = fraction(random) < 0.5 and grows
    cdef int32_t node = draw_by_rank(tree, leaves, random)
    if node < 0 and grows:
        leaves = not leaves
        node = draw_by_rank(tree, leaves, random)
    if node < 0:
        return 0
    return mutate_node(tree, node, random, scratch)


cdef int mutate_nodes(LinearTree tree, double rate, RandomStream *random, int32_t* scratch) except -1 nogil:
    """Change each node with the same small chance; returns how many were changed."""
    cdef int32_t n = tree.walk(0), i = 0, changed = 0
    while i < n:  # a change may renumber or remove nodes behind this one, so the walk is made anew
        if fraction(random) < rate:
            changed += mutate_node(tree, tree.order[i], random, scratch)
            n = tree.walk(0)
        i += 1
    return changed


cdef int mutate_node(LinearTree tree, int32_t node, RandomStream *random, int32_t* scratch) except -1 nogil:
    """Change a node in one of the ways that it allows; returns whether it was changed."""
    cdef int32_t _t, way, child
    if tree.kind[node] == AT_LEAF:
        return expand(tree, node, random, scratch)
    for _t in range(10):
        way = below(random, 100)
        if way < SHIFT:
            if shift_test(tree, node, random):
                relocate(tree, node, True, scratch)
                return 1
        elif way < CHANGE:
            if change_test(tree, node, random):
                relocate(tree, node, True, scratch)
                return 1
        elif way < PLACE:
            if place_test(tree, node, random):
                relocate(tree, node, False, scratch)
                return 1
        elif way < SWAP:
            child = tree.left[node] if fraction(random) < 0.5 else tree.right[node]
            if tree.kind[child] == AT_LEAF:
                child = tree.left[node] + tree.right[node] - child
            if tree.kind[child] != AT_LEAF and swap_tests(tree, node, child):
                relocate(tree, node, False, scratch)
                return 1
        elif way < REPLACE:
            if replace_branch(tree, node, random):
                relocate(tree, node, True, scratch)
                return 1
        else:
            tree.make_leaf(node)
            tree.assess()
            return 1
    return 0


cdef int expand(LinearTree tree, int32_t node, RandomStream *random, int32_t* scratch) except -1 nogil:
    """Put a test with two leaves in the place of a leaf."""
    if tree.n_leaves >= tree.limits.max_leaves or tree.level[node] >= tree.limits.max_levels:
        return 0
    if tree.n_free < 2 or tree.errors[node] <= 0.0:
        return 0
    if tree.end[node] - tree.start[node] < 2 * tree.limits.min_leaf:
        return 0
    if not place_test(tree, node, random):
        tree.kind[node] = AT_LEAF
        return 0
    tree.split_leaf(node)
    relocate(tree, node, False, scratch)
    return 1


cdef bint swap_tests(LinearTree tree, int32_t node, int32_t child) noexcept nogil:
    """Exchange the tests of a node and one of its sons."""
    cdef int32_t spare
    if tree.n_free < 1:
        return False
    spare = tree.new_node()
    tree.copy_test(spare, tree, node)
    tree.copy_test(node, tree, child)
    tree.copy_test(child, tree, spare)
    tree.free[tree.n_free] = spare
    tree.n_free += 1
    return True


cdef bint replace_branch(LinearTree tree, int32_t node, RandomStream *random) noexcept nogil:
    """Put a copy of one subtree of a node in the place of the other."""
    cdef int32_t giver = tree.left[node], taker = tree.right[node], size
    if fraction(random) < 0.5:
        giver, taker = taker, giver
    if tree.kind[giver] == AT_LEAF and tree.kind[taker] == AT_LEAF:
        return False
    size = tree.size_of(giver)
    # a subtree of n nodes has (n + 1) / 2 leaves
    if size > tree.n_free or tree.n_leaves + (size - tree.size_of(taker)) // 2 > tree.limits.max_leaves:
        return False
    tree.graft(taker, tree, giver)
    return True


cdef int cross(LinearTree one, LinearTree two, RandomStream *random, int32_t* scratch) except -1 nogil:
    """Exchange subtrees or tests between two trees; returns whether anything was exchanged."""
    cdef int32_t a = one.walk(0), b = two.walk(0)
    cdef bint tests_only = fraction(random) < 0.5
    a = one.order[below(random, a)]
    b = two.order[below(random, b)]
    if one.kind[a] == AT_LEAF and two.kind[b] == AT_LEAF:
        return 0
    if tests_only and one.kind[a] != AT_LEAF and two.kind[b] != AT_LEAF:
        if one.kind[a] == PLANE and two.kind[b] == PLANE:
            cross_weights(one, a, two, b, random)
        else:
            exchange_tests(one, a, two, b)
    elif not exchange_subtrees(one, a, two, b):
        return 0
    relocate(one, a, False, scratch)
    relocate(two, b, False, scratch)
    return 1


cdef int cross_weights(LinearTree one, int32_t a, LinearTree two, int32_t b, RandomStream *random) noexcept nogil:
    """One-point crossover of two planes' weights and thresholds."""
    cdef int32_t k, point = below(random, one.data.n_numeric) + 1, n_one = 0, n_two = 0
    cdef double held = one.threshold[a]
    one.threshold[a], two.threshold[b] = two.threshold[b], held
    for k in range(one.data.n_numeric):
        if k >= point:
            held = one.w[a, k]
            one.w[a, k] = two.w[b, k]
            two.w[b, k] = held
        n_one += one.w[a, k] != 0.0
        n_two += two.w[b, k] != 0.0
    if n_one == 0 or n_two == 0:  # a plane needs a weight: take the exchange back
        for k in range(point, one.data.n_numeric):
            held = one.w[a, k]
            one.w[a, k] = two.w[b, k]
            two.w[b, k] = held
        return 0
    one.n_weights[a], two.n_weights[b] = n_one, n_two
    return 0


cdef int exchange_tests(LinearTree one, int32_t a, LinearTree two, int32_t b) noexcept nogil:
    cdef int32_t spare
    if one.n_free < 1:
        return 0
    spare = one.new_node()
    one.copy_test(spare, one, a)
    one.copy_test(a, two, b)
    two.copy_test(b, one, spare)
    one.free[one.n_free] = spare
    one.n_free += 1
    return 0


cdef bint exchange_subtrees(LinearTree one, int32_t a, LinearTree two, int32_t b) noexcept nogil:
    cdef int32_t n_one = one.size_of(a), n_two = two.size_of(b), held
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
    one.free[one.n_free] = held
    one.n_free += 1
    return True


cdef int grow_at_random(LinearTree tree, int32_t n_sample, RandomStream *random, int32_t* scratch) except -1 nogil:
    """The first tree of an individual: dipolar tests from the top down on a sample of the rows, then all rows.

    A node is split until it is pure, too small for two leaves, or as deep as allowed, or until there are leaves
    enough. Only then are all rows sent down, and what does not pay is pruned.
    """
    cdef int32_t i, j, node, n_rows = tree.data.n_rows, first = 0, last = 1, most = tree.limits.max_leaves
    tree.make_leaf(0)
    for i in range(n_sample):  # the first steps of a shuffle
        j = i + below(random, n_rows - i)
        node = tree.rows[0, i]
        tree.rows[0, i] = tree.rows[0, j]
        tree.rows[0, j] = node
    tree.end[0] = n_sample
    tree.count_node(0)
    tree.stack[0] = 0
    while first < last and last < most:
        node = tree.stack[first]
        first += 1
        if tree.end[node] - tree.start[node] < 2 * tree.limits.min_leaf or not place_test(tree, node, random):
            tree.kind[node] = AT_LEAF
            continue
        tree.split_leaf(node)
        if send_down(tree, node, scratch):
            tree.stack[last], tree.stack[last + 1] = tree.left[node], tree.right[node]
            last += 2
    for i in range(n_rows):
        tree.rows[0, i] = i
    tree.end[0] = n_rows
    tree.count_node(0)
    return relocate(tree, 0, False, scratch)
