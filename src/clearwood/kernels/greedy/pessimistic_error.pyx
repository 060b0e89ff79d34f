"""Pessimistic errors of leaves, as arrays; the formulas are in the .pxd file."""

import numpy as np

from clearwood.kernels.common.agreement import check_lengths


def pessimistic_errors(const double[::1] weight, const double[::1] errors, int style, double confidence,
                       double deviation):
    """The errors to expect of leaves that misclassify some weight of all that they hold."""
    check_lengths(weight=weight.shape[0], errors=errors.shape[0])
    cdef Pessimism how
    cdef Py_ssize_t i
    how.style, how.confidence, how.deviation = style, confidence, deviation
    expected_array = np.empty(weight.shape[0])
    cdef double[::1] expected = expected_array
    with nogil:
        for i in range(weight.shape[0]):
            expected[i] = expected_errors(&how, weight[i], errors[i])
    return expected_array
