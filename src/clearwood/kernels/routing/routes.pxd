from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.routing.branch cimport Step, Weight


cdef Py_ssize_t find_leaves(
    const Step[::1] steps, const uint8_t[:, ::1] in_set, const Weight[::1] linear, const int32_t[::1] missing,
    const double[:, :] numeric, const int32_t[:, :] nominal, bint only_thresholds, const int32_t[::1] rows,
    int32_t[::1] leaf,
) noexcept nogil
cdef void share_out(
    const Step[::1] steps, const uint8_t[:, ::1] in_set, const Weight[::1] linear, const int32_t[::1] missing,
    const double[:, :] numeric, const int32_t[:, :] nominal, const int32_t[::1] n_children, const uint8_t[::1] empty,
    const double[::1] share, const double[:, ::1] probability, Py_ssize_t row, int32_t[::1] stack,
    double[::1] weights, double[::1] out,
) noexcept nogil
