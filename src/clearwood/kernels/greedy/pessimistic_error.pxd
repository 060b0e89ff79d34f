"""Pessimistic error: training errors plus what chance may have hidden."""

from libc.math cimport pow, sqrt
from libc.stdint cimport int32_t

from clearwood.kernels.common.arithmetic cimport equal, greater

cdef enum:
    AS_J48 = 0   # normal quantile; none above 50 %
    AS_C45 = 1   # interpolated deviation of release 8

cdef struct Pessimism:
    int style
    double confidence
    double deviation   # z


cdef inline double extra_errors(const Pessimism* how, double n, double e) noexcept nogil:
    """The errors to add to e errors among n rows."""
    cdef double base, f, q, z = how.deviation
    if how.style == AS_J48 and how.confidence > 0.5:
        return 0.0
    if e < 1.0:
        base = n * (1.0 - pow(how.confidence, 1.0 / n))
        return base if e == 0.0 else base + e * (extra_errors(how, n, 1.0) - base)
    if e + 0.5 >= n:
        if how.style == AS_C45:
            return 0.67 * (n - e)
        return n - e if n > e else 0.0
    if how.style == AS_C45:
        q = z * z
        f = e + 0.5
        return n * (f + q / 2.0 + sqrt(q * (f * (1.0 - f / n) + q / 4.0))) / (n + q) - e
    f = (e + 0.5) / n
    return n * ((f + z * z / (2.0 * n) + z * sqrt(f / n - f * f / n + z * z / (4.0 * n * n))) / (1.0 + z * z / n)) - e


cdef inline double majority_errors(const double[:, ::1] counts, Py_ssize_t node, double* total) noexcept nogil:
    """The weight outside the majority class, and the total."""
    cdef double best = 0.0, of_majority = counts[node, 0], n = 0.0
    cdef Py_ssize_t c
    for c in range(counts.shape[1]):
        n += counts[node, c]
        if greater(counts[node, c], best):
            best = of_majority = counts[node, c]
    total[0] = n
    return n - of_majority


cdef inline double estimate(const Pessimism* how, const double[:, ::1] counts, Py_ssize_t node) noexcept nogil:
    """The pessimistic errors of a class table."""
    cdef double n = 0.0, errors = majority_errors(counts, node, &n)
    return 0.0 if equal(n, 0.0) else errors + extra_errors(how, n, errors)


cdef inline bint is_nothing(const double[:, ::1] counts) noexcept nogil:
    """Whether the first class table weighs nothing."""
    cdef double n = 0.0
    majority_errors(counts, 0, &n)
    return equal(n, 0.0)
