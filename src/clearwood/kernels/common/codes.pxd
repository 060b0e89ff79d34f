"""The codes that Python and the kernels agree on, each said once.

Kernels cimport the bare names; Python imports the enumerations from the module of the same name.
"""

cpdef enum TestKind:
    """What a node asks of a row."""
    LEAF = 0
    THRESHOLD = 1  # is a number at most this?
    BRANCHES = 2   # which value? a branch for each
    SUBSET = 3     # is the value in this set?
    LINEAR = 4     # is a weighted sum at most this?

cpdef enum Criterion:
    """How a greedy learner scores a split; what follows from each is in greedy/score.pxd."""
    GAIN_RATIO = 0
    GAIN = 1
    GINI = 2
    TWOING = 3

cpdef enum ColumnForm:
    """How a column is counted while a tree grows."""
    BINNED = 0   # numeric with few distinct values: counted by value
    SORTED = 1   # numeric with many: swept in sorted order
    NOMINAL = 2

cpdef enum ErrorEstimate:
    """How C4.5 guesses the errors that chance has hidden."""
    AS_J48 = 0  # normal quantile; none above 50 %
    AS_C45 = 1  # interpolated deviation of Quinlan's release 8
