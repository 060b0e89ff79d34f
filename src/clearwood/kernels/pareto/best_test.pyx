"""BestTest: the best of the tests that are offered for a node, of equals one at random."""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint64_t

from clearwood.kernels.common.atomics cimport load, store
from clearwood.kernels.common.random_stream cimport RandomStream, below, skip_draw


@final
cdef class BestTest:
    """The attributes are described in the .pxd file.

    The k-th of equals is taken with chance 1 / k, so that each has the same chance in the end.

    Where threads share the columns of a node, each column has a stream of draws of its own, which begins anew with each
    lower number of errors: so what is drawn for the fewest does not depend on what was offered before, nor on when
    another thread found how few these are.
    """

    cdef int clear(self) noexcept nogil:
        """Forget all tests."""
        self.error, self.n_equal, self.is_one_of_many = FAR, 0, False
        self.bound = NULL
        return 0

    cdef int begin_column(self, int64_t *bound, RandomStream start) noexcept nogil:
        """Forget all tests; those of a column with more errors than a bound, which others may lower, do not matter."""
        self.clear()
        self.bound, self.start, self.stream = bound, start, start
        return self.refresh()

    cdef int refresh(self) noexcept nogil:
        """Learn of the bound."""
        cdef int64_t bound
        if self.bound != NULL:
            bound = load(self.bound)
            if bound < self.error:
                self.error, self.n_equal, self.is_one_of_many, self.stream = bound, 0, False, self.start
        return 0

    cdef int lower(self, int64_t error) noexcept nogil:
        """Make way for a test of fewer errors, before anything is drawn for it."""
        self.error, self.n_equal = error, 0
        if self.bound != NULL:
            self.stream = self.start
            if error < load(self.bound):  # should another be faster with a lower one, more is looked at, and no less
                store(self.bound, error)
        return 0

    cdef int offer(
        self, int64_t error, int32_t column, int32_t test, uint64_t mask, int32_t missing, RandomStream *random
    ) noexcept nogil:
        """Take a test if it is the best so far, or one of the best by chance."""
        if error < self.error:
            self.lower(error)
        elif error > self.error:
            return 0
        self.n_equal += 1
        if self.n_equal == 1 or below(random, self.n_equal) == 0:
            self.gene.column, self.gene.test, self.gene.mask = column, test, mask
            self.gene.missing = missing
            self.is_one_of_many = False
        return 0

    cdef int offer_many(
        self, int64_t error, int32_t column, int32_t missing, Py_ssize_t first, Py_ssize_t last, Py_ssize_t n,
        RandomStream *random
    ) noexcept nogil:
        """Offer n cuts with equal errors, from above, of those between a column's rows ``order[first:last]``.

        The draws are those that n single offers would make: one for where the cut lies between its two rows, which
        matters only if it is taken, and one for whether it is. So the one that is taken need not be found yet.
        """
        cdef Py_ssize_t i
        cdef RandomStream draw
        if error > self.error or n == 0:
            return 0
        if error < self.error:
            self.lower(error)
        for i in range(n):
            draw = random[0]
            skip_draw(random)
            self.n_equal += 1
            if self.n_equal == 1 or below(random, self.n_equal) == 0:
                self.number, self.many_draw = i, draw
                self.gene.column, self.gene.mask, self.gene.missing = column, 0, missing
                self.is_one_of_many, self.many_first, self.many_last = True, first, last
        return 0
