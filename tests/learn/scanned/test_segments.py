"""Segments that are looked into become finer each time, so that no look is in vain."""

import numpy as np
import pytest

from clearwood.learn.scanned.segments import FEW_ROWS, Segments


@pytest.mark.parametrize("rows_in_each", [16, 64, 256, 700])
def test_a_look_at_all_segments_shows_more_of_them(rows_in_each):
    """Also where all of them are light, and as many as their rows would be counted in."""
    n = 4 * FEW_ROWS // rows_in_each
    edges = np.linspace(0.0, 1.0, 2 * n)
    rows = np.full(n, rows_in_each)
    segments = Segments(edges[::2], edges[1::2], np.column_stack([rows / 2.0, rows / 2.0]), rows)
    (run,) = segments.runs(range(n))
    n_parts = segments.range(run, min_gap=0.0).n_parts
    assert run == slice(0, n)
    assert n_parts == 0 or n_parts >= 4 * n


def test_light_parts_are_asked_for_by_value():
    n = FEW_ROWS // 4
    edges = np.linspace(0.0, 1.0, 2 * n)
    segments = Segments(edges[::2], edges[1::2], np.full((n, 2), 5.0), np.full(n, 10))
    assert segments.range(slice(0, n), min_gap=0.0).n_parts == 0
