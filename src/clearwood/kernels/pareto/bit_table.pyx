"""BitTable: a table's rows and tests as bitsets."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

import numpy as np

from clearwood.kernels.common.bit_words cimport join_words, keep_rest, split_words
from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.pareto.gene cimport Gene
from clearwood.kernels.pareto.row_levels cimport RowLevels

from clearwood.kernels.common.agreement import check_lengths, check_range, check_starts


@final
cdef class BitTable:
    """Rows are bit positions. Rows of one class and weight form a block of whole words, so that a count of bits by
    block is a count of classes, whatever their number.

    A test is the bitset ``words[test_bits]`` (none where -1) and the rows ``order[test_begin:test_end]`` besides, or
    without the rows ``order[test_end:test_begin]``; all its rows are ``order[test_first:test_end]``. So a column needs
    few bitsets, however many cuts it has.
    """

    def __init__(self, **arrays):
        _check(arrays)
        self.n_rows, self.n_words, self.n_classes = arrays["n_rows"], arrays["n_words"], arrays["n_classes"]
        self.block_end, self.block_class = arrays["block_end"], arrays["block_class"]
        self.block_weight, self.row_weight = arrays["block_weight"], arrays["row_weight"]
        self.everything = arrays["everything"]
        self.is_nominal, self.usable = arrays["is_nominal"], arrays["usable"]
        self.first_set, self.n_sets = arrays["first_set"], arrays["n_sets"]
        self.missing_bits = arrays["missing_bits"]
        self.order, self.order_end, self.cut_above = arrays["order"], arrays["order_end"], arrays["cut_above"]
        self.test_start, self.test_first = arrays["test_start"], arrays["test_first"]
        self.test_begin, self.test_end = arrays["test_begin"], arrays["test_end"]
        self.test_bits, self.words = arrays["test_bits"], arrays["words"]
        self.first_step, self.n_steps = arrays["first_step"], arrays["n_steps"]
        self.boundary_start, self.boundary = arrays["boundary_start"], arrays["boundary"]
        self.n_blocks, self.n_columns = len(self.block_end), len(self.is_nominal)
        self.weighted = bool(np.any(arrays["block_weight"] != 1))
        self.block_of_word = np.repeat(
            np.arange(self.n_blocks, dtype=np.int32), np.diff(arrays["block_end"], prepend=np.int32(0))
        ).astype(np.int32)
        self.class_of_word = arrays["block_class"][np.asarray(self.block_of_word)]
        self.in_steps = bool(np.any(arrays["n_steps"] > 0) and np.all(arrays["block_weight"] > 0))
        # the loops over words take whole rows of these: their widths are checked here, once for all
        widths = {len(self.everything), self.words.shape[1], len(self.block_of_word)}
        if widths != {self.n_words} or len(self.row_weight) != 64 * self.n_words:
            raise ValueError(f"all bitsets must have {self.n_words} words, got {sorted(widths)}.")
        class_total = np.zeros(self.n_classes, dtype=np.int64)
        class_of_row = np.repeat(np.asarray(self.class_of_word), 64)
        np.add.at(class_total, class_of_row, arrays["row_weight"])  # places without a row weigh nothing
        self.class_total = class_total

    @property
    def n_bitsets(self):
        return self.words.shape[0]

    cdef int split(self, const Gene *gene, RowLevels levels, Py_ssize_t depth) except -1 nogil:
        """Put the rows of a level that go to branch 0 of a node into the next; count how many of each block do.

        Branch 0 is ``rows & (test | missing)``: one pass over the words, which counts as it goes. What the test has
        beside its bitset is added row by row, and what it lacks taken away: half as many rows as a bitset has words.
        """
        cdef Py_ssize_t j, word
        cdef int32_t test = gene.test, group, bitset = -1, place
        cdef uint64_t bits, bit
        cdef const uint64_t *base = &levels.scratch[0]
        cdef const uint64_t *also = NULL
        if gene.missing == 0 and self.missing_bits[gene.column] >= 0:
            also = &self.words[self.missing_bits[gene.column], 0]
        if test >= 0:
            bitset = self.test_bits[test]
        if bitset >= 0:
            base = &self.words[bitset, 0]
        else:
            for word in range(self.n_words):
                levels.scratch[word] = 0
        if test < 0:  # a set of values: the union of its groups, one for each bit of the mask
            bits = gene.mask
            while bits:
                group = self.first_set[gene.column] + lowest_bit(bits)
                bits &= bits - 1
                if self.test_bits[group] >= 0:
                    join_words(&levels.scratch[0], &self.words[self.test_bits[group], 0], self.n_words)
                for j in range(self.test_begin[group], self.test_end[group]):
                    levels.scratch[self.order[j] >> 6] |= <uint64_t>1 << (self.order[j] & 63)
        split_words(&levels.rows[depth, 0], base, also, &levels.rows[depth + 1, 0], &self.block_end[0], self.n_blocks,
                    &levels.count[0])
        if test >= 0:
            # without jumps, which could not be foreseen: a row that is not the node's adds nothing
            for j in range(self.test_begin[test], self.test_end[test]):
                word, place = self.order[j] >> 6, self.order[j] & 63
                bit = (levels.rows[depth, word] >> place) & 1
                levels.rows[depth + 1, word] |= bit << place
                levels.count[self.block_of_word[word]] += bit
            for j in range(self.test_end[test], self.test_begin[test]):
                word, place = self.order[j] >> 6, self.order[j] & 63
                bit = (levels.rows[depth, word] >> place) & 1
                levels.rows[depth + 1, word] &= ~(bit << place)
                levels.count[self.block_of_word[word]] -= bit
        return 0

    cdef int weigh(self, RowLevels levels, Py_ssize_t depth) except -1 nogil:
        """The weight of each class among the rows of a level, whose number in each block was counted."""
        cdef Py_ssize_t b, c, w, start = 0
        cdef uint64_t bits
        cdef int64_t sum
        for c in range(self.n_classes):
            levels.weights[depth, c] = 0
        for b in range(self.n_blocks):
            if self.block_weight[b]:
                levels.weights[depth, self.block_class[b]] += self.block_weight[b] * levels.count[b]
            elif levels.count[b]:  # a block of mixed weights
                sum = 0
                for w in range(start, self.block_end[b]):
                    bits = levels.rows[depth, w]
                    while bits:
                        sum += self.row_weight[(w << 6) + lowest_bit(bits)]
                        bits &= bits - 1
                levels.weights[depth, self.block_class[b]] += sum
            start = self.block_end[b]
        return 0

    cdef int turn_over(self, RowLevels levels, Py_ssize_t depth) except -1 nogil:
        """Turn the next level over: the rows of a level that went to branch 1."""
        keep_rest(&levels.rows[depth, 0], &levels.rows[depth + 1, 0], self.n_words)
        return 0


def _check(arrays):
    """Refuse arrays that do not fit together: lengths, the parts that belong to a column, and what is looked up by."""
    n_columns, n_tests, n_order = len(arrays["is_nominal"]), len(arrays["test_bits"]), len(arrays["order"])
    check_lengths(**{
        name: len(arrays[name])
        for name in ("is_nominal", "first_set", "n_sets", "missing_bits", "order_end", "first_step", "n_steps")
    })
    check_lengths(**{name: len(arrays[name]) for name in ("block_end", "block_class", "block_weight")})
    check_lengths(**{name: len(arrays[name]) for name in ("test_bits", "test_first", "test_begin", "test_end")})
    check_lengths(order=n_order, cut_above=len(arrays["cut_above"]))
    check_starts("block_end", [0, *arrays["block_end"]], len(arrays["block_end"]), arrays["n_words"])
    check_starts("order_end", [0, *arrays["order_end"]], n_columns, n_order)
    check_starts("test_start", arrays["test_start"], n_columns, n_tests)
    check_starts("boundary_start", arrays["boundary_start"], n_columns, len(arrays["boundary"]))
    check_range("block_class", arrays["block_class"], 0, arrays["n_classes"])
    check_range("usable", arrays["usable"], 0, n_columns)
    check_range("order", arrays["order"], 0, 64 * arrays["n_words"])
    check_range("cut_above", arrays["cut_above"], 0, n_tests + 1)
    check_range("boundary", arrays["boundary"], 0, n_tests)
    check_range("n_sets", arrays["n_sets"], 0, 65)
    check_range("first_set", arrays["first_set"], 0, n_tests + 1)
    check_range("the last set", arrays["first_set"] + arrays["n_sets"], 0, n_tests + 1)
    in_column = np.diff(arrays["order_end"], prepend=0)
    check_range("n_steps", arrays["n_steps"], 0, n_order + 1)
    check_range("rows above the last step", in_column - arrays["n_words"] * arrays["n_steps"], 0, n_order + 1)
    check_range("first_step", arrays["first_step"], 0, len(arrays["words"]) + 1)
    check_range("the last step", arrays["first_step"] + arrays["n_steps"], 0, len(arrays["words"]) + 1)
    for name in ("test_first", "test_begin", "test_end"):
        check_range(name, arrays[name], 0, n_order + 1)
    for name in ("test_bits", "missing_bits"):
        check_range(name, arrays[name], -1, len(arrays["words"]))


def set_bits(uint64_t[::1] words, const int32_t[::1] positions):
    """Set the bits at the given positions."""
    check_range("positions", positions, 0, 64 * words.shape[0])
    cdef Py_ssize_t i
    with nogil:
        for i in range(positions.shape[0]):
            words[positions[i] >> 6] |= <uint64_t>1 << (positions[i] & 63)


def get_bits(const uint64_t[::1] words, const int32_t[::1] positions):
    """Whether the bits at the given positions are set."""
    check_range("positions", positions, 0, 64 * words.shape[0])
    cdef Py_ssize_t i
    cdef uint8_t[::1] found = np.zeros(positions.shape[0], dtype=np.uint8)
    with nogil:
        for i in range(positions.shape[0]):
            found[i] = (words[positions[i] >> 6] >> (positions[i] & 63)) & 1
    return np.asarray(found).view(bool)
