"""Make the candidates of a node from counts that someone else has made, and choose among them.

A table that is too large for memory is counted where it lies. What comes back, the weight of each value and class of
one feature, is a TrainingSet of one feature whose rows are those pairs and whose weights are the counts: so the code
that examines rows examines counts, and a split is the same whoever has counted.
"""

from libc.stdint cimport int32_t, uint8_t

import numpy as np

from clearwood.kernels.common.codes cimport SORTED, SUBSET
from clearwood.kernels.greedy.candidates cimport best_feature, examine
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.greedy.rules cimport Rules
from clearwood.kernels.greedy.training_set cimport TrainingSet


def examine_counts(TrainingSet data, Rules rules):
    """The candidate of the only feature of a counted node: test, cut, threshold, gain, ratio, and the values of a set.

    The test is LEAF when the feature offers no split; ``cut`` and ``threshold`` mean what they mean in a Candidate.
    """
    if data.n_features != 1 or data.form[0] == SORTED:
        raise ValueError("counts are of one feature, nominal or counted by value.")
    cdef Grower grower = Grower(data, rules)
    cdef int32_t node
    cdef const int32_t[::1] features = np.zeros(1, dtype=np.int32)
    with nogil:
        grower.start_tree(features)
        node = grower.pop()
        grower.take_up(node)
        examine(grower.finder, 0, grower.lists)
    cdef Finder finder = grower.finder
    values = np.zeros(0, dtype=np.int32)
    if finder.test[0] == SUBSET and rules.any_set:
        values = np.flatnonzero(np.asarray(finder.set_of_feature)[: data.n_values[0]]).astype(np.int32)
    elif finder.test[0] == SUBSET:
        values = np.array([finder.cut[0]], dtype=np.int32)
    return finder.test[0], finder.cut[0], finder.threshold[0], finder.gain[0], finder.ratio[0], values


def choose_candidate(
    Rules rules, const int32_t[::1] features, const uint8_t[::1] wide, const uint8_t[::1] test, const double[::1] gain,
    const double[::1] ratio,
):
    """Which of the features offers the best candidate, by the arrays of all features; -1 when none will do."""
    cdef bint all_wide = all(wide[f] for f in features)
    return best_feature(rules, features, len(features), wide, all_wide, 0, test, gain, ratio)
