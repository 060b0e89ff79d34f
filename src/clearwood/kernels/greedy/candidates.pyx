"""Candidates: the best test of each feature at a node, and the best of those."""

from libc.stdint cimport int32_t

from clearwood.kernels.common.codes cimport BINNED, LEAF, NOMINAL, SORTED
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.nominal cimport split_nominal
from clearwood.kernels.greedy.row_lists cimport RowLists
from clearwood.kernels.greedy.thresholds cimport sweep_bins, sweep_sorted
from clearwood.kernels.greedy.two_classes cimport sweep_two_bins, sweep_two_sorted


cdef int examine(Finder finder, int32_t feature, RowLists lists) except -1 nogil:
    """Make the candidate of one feature at the node that the lists hold and the finder has described."""
    cdef int32_t form = finder.data.form[feature], line = lists.line[feature]
    cdef Py_ssize_t start = lists.start[0], end = lists.end[0]
    finder.test[feature] = LEAF
    # the commonest case has sweeps of its own, several times as fast
    if (finder.whole and finder.n_active == 2 and finder.rules.in_bits and not finder.rules.boundaries
            and (form == BINNED or (form == SORTED and finder.data.unit))):
        return sweep_two_bins(finder, feature, lists) if form == BINNED else sweep_two_sorted(finder, feature, lists)
    # one source for whole weights and shared ones: the arrays differ, the functions are fused types
    if finder.whole:
        if form == NOMINAL:
            split_nominal(finder, feature, lists.rows, start, end, finder.node_whole, finder.class_whole,
                          finder.hist_whole, finder.left_whole, finder.right_whole, finder.known_whole)
        elif form == BINNED:
            sweep_bins(finder, feature, lists.rows, start, end, finder.node_whole, finder.class_whole,
                       finder.hist_whole, finder.left_whole, finder.right_whole, finder.data.log_table)
        else:
            sweep_sorted(finder, feature, lists.ranks, lists.reach, lists.list_rows, line, lists.start[1 + line],
                         lists.end[1 + line], finder.data.whole_weights, finder.class_whole, end - start,
                         finder.left_whole, finder.right_whole, finder.data.log_table, finder.data.y, finder.compact)
    elif form == NOMINAL:
        split_nominal(finder, feature, lists.rows, start, end, finder.node_weight, finder.class_weight,
                      finder.hist_weight, finder.left_weight, finder.right_weight, finder.known_weight)
    elif form == BINNED:
        sweep_bins(finder, feature, lists.rows, start, end, finder.node_weight, finder.class_weight,
                   finder.hist_weight, finder.left_weight, finder.right_weight, finder.data.log_table)
    else:
        sweep_sorted(finder, feature, lists.ranks, lists.reach, lists.list_rows, line, lists.start[1 + line],
                     lists.end[1 + line], finder.row_weight, finder.class_weight, end - start,
                     finder.left_weight, finder.right_weight, finder.data.log_table, finder.data.y, finder.compact)
    return 0


cdef int choose(Finder finder, const int32_t[::1] features, int32_t n_features, Candidate* best) except -1 nogil:
    """The best candidate among the first n_features; best.test is LEAF when none will do."""
    cdef int32_t f = best_feature(finder.rules, features, n_features, finder.wide, finder.all_wide, 0, finder.test,
                                  finder.gain, finder.ratio)
    best.feature, best.test = f, LEAF
    if f >= 0:
        best.test, best.cut, best.threshold = finder.test[f], finder.cut[f], finder.threshold[f]
    return 0
