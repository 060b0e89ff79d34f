"""Sums over rows, for systems of equations: of their cells, and of the squares and products of their cells.

The loops are C, and take pointers without bounds: the compiler turns them into vector instructions only if it knows
that the arrays do not overlap (``restrict``). Callers answer for the lengths: of ``n`` cells in each of ``n_rows``
rows, which lie ``stride`` numbers apart, of ``n_rows`` weights, and of ``n`` lines of ``width`` sums.
"""

cdef extern from *:
    """
    #include <stddef.h>

    #define CW_ADD_ROWS(name, target) \
    target static void name( \
        double *restrict sums, const double *restrict rows, ptrdiff_t stride, const double *restrict weights, \
        ptrdiff_t n_rows, ptrdiff_t n) \
    { \
        for (ptrdiff_t i = 0; i < n_rows; i++, rows += stride) \
            for (ptrdiff_t j = 0; j < n; j++) sums[j] += weights[i] * rows[j]; \
    }

    /* Four rows at a time: a sum is fetched and written once for the four, and they are added to it one by one. */
    #define CW_ADD_SQUARES(name, target) \
    target static void name( \
        double *restrict sums, ptrdiff_t width, const double *restrict rows, ptrdiff_t stride, \
        const double *restrict weights, ptrdiff_t n_rows, ptrdiff_t n) \
    { \
        ptrdiff_t i = 0; \
        for (; i + 4 <= n_rows; i += 4) { \
            const double *restrict a = rows + i * stride, *restrict b = a + stride, *restrict c = b + stride, \
                *restrict d = c + stride; \
            for (ptrdiff_t j = 0; j < n; j++) { \
                const double at_a = weights[i] * a[j], at_b = weights[i + 1] * b[j], at_c = weights[i + 2] * c[j], \
                    at_d = weights[i + 3] * d[j]; \
                double *restrict line = sums + j * width; \
                for (ptrdiff_t k = 0; k <= j; k++) \
                    line[k] = (((line[k] + at_a * a[k]) + at_b * b[k]) + at_c * c[k]) + at_d * d[k]; \
            } \
        } \
        for (; i < n_rows; i++) { \
            const double *restrict a = rows + i * stride; \
            for (ptrdiff_t j = 0; j < n; j++) { \
                const double at_a = weights[i] * a[j]; \
                double *restrict line = sums + j * width; \
                for (ptrdiff_t k = 0; k <= j; k++) line[k] += at_a * a[k]; \
            } \
        } \
    }

    CW_ADD_ROWS(cw_add_rows_plain, )
    CW_ADD_SQUARES(cw_add_squares_plain, )

    /* Each sum is formed from the same products in the same order, however many are formed at a time. */
    #if defined(__x86_64__) && defined(__GNUC__)
    CW_ADD_ROWS(cw_add_rows_wide, __attribute__((target("avx2"))))
    CW_ADD_SQUARES(cw_add_squares_wide, __attribute__((target("avx2"))))
    #define CW_WIDEST(name, ...) (__builtin_cpu_supports("avx2") ? name##_wide(__VA_ARGS__) : name##_plain(__VA_ARGS__))
    #else
    #define CW_WIDEST(name, ...) name##_plain(__VA_ARGS__)
    #endif
    #define cw_add_rows(...) CW_WIDEST(cw_add_rows, __VA_ARGS__)
    #define cw_add_squares(...) CW_WIDEST(cw_add_squares, __VA_ARGS__)
    """
    # for each row i, sums[j] += weights[i] * rows[i, j]
    void add_rows "cw_add_rows"(
        double *sums, const double *rows, Py_ssize_t stride, const double *weights, Py_ssize_t n_rows,
        Py_ssize_t n) nogil
    # for each row i, sums[j, k] += weights[i] * rows[i, j] * rows[i, k], for all k up to j
    void add_squares "cw_add_squares"(
        double *sums, Py_ssize_t width, const double *rows, Py_ssize_t stride, const double *weights, Py_ssize_t n_rows,
        Py_ssize_t n) nogil
