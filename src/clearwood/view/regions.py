"""Regions: where in a plane of two features each leaf lies, as polygons, and the lines on which tests cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.conditions import Kind
from clearwood.tree import Tree

__all__ = ["Box", "Cut", "Region", "regions"]

Box = tuple[float, float, float, float]  # left, right, bottom, top


@dataclass(frozen=True, slots=True)
class Region:
    """A leaf and the corners of the convex polygon that it covers."""

    leaf: int
    corners: np.ndarray


@dataclass(frozen=True, slots=True)
class Cut:
    """A test and the two ends of the line on which it divides the rows that reach it."""

    node: int
    ends: np.ndarray


def regions(tree: Tree, features: tuple[int, int], box: Box) -> tuple[list[Region], list[Cut]]:
    """Divide a box in the plane of two numeric features as the tree does, which must test no other feature.

    Every test cuts the polygon of its node along a straight line, so the result is exact, whatever the resolution.
    """
    left, right, bottom, top = box
    stack = [(0, np.array([[left, bottom], [right, bottom], [right, top], [left, top]], dtype=np.float64))]
    found, cuts = [], []
    while stack:
        node, corners = stack.pop()
        if tree.is_leaf(node):
            found.append(Region(node, corners))
            continue
        excess = corners @ _direction(tree, node, features) - tree.threshold[node]
        low, high, ends = _divided(corners, excess)
        if len(ends) == 2:
            cuts.append(Cut(node, ends))
        children = tree.children(node)
        stack += [(child, part) for child, part in ((children[1], high), (children[0], low)) if len(part) > 2]
    return found, cuts


def _direction(tree: Tree, node: int, features: tuple[int, int]) -> np.ndarray:
    """The weights of the two features in a node's test."""
    weights = {int(tree.feature[node]): 1.0}
    if tree.kind[node] == Kind.LINEAR:
        plane = tree.plane(node)
        weights = dict(zip(plane.features, plane.weights, strict=True))
    return np.array([weights.get(feature, 0.0) for feature in features])


def _divided(corners: np.ndarray, excess: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The parts of a convex polygon with excess at most 0 and at least 0, and the points where they meet."""
    low: list[np.ndarray] = []
    high: list[np.ndarray] = []
    ends: list[np.ndarray] = []
    for i in range(len(corners)):
        here, there = corners[i - 1], corners[i]
        before, after = excess[i - 1], excess[i]
        if (before < 0 < after) or (after < 0 < before):
            crossing = here + (there - here) * (before / (before - after))
            for part in (low, high, ends):
                part.append(crossing)
        if after <= 0:
            low.append(there)
        if after >= 0:
            high.append(there)
        if after == 0:
            ends.append(there)
    if not (excess < 0).any():
        low = []
    if not (excess > 0).any():
        high = []
    if not low or not high:
        ends = []
    return np.array(low), np.array(high), np.array(ends)
