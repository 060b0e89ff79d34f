"""Arithmetic shared by the kernels: C4.5's tolerant comparisons and x ln x.

Sums of fractional weights come out a little different in another order. J48 therefore takes numbers for equal that
differ by less than 1e-6, and we with it: each comparison below is one of J48's, so that ties are decided as there.
"""

from libc.math cimport log
from libc.stdint cimport int32_t

cdef extern from *:
    """
    #define CW_LN2 0.6931471805599453
    #define CW_EPSILON 1e-6
    """
    const double LN2 "CW_LN2"
    const double EPSILON "CW_EPSILON"  # absolute, J48's tolerance

# class weights are counted in int32 while all weights are whole, and in double once rows are shared out
ctypedef fused number:
    int32_t
    double


cdef inline bint greater(double a, double b) noexcept nogil:
    return a - b > EPSILON


cdef inline bint smaller(double a, double b) noexcept nogil:
    return b - a > EPSILON


cdef inline bint equal(double a, double b) noexcept nogil:
    return a == b or (a - b < EPSILON and b - a < EPSILON)


cdef inline bint at_least(double a, double b) noexcept nogil:
    return b - a < EPSILON or a >= b


cdef inline bint at_most(double a, double b) noexcept nogil:
    return a - b < EPSILON or a <= b


cdef inline double midpoint(double low, double high) noexcept nogil:
    """A threshold that parts two different values, midway: at least the lower one, and below the higher one."""
    cdef double middle = (low + high) / 2.0
    if middle - middle != 0.0:  # the sum is beyond the largest double
        middle = low / 2.0 + high / 2.0
    return low if middle == high else middle  # neighbouring floats have nothing between them, and high must go right


cdef inline double xlogx(double x) noexcept nogil:
    """x ln x, and 0 for a weight that is next to none, as in J48. The last bit is the C library's log's."""
    return 0.0 if x < 1e-6 else x * log(x)


cdef inline double weighted_log(number x, const double[::1] table) noexcept nogil:
    """x ln x: looked up for whole weights, because a sweep asks for the same few values again and again."""
    cdef int32_t floor
    if number is int32_t:
        return table[x]
    else:
        if x < table.shape[0]:  # where rows are shared out, most weights are whole all the same
            floor = <int32_t>x
            if floor == x:
                return table[floor]
        return xlogx(x)
