"""Pessimistic error: training errors plus what chance may have hidden."""

from libc.math cimport pow, sqrt

from clearwood.kernels.common.arithmetic cimport equal, greater
from clearwood.kernels.common.codes cimport AS_C45, AS_J48

cdef struct Pessimism:
    int style          # an ErrorEstimate
    double confidence
    double deviation   # z, by which the errors may lie above their mean at that confidence


cdef inline double extra_errors(const Pessimism* how, double n, double e) noexcept nogil:
    """The errors to add to e errors among n rows: the upper end of a binomial's confidence interval, less e.

    Quinlan (C4.5, 1993, section 4.2) takes the end that solves P(at most e errors among n) = confidence. Both styles
    solve it for no errors, interpolate up to one error, and take the normal approximation from there (Wilson's score
    interval with half an error more, for continuity). They differ in z, and where nearly all rows are errors.
    """
    cdef double base, f, q, z = how.deviation
    if how.style == AS_J48 and how.confidence > 0.5:  # the normal quantile would be negative: J48 adds nothing
        return 0.0
    if e < 1.0:
        base = n * (1.0 - pow(how.confidence, 1.0 / n))  # (1 - base / n) ** n is the confidence
        return base if e == 0.0 else base + e * (extra_errors(how, n, 1.0) - base)
    if e + 0.5 >= n:  # nearly all rows are errors, where the approximation does not hold
        if how.style == AS_C45:
            return 0.67 * (n - e)
        return n - e if n > e else 0.0
    if how.style == AS_C45:
        q = z * z
        f = e + 0.5
        return n * (f + q / 2.0 + sqrt(q * (f * (1.0 - f / n) + q / 4.0))) / (n + q) - e
    f = (e + 0.5) / n
    return n * ((f + z * z / (2.0 * n) + z * sqrt(f / n - f * f / n + z * z / (4.0 * n * n))) / (1.0 + z * z / n)) - e


cdef inline double expected_errors(const Pessimism* how, double n, double e) noexcept nogil:
    """The errors to expect of a leaf that makes e among n; none where there are no rows."""
    return 0.0 if equal(n, 0.0) else e + extra_errors(how, n, e)


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
    return expected_errors(how, n, errors)
