from libc.stdint cimport int32_t, uint8_t

from clearwood.kernels.greedy.training_set cimport TrainingSet

cdef enum:
    # what ``side`` says of a row besides branch 0 and branch 1
    NO_SIDE = 2     # it lacks the tested value
    TO_LEARN = 3    # no test yet: it is one of the rows to learn from


cdef class RowLists:
    """The rows of the node in hand at [start, end) of each list, with free room above: a stack.

    List 0 holds all rows of the node; list 1 + line holds the known rows of a sorted feature by ascending value.
    """
    cdef TrainingSet data
    cdef bint shares                       # rows may be shared out, so they have a weight by position
    cdef int32_t n_lines                   # sorted features
    cdef int32_t[::1] line                 # a sorted feature's line, by feature; -1 for the others
    cdef int32_t[::1] rows                 # list 0: rows of the table
    cdef double[::1] rows_weight           # their weights, by place in list 0
    cdef int32_t[:, ::1] ranks, list_rows  # the sorted lists, a line for each: rows, and the ranks of their values
    cdef double min_gap                    # values no further apart than this are not separated
    cdef int32_t[:, ::1] reach             # by line and rank: the first rank further above; unused if the next is
    cdef int32_t[:, ::1] template_ranks, template_rows   # the lists of the root, where many trees are grown
    cdef Py_ssize_t[::1] template_length
    # of the node in hand, by list
    cdef Py_ssize_t[::1] start, end
    cdef Py_ssize_t[::1] middle            # where branch 1 begins, once the list has been divided
    cdef Py_ssize_t[::1] last              # the end of branch 1, while start and end show branch 0
    cdef uint8_t[::1] side                 # by row: 0, 1, NO_SIDE or TO_LEARN
    cdef int32_t[::1] branch               # by row: the branch of a many-way test, -1 for missing
    cdef int32_t[::1] spare_rows, spare_ranks    # room for the part of a list that is written second
    cdef Py_ssize_t[::1] child_place       # by branch: how many rows it gets, then where the next of them goes
    cdef double[::1] child_share           # the shares of the branches, for rows that lack the value

    cdef int take_note(self, const int32_t[::1] features) except -1 nogil
    cdef int fill_rows(self, const int32_t[::1] features) except -1 nogil
    cdef int fill_line(self, int32_t f) except -1 nogil
    cdef Py_ssize_t write_line(self, int32_t f, int32_t[:, ::1] ranks, int32_t[:, ::1] list_rows) except -1 nogil
    cdef int divide_rows(self, const double[::1] row_weight) except -1 nogil
    cdef int divide_lines(
        self, int32_t first, int32_t step, int32_t[::1] spare_ranks, int32_t[::1] spare_rows,
    ) except -1 nogil
    cdef int take_left(self) except -1 nogil
    cdef int take_right(self) except -1 nogil
    cdef int make_room_for(self, int32_t n_branches, Py_ssize_t n_unknown) except -1 nogil
    cdef int count_rows(self, int32_t n_branches, Py_ssize_t n_unknown) except -1 nogil
    cdef int send(
        self, int32_t k, int32_t n_branches, bint above, const int32_t[::1] child_slot, const double[::1] row_weight,
        Py_ssize_t[:, ::1] child_start, Py_ssize_t[:, ::1] child_end,
    ) except -1 nogil
    cdef void put(
        self, int32_t k, Py_ssize_t i, Py_ssize_t place, int32_t row, double weight, bint above,
    ) noexcept nogil
