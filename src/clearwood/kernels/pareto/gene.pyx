"""Gene, as numpy knows it."""

import numpy as np

GENE = np.dtype(
    [
        ("mask", "u8"), ("wrong", "i8"), ("rows", "i8"), ("column", "i4"), ("test", "i4"), ("label", "i4"),
        ("size", "i4"), ("missing", "i4"), ("spare", "i4"),
    ]
)
