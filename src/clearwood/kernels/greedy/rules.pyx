"""Rules: what distinguishes the greedy learners while they grow."""

from clearwood.kernels.common.codes cimport BRANCHES, SUBSET
from clearwood.kernels.greedy.score cimport counts_in_bits, divides_by_split_information


cdef class Rules:
    """The attributes are described in the .pxd file."""

    def __init__(
        self, *, int criterion, bint multiway, bint any_set, bint average_filter, bint ten_percent, bint mdl_correction,
        bint relocate, bint once, bint whole_row, bint boundaries, double min_leaf, double min_split, double min_gap,
        double tolerance, double least, int max_depth,
    ):
        self.criterion = criterion
        self.in_bits, self.by_ratio = counts_in_bits(criterion), divides_by_split_information(criterion)
        self.nominal_test = BRANCHES if multiway else SUBSET
        self.any_set, self.average_filter, self.ten_percent = any_set, average_filter, ten_percent
        self.mdl_correction, self.relocate, self.once = mdl_correction, relocate, once
        self.boundaries, self.min_leaf, self.min_split = boundaries, min_leaf, min_split
        self.whole_row = whole_row
        self.min_gap, self.tolerance, self.least, self.max_depth = min_gap, tolerance, least, max_depth
