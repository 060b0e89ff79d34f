"""Rows counted by parts of ranges, one cell at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

Counted = dict[tuple[int, int], tuple[list[int], float, float]]


def counted(
    ranges: Sequence[Sequence[Sequence[int]]],
    limits: Sequence[tuple[float, float, float, int]],
    rows: Sequence[tuple[Sequence[float], int, int]],
    n_classes: int,
) -> tuple[Counted, list[tuple[int, int, int]]]:
    """By range and part the rows of each class, the least and the largest value; and what is picked out.

    ``ranges`` holds for each feature and node the numbers of its ranges, ``limits`` for each range its least and
    largest value, its scale and its last part; a row is its cells, its node and its class.
    """
    found: Counted = {}
    picked = []
    for feature, by_node in enumerate(ranges):
        for row, (cells, node, y) in enumerate(rows):
            value = float(cells[feature])
            if node < 0 or math.isnan(value):
                continue
            for number in by_node[node]:
                low, high, scale, last_part = limits[number]
                if not low <= value <= high:
                    continue
                if last_part < 0:
                    picked.append((row, feature, number))
                    continue
                part = min(int(np.floor((value - low) * scale)), last_part)
                classes, least, most = found.get((number, part), ([0] * n_classes, math.inf, -math.inf))
                classes[y] += 1
                found[number, part] = (classes, min(least, value), max(most, value))
    return found, picked
