"""RowLevels: the rows of the nodes on one path, a bitset for each depth."""

import numpy as np


cdef class RowLevels:
    """Scratch of one thread. A walk down a tree needs the rows of the nodes on its path only: those of a right child
    are what its parent has and its left sibling has not, so level d + 1 is used for the left child, then turned over.
    """

    def __init__(self, Py_ssize_t depths, Py_ssize_t n_words, Py_ssize_t n_classes, Py_ssize_t n_blocks):
        self.rows = np.zeros((depths, n_words), dtype=np.uint64)
        self.weights = np.zeros((depths, n_classes), dtype=np.int64)
        self.count = np.zeros(n_blocks, dtype=np.int64)
        self.scratch = np.zeros(n_words, dtype=np.uint64)
