"""Numeric blocks: a few columns of numbers that are awkward to sort."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies

AWKWARD = [np.nan, -0.0, 0.0, 1.0, -1.0, 5e-324, -5e-324, 1e308, -1e308, np.nextafter(1.0, 2.0)]
blocks = numpy_strategies.arrays(
    np.float64,
    st.tuples(st.integers(1, 3), st.integers(0, 40)),
    elements=st.one_of(st.sampled_from(AWKWARD), st.floats(allow_infinity=False)),
)
