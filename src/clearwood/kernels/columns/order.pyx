"""Sort columns once: stable radix order of every numeric column, missing last.

Numbers become unsigned keys in the same order, and a column is sorted by passes over their digits of 11 bits (8 in
short columns), each a counting sort: linear in the rows, and equal values keep their order.
"""

from concurrent.futures import ThreadPoolExecutor

from libc.stdint cimport int32_t, uint8_t, uint64_t

import numpy as np

from clearwood.kernels.common.number_order cimport sortable

from clearwood.kernels.common.agreement import check_lengths, check_range


cdef int sort_one(
    const double[:] column, int32_t[::1] order, int32_t[::1] other,
    uint64_t[::1] keys, uint64_t[::1] other_keys, int32_t[:, ::1] starts, int bits,
) except -1 nogil:
    """Least significant digit first; a digit on which all keys agree costs no pass.

    After each pass the keys are in order of the digits so far. They lie in ``keys`` and ``order``, or in the other
    pair: a pass goes from one to the other.
    """
    cdef Py_ssize_t n = order.shape[0], i
    cdef int n_digits = (64 + bits - 1) // bits, n_buckets = 1 << bits, digit, bucket, shift
    cdef uint64_t mask = n_buckets - 1, key
    cdef int32_t total, count, place
    cdef bint in_first = True
    starts[:, :] = 0
    # the digits of all passes are counted in one go: how many keys have a digit does not change as they move
    for i in range(n):
        key = sortable(column[i])
        keys[i] = key
        order[i] = <int32_t>i
        for digit in range(n_digits):
            starts[digit, <int>((key >> (digit * bits)) & mask)] += 1
    for digit in range(n_digits):
        shift = digit * bits
        if n == 0 or starts[digit, <int>((keys[0] >> shift) & mask)] == n:  # all keys have this digit
            continue
        # from how many keys have a digit to where the first of them goes
        total = 0
        for bucket in range(n_buckets):
            count = starts[digit, bucket]
            starts[digit, bucket] = total
            total += count
        # two loops that differ in where they read and write; within a digit, keys keep their order
        if in_first:
            for i in range(n):
                key = keys[i]
                bucket = <int>((key >> shift) & mask)
                place = starts[digit, bucket]
                starts[digit, bucket] = place + 1
                other_keys[place] = key
                other[place] = order[i]
        else:
            for i in range(n):
                key = other_keys[i]
                bucket = <int>((key >> shift) & mask)
                place = starts[digit, bucket]
                starts[digit, bucket] = place + 1
                keys[place] = key
                order[place] = other[i]
        in_first = not in_first
        if not in_first:  # the next skip test reads keys[0]: any key will do, all lie in both arrays
            keys[0] = other_keys[0]
    if not in_first:
        order[:] = other
    return 0


def sort_column(const double[:] column, int32_t[::1] order):
    """Fill ``order`` with the rows of a column by ascending value."""
    if order.shape[0] != column.shape[0]:  # a wide table has thousands of columns: the words only when they are needed
        check_lengths(column=column.shape[0], order=order.shape[0])
    cdef Py_ssize_t n = column.shape[0]
    cdef int bits = 11 if n >= 4096 else 8  # six passes over 2,048 buckets, or eight over 256 where those cost more
    cdef int32_t[::1] other = np.empty(n, dtype=np.int32)
    cdef uint64_t[::1] keys = np.empty(n, dtype=np.uint64)
    cdef uint64_t[::1] other_keys = np.empty(n, dtype=np.uint64)
    cdef int32_t[:, ::1] starts = np.empty(((64 + bits - 1) // bits, 1 << bits), dtype=np.int32)
    with nogil:
        sort_one(column, order, other, keys, other_keys, starts, bits)


WORTH_SHARING = 10_000  # rows from which on each column may have a thread


def sort_columns(block, int n_jobs=1):
    """The sort order of each row of ``block`` (one row for each column), as int32."""
    order = np.empty(block.shape, dtype=np.int32)
    if n_jobs > 1 and block.shape[0] > 1 and block.shape[1] >= WORTH_SHARING:  # a column for each thread at a time
        with ThreadPoolExecutor(n_jobs) as pool:
            list(pool.map(sort_column, block, order))
    else:
        for column, out in zip(block, order, strict=True):
            sort_column(column, out)
    return order


def filter_order(const int32_t[:, ::1] order, rows, Py_ssize_t n_rows):
    """The order of a part, from the whole's: positions in ``rows`` sorted as ``order`` says.

    Returns None when a row occurs twice, because then no filter can give the order.
    """
    if order.shape[0]:
        check_lengths(order=order.shape[1], n_rows=n_rows)
    check_range("rows", rows, 0, n_rows)
    cdef int32_t[::1] place = np.full(n_rows, -1, dtype=np.int32)
    cdef const int32_t[::1] chosen = np.ascontiguousarray(rows, dtype=np.int32)
    cdef Py_ssize_t n = chosen.shape[0], i, filled
    cdef int32_t row
    for i in range(n):  # place[row] is where the part has a row of the whole, or -1
        row = chosen[i]
        if place[row] >= 0:
            return None
        place[row] = <int32_t>i
    result = np.empty((order.shape[0], n), dtype=np.int32)
    cdef int32_t[:, ::1] out = result
    cdef Py_ssize_t c
    with nogil:
        for c in range(order.shape[0]):
            filled = 0
            for i in range(n_rows):  # through the whole in order, so the part comes out in order
                row = place[order[c, i]]
                if row >= 0:
                    out[c, filled] = row
                    filled += 1
    return result


def filter_members(const int32_t[:, ::1] order, const uint8_t[::1] member, int32_t[:, ::1] out):
    """Keep the member rows of each order, under their own numbers; out has room for just them."""
    check_lengths(order=order.shape[1], member=member.shape[0])
    check_lengths(order=order.shape[0], out=out.shape[0])
    check_lengths(members=np.count_nonzero(member), out=out.shape[1])
    cdef Py_ssize_t c, i, filled
    with nogil:
        for c in range(order.shape[0]):
            filled = 0
            for i in range(order.shape[1]):
                if member[order[c, i]]:
                    out[c, filled] = order[c, i]
                    filled += 1
