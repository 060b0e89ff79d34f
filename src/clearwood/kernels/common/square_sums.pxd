"""Sums over rows, for systems of equations: of their cells, and of the squares and products of their cells.

The loops are C, and take pointers without bounds: the compiler turns them into vector instructions only if it knows
that the arrays do not overlap (``restrict``). Callers answer for the lengths: of ``n`` cells, and of ``n`` lines of
``width`` sums.
"""

cdef extern from *:
    """
    #include <stddef.h>

    #define CW_ADD_ROW(name, target) \
    target static void name(double *restrict sums, const double *restrict row, double weight, ptrdiff_t n) \
    { \
        for (ptrdiff_t j = 0; j < n; j++) sums[j] += weight * row[j]; \
    }

    #define CW_ADD_SQUARE(name, target) \
    target static void name( \
        double *restrict sums, ptrdiff_t width, const double *restrict row, double weight, ptrdiff_t n) \
    { \
        for (ptrdiff_t j = 0; j < n; j++) { \
            const double cell = weight * row[j]; \
            double *restrict line = sums + j * width; \
            for (ptrdiff_t k = 0; k <= j; k++) line[k] += cell * row[k]; \
        } \
    }

    CW_ADD_ROW(cw_add_row_plain, )
    CW_ADD_SQUARE(cw_add_square_plain, )

    /* Each sum is formed from the same products in the same order, however many are formed at a time. */
    #if defined(__x86_64__) && defined(__GNUC__)
    CW_ADD_ROW(cw_add_row_wide, __attribute__((target("avx2"))))
    CW_ADD_SQUARE(cw_add_square_wide, __attribute__((target("avx2"))))
    #define CW_WIDEST(name, ...) (__builtin_cpu_supports("avx2") ? name##_wide(__VA_ARGS__) : name##_plain(__VA_ARGS__))
    #else
    #define CW_WIDEST(name, ...) name##_plain(__VA_ARGS__)
    #endif
    #define cw_add_row(...) CW_WIDEST(cw_add_row, __VA_ARGS__)
    #define cw_add_square(...) CW_WIDEST(cw_add_square, __VA_ARGS__)
    """
    # sums[j] += weight * row[j]
    void add_row "cw_add_row"(double *sums, const double *row, double weight, Py_ssize_t n) nogil
    # sums[j, k] += weight * row[j] * row[k], for all k up to j
    void add_square "cw_add_square"(
        double *sums, Py_ssize_t width, const double *row, double weight, Py_ssize_t n) nogil
