"""Out-of-bag votes: for each row the mean of what trees say that have not drawn it, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def out_of_bag(says: Sequence[Any], drawn: Sequence[np.ndarray], n_classes: int) -> np.ndarray:
    """Average the trees' probabilities over the trees that drew a row not once; NaN where there is none.

    Parameters
    ----------
    says : sequence of functions
        For each tree what gives the class probabilities of a row by its number.
    drawn : sequence of arrays of int
        For each tree how often it drew each row.
    """
    n_rows = len(drawn[0])
    found = np.full((n_rows, n_classes), np.nan)
    for row in range(n_rows):
        heard = [say(row) for say, counts in zip(says, drawn, strict=True) if counts[row] == 0]
        if heard:
            found[row] = [sum(probability[c] for probability in heard) / len(heard) for c in range(n_classes)]
    return found
