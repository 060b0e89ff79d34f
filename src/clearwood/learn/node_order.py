"""Node order: from two-way nodes in any order to the order that a Tree asks for."""

from __future__ import annotations

import numpy as np

__all__ = ["breadth_first"]


def breadth_first(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nodes breadth first, and for each its first child in that order; -1 for a leaf."""
    order, first = [0], []
    lefts, rights = left.tolist(), right.tolist()
    for node in order:
        first.append(len(order) if lefts[node] >= 0 else -1)
        if lefts[node] >= 0:
            order += [lefts[node], rights[node]]
    return np.array(order), np.array(first, dtype=np.int32)
