"""PlaneFinder: a hyper-plane for a node's two-class problem."""

from cython cimport final
from libc.stdint cimport int32_t

from clearwood.kernels.common.number_sort cimport NumberSort
from clearwood.kernels.distil.search_tree cimport SearchTree
from clearwood.kernels.distil.soft_rows cimport SoftRows
from clearwood.kernels.distil.value_screen cimport ValueScreen


cdef struct Projected:
    double key  # where the row lies along the direction
    double price  # what it costs to send it left
    int32_t real
    int32_t unused


@final
cdef class PlaneFinder:
    cdef SearchTree tree
    cdef SoftRows data
    cdef readonly int32_t max_terms
    cdef readonly bint full  # whether planes may have all numbers, at the price of one term
    cdef double term_price
    # what was found: no terms if nothing; weights are of standardised cells
    cdef double cost, cut
    cdef int32_t n_terms
    cdef bint swapped, missing_low
    cdef int32_t[::1] found_features
    cdef double[::1] found_weights
    cdef double[:, ::1] scaled              # by column and row: all cells, standardised
    # scratch: the sample's standardised cells and prices, its moments, and a system of equations
    cdef int32_t n_sample
    cdef double total, balance              # the weights of the sample; the mean sign
    cdef int32_t[::1] sample_row
    cdef ValueScreen screen
    cdef int32_t n_looked_at
    cdef int32_t[::1] looked_at             # all numbers, and some values; what follows speaks of places in this list
    cdef double[:, ::1] cells, moments, swept, system
    cdef double[:, ::1] picked              # of the cells those of the chosen features, and a 1 for the constant
    cdef double[::1] counted                # how much each row of these counts
    cdef double[::1] sample_price, mean, slope, swept_slope, solution, weights, value, pulled
    cdef int32_t[::1] chosen
    cdef Projected[::1] projected
    cdef NumberSort order                   # of those
    cdef double[::1] keys                   # by position in the tree's rows: where each lies along the direction

    cdef int find(
        self, int32_t low, int32_t high, const double[::1] price, int32_t first, double limit) except -1 nogil
    cdef bint take_sample(self, int32_t low, int32_t high, const double[::1] price) except -1 nogil
    cdef double price_of(self, int32_t n_terms) noexcept nogil
    cdef int form_moments(self) except -1 nogil
    cdef int32_t select(self, int32_t n_terms, int32_t first) except -1 nogil
    cdef int start_weights(self, int32_t n_terms) except -1 nogil
    cdef int fit_weights(self, int32_t n_terms) except -1 nogil
    cdef int add_all_squares(self, double[:, ::1] sums, int32_t n) except -1 nogil
    cdef int pick_cells(self, int32_t n_terms) except -1 nogil
    cdef int add_terms(self, int32_t n_terms) except -1 nogil
    cdef bint solve(self, int32_t n) except -1 nogil
    cdef int cut_rows(self, int32_t low, int32_t high, const double[::1] price, int32_t n_terms) except -1 nogil
    cdef int write(self, int32_t node) except -1 nogil
