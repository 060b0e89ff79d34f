"""Loops over the 64-bit words of bitsets.

They are C, and take pointers without bounds: the compiler turns them into vector instructions only if it knows that the
arrays do not overlap (``restrict``). Callers give the length of all arrays as ``n`` or as the last of ``ends``.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <stddef.h>

    #define CW_SPLIT(name, target) \
    target static void name( \
        const uint64_t *restrict rows, const uint64_t *restrict test, const uint64_t *restrict also, \
        uint64_t *restrict out, const int32_t *restrict ends, ptrdiff_t n_blocks, int64_t *restrict count) \
    { \
        ptrdiff_t b, w = 0; \
        for (b = 0; b < n_blocks; b++) { \
            int64_t n = 0; \
            const ptrdiff_t end = ends[b]; \
            if (also) \
                for (; w < end; w++) { \
                    out[w] = rows[w] & (test[w] | also[w]); \
                    n += __builtin_popcountll(out[w]); \
                } \
            else \
                for (; w < end; w++) { \
                    out[w] = rows[w] & test[w]; \
                    n += __builtin_popcountll(out[w]); \
                } \
            count[b] = n; \
        } \
    }

    #define CW_COUNT(name, target) \
    target static void name( \
        const uint64_t *rows, const uint64_t *test, const int32_t *restrict ends, ptrdiff_t n_blocks, \
        int64_t *restrict count) \
    { \
        ptrdiff_t b, w = 0; \
        for (b = 0; b < n_blocks; b++) { \
            int64_t n = 0; \
            const ptrdiff_t end = ends[b]; \
            for (; w < end; w++) n += __builtin_popcountll(rows[w] & test[w]); \
            count[b] = n; \
        } \
    }

    CW_SPLIT(cw_split_plain, )
    CW_COUNT(cw_count_plain, )

    /* The processor's own count of bits, where it has one: the same loops compiled for three kinds of processor, and
       the best that this one has is taken. All count the same. */
    #if defined(__x86_64__) && defined(__GNUC__) && !defined(CW_PLAIN_WORDS)
    CW_SPLIT(cw_split_popcnt, __attribute__((target("popcnt"))))
    CW_SPLIT(cw_split_vector, __attribute__((target("avx512f,avx512vpopcntdq"))))
    CW_COUNT(cw_count_popcnt, __attribute__((target("popcnt"))))
    CW_COUNT(cw_count_vector, __attribute__((target("avx512f,avx512vpopcntdq"))))
    #define CW_BEST(name, ...) ( \
        __builtin_cpu_supports("avx512vpopcntdq") ? name##_vector(__VA_ARGS__) : \
        __builtin_cpu_supports("popcnt") ? name##_popcnt(__VA_ARGS__) : name##_plain(__VA_ARGS__))
    #else
    #define CW_BEST(name, ...) name##_plain(__VA_ARGS__)
    #endif
    #define cw_split(...) CW_BEST(cw_split, __VA_ARGS__)
    #define cw_count(...) CW_BEST(cw_count, __VA_ARGS__)

    static void cw_without(const uint64_t *restrict rows, uint64_t *restrict out, ptrdiff_t n)
    {
        for (ptrdiff_t w = 0; w < n; w++) out[w] = rows[w] & ~out[w];
    }

    static void cw_or(uint64_t *restrict out, const uint64_t *restrict more, ptrdiff_t n)
    {
        for (ptrdiff_t w = 0; w < n; w++) out[w] |= more[w];
    }
    """
    # out = rows & (test | also); count[b] = bits of out in block b, whose words end before ends[b]; also may be NULL
    void split_words "cw_split"(
        const uint64_t *rows, const uint64_t *test, const uint64_t *also, uint64_t *out, const int32_t *ends,
        Py_ssize_t n_blocks, int64_t *count) nogil
    # count[b] = bits of rows & test in block b; rows and test may be the same
    void count_words "cw_count"(
        const uint64_t *rows, const uint64_t *test, const int32_t *ends, Py_ssize_t n_blocks, int64_t *count) nogil
    # out = rows & ~out
    void keep_rest "cw_without"(const uint64_t *rows, uint64_t *out, Py_ssize_t n) nogil
    # out |= more
    void join_words "cw_or"(uint64_t *out, const uint64_t *more, Py_ssize_t n) nogil
