cdef class Rules:
    """What distinguishes the greedy learners while they grow."""
    cdef readonly int criterion          # a Criterion; score.pxd says what follows from it
    cdef readonly bint in_bits           # the criterion counts in bits of entropy
    cdef readonly bint by_ratio          # features compete by gain divided by split information
    cdef readonly int nominal_test       # BRANCHES, or SUBSET
    cdef readonly bint any_set           # SUBSET tests may hold several values
    cdef readonly bint average_filter    # only attributes of at least average gain compete by ratio
    cdef readonly bint ten_percent       # C4.5: a numeric branch holds a tenth of the mean class weight, at most 25
    cdef readonly bint mdl_correction    # a numeric test pays log2(cuts) bits for the choice of its threshold
    cdef readonly bint relocate          # thresholds become values of the table
    cdef readonly bint once              # a feature is tested once along a path
    cdef readonly bint boundaries        # cuts only between different classes
    cdef readonly double min_leaf        # weight that both branches of a cut, or two of many, must hold
    cdef readonly double min_split       # a node of less weight is a leaf
    cdef readonly bint whole_row         # and so is one that weighs less than the lightest row, all of it shares
    cdef readonly double min_gap         # neighbouring values must lie further apart than this to be separated
    cdef readonly double tolerance       # one gain beats another when it is larger by more than this
    cdef readonly double least           # a gain must beat this: 0, or -1 where even no gain will do
    cdef readonly int max_depth          # -1 for none
