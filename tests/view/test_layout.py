"""Tidy layout: properties that any good drawing has, and a slow twin that packs the plain way."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.view.layout import aligned, tidy

GAP = 1.0


@st.composite
def shapes(draw: st.DrawFn, most_branches: int = 5) -> tuple[list[list[int]], list[float]]:
    """Random ordered trees, parents numbered before children, and sizes of the nodes."""
    children: list[list[int]] = [[]]
    for _ in range(draw(st.integers(0, 12))):
        leaves = [node for node, below in enumerate(children) if not below]
        node = draw(st.sampled_from(leaves))
        n_branches = draw(st.integers(1, most_branches))
        children[node] = list(range(len(children), len(children) + n_branches))
        children.extend([] for _ in range(n_branches))
    sizes = draw(st.lists(st.floats(0.5, 20), min_size=len(children), max_size=len(children)))
    return children, sizes


def levels(children: list[list[int]]) -> list[list[int]]:
    """The nodes of each level from left to right."""
    found = [[0]]
    while below := [child for node in found[-1] for child in children[node]]:
        found.append(below)
    return found


@given(shapes())
def test_neighbours_keep_their_order_and_the_gap(shape: tuple[list[list[int]], list[float]]) -> None:
    children, sizes = shape
    x, half = tidy(children, sizes, GAP), np.array(sizes) / 2
    for level in levels(children):
        for one, next_one in pairwise(level):
            assert x[next_one] - half[next_one] - x[one] - half[one] >= GAP - 1e-9


@given(shapes())
def test_parents_stand_mid_way_and_the_drawing_begins_at_zero(shape: tuple[list[list[int]], list[float]]) -> None:
    children, sizes = shape
    x = tidy(children, sizes, GAP)
    assert (x - np.array(sizes) / 2).min() == pytest.approx(0)
    for node, below in enumerate(children):
        if below:
            assert x[node] == pytest.approx((x[below[0]] + x[below[-1]]) / 2)


@given(shapes())
def test_a_mirrored_tree_gives_the_mirrored_drawing(shape: tuple[list[list[int]], list[float]]) -> None:
    children, sizes = shape
    x = tidy(children, sizes, GAP)
    mirrored = tidy([below[::-1] for below in children], sizes, GAP)
    assert (x - x[0]).tolist() == pytest.approx((mirrored[0] - mirrored).tolist())


@given(shapes(most_branches=2))
def test_two_branches_are_as_near_as_the_plain_twin_puts_them(shape: tuple[list[list[int]], list[float]]) -> None:
    children, sizes = shape
    assert tidy(children, sizes, GAP).tolist() == pytest.approx(packed_plainly(children, sizes).tolist())


def packed_plainly(children: list[list[int]], sizes: list[float]) -> np.ndarray:
    """Reingold and Tilford's drawing by comparing all pairs of nodes on a level; at most two branches."""

    def place(node: int) -> dict[int, tuple[float, int]]:
        parts = [place(child) for child in children[node]]
        if len(parts) == 2:
            apart = max(
                x + sizes[i] / 2 + GAP + sizes[j] / 2 - z
                for i, (x, level) in parts[0].items()
                for j, (z, other) in parts[1].items()
                if level == other
            )
            moves = [-apart / 2, apart / 2]
        else:
            moves = [0.0]
        placed = {node: (0.0, 0)}
        for part, move in zip(parts, moves, strict=False):
            placed |= {i: (x + move, level + 1) for i, (x, level) in part.items()}
        return placed

    x = np.array([place(0)[i][0] for i in range(len(children))])
    return x - (x - np.array(sizes) / 2).min()


def test_small_subtrees_between_large_ones_are_spread_evenly() -> None:
    """The middle leaf of three stands in the middle although its neighbours' subtrees are wide."""
    children = [[1, 2, 3, 4], [5, 6, 7], [], [], [8, 9, 10], *[[] for _ in range(6)]]
    x = tidy(children, [1.0] * 11, GAP)
    gaps = np.diff(x[[1, 2, 3, 4]])
    assert gaps.tolist() == pytest.approx([gaps[0]] * 3)


def test_a_chain_of_fifty_thousand_tests_is_no_problem() -> None:
    n = 50_000
    children: list[list[int]] = [[] for _ in range(2 * n + 1)]
    for i in range(n):
        children[2 * i] = [2 * i + 1, 2 * i + 2]
    x = tidy(children, [1.0] * len(children), GAP)
    assert np.diff(x[::2]).tolist() == pytest.approx([1.0] * n)
    assert aligned(children).max() == n


@given(shapes())
def test_aligned_leaves_take_one_row_each_and_parents_stay_among_theirs(
    shape: tuple[list[list[int]], list[float]],
) -> None:
    children, _ = shape
    y = aligned(children)
    leaves = [node for node, below in enumerate(children) if not below]
    assert sorted(y[leaves].tolist()) == list(range(len(leaves)))
    for node, below in enumerate(children):
        if below:
            assert y[node] == (y[below[0]] + y[below[-1]]) / 2
            assert np.all(np.diff(y[below]) > 0)
