"""Forest: the trees of an ensemble as flat arrays of two-way tests."""

from libc.stdint cimport int32_t, uint64_t

import numpy as np

from clearwood.kernels.common.bits cimport lowest_bit

from clearwood.kernels.common.agreement import check_codes, check_lengths, check_range, check_starts
from clearwood.kernels.common.growing_arrays import longer


cdef class Forest:
    """The attributes are described in the .pxd file."""

    def __init__(
        self, *, int n_classes, nominal, first_candidate, first_word, first_value, full, feature_of, set_word,
        set_words, tree_weight, value_of,
    ):
        n_values, n_words = np.diff(first_value), np.diff(first_word)
        of_feature = [slice(start, end) for start, end in zip(first_candidate[:-1], first_candidate[1:])]
        check_starts("first_candidate", first_candidate, len(nominal), len(feature_of))
        check_starts("first_word", first_word, len(nominal), len(full))
        check_starts("first_value", first_value, len(nominal), int(max(first_value, default=0)))
        check_lengths(feature_of=len(feature_of), set_word=len(set_word), value_of=len(value_of))
        check_codes("n_values", n_values[:, None], 64 * n_words + 1, 0)
        check_codes("value_of", [value_of[part] for part in of_feature], n_values)
        check_codes("feature_of", [feature_of[part] - f for f, part in enumerate(of_feature)], [1] * len(nominal), 0)
        for f in np.flatnonzero(nominal):
            check_range("set_word", set_word[of_feature[f]], 0, len(set_words) - n_words[f] + 1)
        self.n_classes, self.n_features = n_classes, len(nominal)
        self.nominal, self.first_candidate, self.first_word = nominal, first_candidate, first_word
        self.first_value, self.full = first_value, full
        self.feature_of, self.set_word, self.set_words = feature_of, set_word, set_words
        self.tree_weight, self.value_of = tree_weight, value_of
        # features whose candidates all name one value can be scored by steps, without a look at every leaf
        single = np.zeros(len(nominal), dtype=np.uint8)
        single_of = np.full(max(first_value, default=0), -1, dtype=np.int32)
        for f in range(len(nominal)):
            values = value_of[first_candidate[f]: first_candidate[f + 1]]
            if nominal[f] and len(values) and (values >= 0).all():
                single[f] = 1
                single_of[first_value[f] + values] = np.arange(first_candidate[f], first_candidate[f + 1])
        self.single, self.single_of = single, single_of
        self.below = np.zeros(len(feature_of))
        self.value_share = np.zeros(max(first_value, default=0))
        self.root = np.zeros(len(tree_weight), dtype=np.int32)
        self.room, self.size, self.n_entries, self.n_trees = 1024, 0, 0, 0
        self.feature, self.candidate, self.left, self.right = np.zeros((4, self.room), dtype=np.int32)
        self.entry_start, self.entry_end = np.zeros((2, self.room), dtype=np.int32)
        self.share = np.zeros(self.room)
        self.entry_class, self.entry_probability = np.zeros(1024, dtype=np.int32), np.zeros(1024)

    def set_spread(self, below, value_share):
        """Set the shares of rows: those that pass each numeric candidate, and those with each nominal value."""
        check_lengths(below=len(below), candidates=len(self.feature_of))
        check_lengths(value_share=len(value_share), values=len(self.value_share))
        self.below, self.value_share = below, value_share

    def _make_room(self):
        self.room *= 2
        self.feature, self.candidate = longer(self.feature, self.room), longer(self.candidate, self.room)
        self.left, self.right = longer(self.left, self.room), longer(self.right, self.room)
        self.entry_start, self.entry_end = longer(self.entry_start, self.room), longer(self.entry_end, self.room)
        self.share = longer(self.share, self.room)

    def _make_entry_room(self):
        room = 2 * len(self.entry_class)
        self.entry_class, self.entry_probability = longer(self.entry_class, room), longer(self.entry_probability, room)

    cdef int32_t add_node(self) except -1 nogil:
        if self.size == self.room:
            with gil:
                self._make_room()
        self.feature[self.size] = -1
        self.size += 1
        return <int32_t>self.size - 1

    cdef int set_leaf(self, int32_t node, const double[:, ::1] probability, int32_t of) except -1 nogil:
        """Make a node a leaf with the class probabilities of a node of the tree; those that are 0 are left out."""
        cdef int32_t c
        self.entry_start[node] = <int32_t>self.n_entries
        for c in range(self.n_classes):
            if probability[of, c] > 0:
                if self.n_entries == self.entry_class.shape[0]:
                    with gil:
                        self._make_entry_room()
                self.entry_class[self.n_entries], self.entry_probability[self.n_entries] = c, probability[of, c]
                self.n_entries += 1
        self.entry_end[node] = <int32_t>self.n_entries
        return 0

    cdef double mass(self, int32_t f, const uint64_t[::1] words, int32_t at) except? -1.0 nogil:
        """The share of the rows that have one of a set of values; the set's words begin at a place."""
        cdef int32_t word
        cdef uint64_t bits
        cdef double found = 0.0
        for word in range(self.first_word[f + 1] - self.first_word[f]):
            bits = words[at + word]
            while bits:
                found += self.value_share[self.first_value[f] + (word << 6) + lowest_bit(bits)]
                bits &= bits - 1
        return found
