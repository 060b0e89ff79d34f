from libc.stdint cimport int32_t

from clearwood.kernels.greedy.candidates cimport Candidate
from clearwood.kernels.greedy.finder cimport Finder
from clearwood.kernels.greedy.grower cimport Grower
from clearwood.kernels.subsets.memo cimport Memo
from clearwood.kernels.subsets.tally cimport Tally


cdef class RecallingGrower(Grower):
    """A Grower for many trees on subsets of the features, which remembers the nodes that it met."""
    cdef bint recalls                   # nodes are kept in a memo from tree to tree; else it is a Grower like any other
    cdef Memo memo
    cdef bint loaded                    # the rows of the node in hand are in the lists
    cdef Tally tally
    cdef int32_t[::1] unknown           # scratch: features that a state has no candidates of yet
    cdef int32_t n_features             # how many are allowed
    cdef int32_t[::1] node_state        # by node: the state with its rows; -1 for none
    cdef int32_t[::1] waiting_state     # by place in the stack, beside the Grower's own
    cdef Py_ssize_t[::1] child_begin, child_end   # scratch, by branch: where its rows lie after a test was applied

    # the walk over states
    cdef int note_states(self, int32_t first, int32_t n, int32_t first_state) except -1 nogil
    cdef int push_state(self, int32_t node, int32_t depth, int32_t state, Py_ssize_t start) except -1 nogil
    cdef int visit(self, int32_t node, int32_t state) except -1 nogil
    cdef int load(self, int32_t state) except -1 nogil
    cdef int copy_rows(self, int32_t state, Py_ssize_t start) except -1 nogil
    cdef bint take_up_state(self, int32_t node, int32_t state) except -1 nogil
    cdef int grow_alone(self, int32_t node, Candidate* best) except -1 nogil
    # candidates, of the node's rows
    cdef int examine_listed(self, const int32_t[::1] features, int32_t n) except -1 nogil
    cdef int examine_unknown(self, int32_t state, int32_t n_usable) except -1 nogil
    cdef int choose_kept(self, Py_ssize_t block, int32_t n_usable, Candidate* best) except -1 nogil
    # a test: applied once, then recalled
    cdef int32_t record(self, int32_t node, int32_t state, Candidate* best) except -1 nogil
    cdef int descend(self, int32_t node, Candidate* best, int32_t link) except -1 nogil
