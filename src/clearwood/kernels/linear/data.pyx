"""LinearData: a table as trees with hyper-planes see it: scaled columns, codes, classes."""

import numpy as np

from clearwood.kernels.common.agreement import check_codes, check_lengths, check_range


cdef class LinearData:
    """Columns by feature. A missing number is 0 in ``x`` and 1 in ``absent``; a missing code is -1."""

    def __init__(self, x, codes, n_values, y, weights, absent, n_classes):
        check_lengths(x=len(x), absent=len(absent))
        check_lengths(y=len(y), weights=len(weights), **{
            name: block.shape[1] for name, block in (("x", x), ("absent", absent), ("codes", codes)) if len(block)
        })
        check_range("y", y, 0, n_classes)
        check_codes("codes", codes, n_values)
        self.x, self.codes, self.n_values = x, codes, n_values
        self.y, self.weights = y, weights
        self.n_rows, self.n_classes = len(y), n_classes
        self.n_numeric, self.n_nominal = len(x), len(codes)
        self.most_values = max(1, max(n_values, default=0))
        self.total = float(np.sum(weights))
        # rows with a missing cell anywhere: all others need no look at their cells
        gappy = np.zeros(len(y), dtype=np.uint8)
        if len(x):
            gappy |= np.any(absent, axis=0).astype(np.uint8)
        if len(codes):
            gappy |= np.any(np.asarray(codes) < 0, axis=0).astype(np.uint8)
        self.absent, self.gappy = absent, gappy
        self.has_gaps = bool(gappy.any())

    def cells(self):
        """The scaled numbers, where they are missing, and the codes: an array each, one row for each column."""
        return np.asarray(self.x), np.asarray(self.absent), np.asarray(self.codes)
