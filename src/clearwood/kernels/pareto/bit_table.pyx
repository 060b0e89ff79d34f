"""BitTable: a table's rows and tests as bitsets."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

import numpy as np

from clearwood.kernels.common.bit_words cimport join_words, split_words
from clearwood.kernels.common.bits cimport lowest_bit
from clearwood.kernels.pareto.genes cimport Gene


cdef class BitTable:
    """Rows are bit positions. Rows of one class and weight form a block of whole words, so that a count of bits by
    block is a count of classes, whatever their number.

    A test is the bitset ``words[test_bits]`` (none where -1) and the rows ``order[test_begin:test_end]`` besides; all
    its rows are ``order[test_first:test_end]``. So a column needs few bitsets, however many cuts it has.
    """

    def __init__(self, **arrays):
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
        self.boundary_start, self.boundary = arrays["boundary_start"], arrays["boundary"]
        self.n_blocks, self.n_columns = len(self.block_end), len(self.is_nominal)
        self.weighted = bool(np.any(arrays["block_weight"] != 1))
        self.longest = int(np.diff(arrays["test_start"]).max(initial=0))
        self.block_of_word = np.repeat(
            np.arange(self.n_blocks, dtype=np.int32), np.diff(arrays["block_end"], prepend=np.int32(0))
        ).astype(np.int32)
        self.class_total = np.zeros(self.n_classes, dtype=np.int64)
        cdef int64_t[::1] count = np.zeros(self.n_blocks, dtype=np.int64)
        if self.n_words:
            nothing = np.zeros(self.n_words, dtype=np.uint64)
            self._count_all(count, nothing)

    @property
    def n_bitsets(self):
        return self.words.shape[0] // max(self.n_words, 1)

    def _count_all(self, int64_t[::1] count, uint64_t[::1] scratch):
        split_words(&self.everything[0], &self.everything[0], NULL, &scratch[0], &self.block_end[0], self.n_blocks,
                    &count[0])
        self.weigh(&count[0], &self.everything[0], &self.class_total[0])

    cdef int split(
        self, const Gene *gene, const uint64_t *rows, uint64_t *out, uint64_t *scratch, int64_t *count
    ) except -1 nogil:
        """out = the rows that go to branch 0 at a node; count = how many of each block."""
        cdef Py_ssize_t j, n = self.n_words
        cdef int32_t test, position, group
        cdef uint64_t bits, bit
        cdef const uint64_t *also = NULL
        cdef const uint64_t *base = scratch
        if gene.missing == 0 and self.missing_bits[gene.column] >= 0:
            also = &self.words[self.missing_bits[gene.column] * n]
        test = gene.test
        if test < 0:
            memset(scratch, 0, n * sizeof(uint64_t))
            bits = gene.mask
            while bits:
                group = self.first_set[gene.column] + lowest_bit(bits)
                bits &= bits - 1
                if self.test_bits[group] >= 0:
                    join_words(scratch, &self.words[self.test_bits[group] * n], n)
                for j in range(self.test_begin[group], self.test_end[group]):
                    position = self.order[j]
                    scratch[position >> 6] |= <uint64_t>1 << (position & 63)
        elif self.test_bits[test] >= 0:
            base = &self.words[self.test_bits[test] * n]
        else:
            memset(scratch, 0, n * sizeof(uint64_t))
        split_words(rows, base, also, out, &self.block_end[0], self.n_blocks, count)
        if test >= 0:
            for j in range(self.test_begin[test], self.test_end[test]):
                position = self.order[j]
                bit = <uint64_t>1 << (position & 63)
                if rows[position >> 6] & bit:
                    out[position >> 6] |= bit
                    count[self.block_of_word[position >> 6]] += 1
        return 0

    cdef int weigh(self, const int64_t *count, const uint64_t *rows, int64_t *weights) except -1 nogil:
        """The weight of each class among the rows, whose number in each block is given."""
        cdef Py_ssize_t b, w, start = 0
        cdef uint64_t bits
        cdef int64_t sum
        memset(weights, 0, self.n_classes * sizeof(int64_t))
        for b in range(self.n_blocks):
            if self.block_weight[b]:
                weights[self.block_class[b]] += self.block_weight[b] * count[b]
            elif count[b]:  # a block of mixed weights
                sum = 0
                for w in range(start, self.block_end[b]):
                    bits = rows[w]
                    while bits:
                        sum += self.row_weight[(w << 6) + lowest_bit(bits)]
                        bits &= bits - 1
                weights[self.block_class[b]] += sum
            start = self.block_end[b]
        return 0


def set_bits(uint64_t[::1] words, const int32_t[::1] positions):
    """Set the bits at the given positions."""
    cdef Py_ssize_t i
    for i in range(positions.shape[0]):
        words[positions[i] >> 6] |= <uint64_t>1 << (positions[i] & 63)
