"""TrainingSet: the rows that a tree is grown from, with everything about them that trees can share.

Nothing in it changes while trees are grown, so threads and folds may hold one together.
"""

from libc.math cimport log
import numpy as np

from clearwood.kernels.common.arithmetic cimport LN2, xlogx

from clearwood.kernels.common.agreement import check_lengths, check_range

LARGEST_LOOKUP = 1 << 24  # x ln x is looked up while the total weight stays below this: 128 MiB at most


cdef class TrainingSet:
    """Built by ``clearwood.learn.training.training_set``; the attributes are described in the .pxd file."""

    def __init__(
        self, *, numeric, nominal, bins, bin_values, bin_present, order, order_length, y, weights, whole_weights, rows,
        form, slot, place, n_values, separable, missing, log_table, log2_table, int n_classes, int n_counted,
        bint copies=False, lightest=None,
    ):
        n_rows = len(y)
        check_lengths(y=n_rows, weights=len(weights), **{
            name: block.shape[1] for name, block in (("numeric", numeric), ("nominal", nominal), ("bins", bins))
            if len(block)
        })
        check_lengths(
            form=len(form), slot=len(slot), place=len(place), n_values=len(n_values), separable=len(separable),
            missing=len(missing),
        )
        check_lengths(bins=len(bins), bin_values=len(bin_values), bin_present=len(bin_present))
        check_lengths(order=len(order), order_length=len(order_length))
        if len(order):
            check_range("order_length", order_length, 0, order.shape[1] + 1)
        if whole_weights is not None:
            check_lengths(weights=n_rows, whole_weights=len(whole_weights))
        check_range("rows", rows, 0, n_rows)
        check_range("y", y, 0, max(n_classes, 1))
        self.numeric, self.nominal, self.bins = numeric, nominal, bins
        self.bin_values, self.bin_present = bin_values, bin_present
        self.order, self.order_length = order, order_length
        self.y, self.weights, self.rows = y, weights, rows
        self.rows_array = rows
        self.integral = whole_weights is not None
        self.whole_weights = whole_weights if self.integral else np.zeros(1, dtype=np.int32)
        chosen = weights[rows]
        self.unit = bool((chosen == 1).all())
        self.total = float(chosen.sum())
        if self.integral and not self.total < len(log_table):
            raise ValueError(f"log_table must reach the sum of the weights, {self.total:g}, got {len(log_table)}.")
        if lightest is not None:  # that of a larger table, of which these rows are a part
            self.lightest = lightest
        elif self.unit:
            self.lightest = 1.0
        else:
            self.lightest = float(chosen.min(initial=np.inf, where=chosen > 0)) if self.total > 0 else 0.0
        self.copies = copies
        self.form, self.slot, self.place = form, slot, place
        self.n_values, self.separable, self.missing = n_values, separable, missing
        self.has_missing = bool(missing.any())
        self.log_table, self.log2_table = log_table, log2_table
        self.n_classes, self.n_features = n_classes, len(form)
        self.n_rows, self.n_counted = len(rows), n_counted


cdef object known_logs = np.zeros(1)  # the longest table so far: a bag of trees asks for the same one again and again


def log_table(Py_ssize_t largest):
    """x ln x for x = 0 .. largest; not to be changed, since others have it too."""
    global known_logs
    table_array = known_logs
    cdef double[::1] table
    cdef Py_ssize_t x
    if len(table_array) <= largest:
        table_array = np.empty(largest + 1)
        table = table_array
        with nogil:
            for x in range(largest + 1):
                table[x] = xlogx(<double>x)
        known_logs = table_array
    return table_array[: largest + 1]


def log2_table(Py_ssize_t largest):
    """log2 x for x = 1 .. largest; 0 for x = 0."""
    table_array = np.zeros(largest + 1)
    cdef double[::1] table = table_array
    cdef Py_ssize_t x
    for x in range(1, largest + 1):
        table[x] = log(<double>x) / LN2
    return table_array
