"""Layout: where the nodes of a tree stand along the breadth of its picture, in numbers only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["aligned", "tidy"]


def tidy(children: Sequence[Sequence[int]], sizes: Sequence[float], gap: float) -> np.ndarray:
    """Centres of the nodes so that each level is free of overlap, parents stand mid-way and twins look alike.

    Subtrees are packed as rigid shapes along their contours (Reingold and Tilford 1981). With three or more branches
    a packing from the left crowds the small subtrees to the left, so the mean of the packings from both sides is
    taken: every distance that both keep, their mean keeps too. Time is linear in the number of nodes, because
    each level of a contour is visited only until the shorter of two neighbours ends; nothing recurses.

    Parameters
    ----------
    children : sequence of sequences
        For each node its children from the first branch to the last; a parent's number is below its children's.
    sizes : sequence of float
        The breadth of each node.
    gap : float
        The least distance between two neighbours on a level.

    Returns
    -------
    array
        The centre of each node; the outermost edge is at 0.

    Examples
    --------
    >>> tidy([[1, 2], [], []], [2, 2, 2], gap=1).tolist()
    [2.5, 1.0, 4.0]
    """
    n_nodes = len(children)
    offset = np.zeros(n_nodes)  # from the parent's centre
    shapes: list[_Shape | None] = [None] * n_nodes
    for node in range(n_nodes - 1, -1, -1):  # children before parents
        parts = [_taken(shapes, child) for child in children[node]]
        if not parts:
            shapes[node] = _Shape([-sizes[node] / 2], [sizes[node] / 2])
            continue
        places = _spread(parts, gap)
        offset[list(children[node])] = places
        shapes[node] = _joined(parts, places, sizes[node])
    centre = offset
    for node in range(n_nodes):
        for child in children[node]:
            centre[child] += centre[node]
    edges = centre - np.asarray(sizes, dtype=float) / 2
    return np.asarray(centre - edges.min())


def aligned(children: Sequence[Sequence[int]]) -> np.ndarray:
    """Places of the nodes when every leaf has a row of its own: leaves 0, 1, 2 … in order, parents mid-way.

    >>> aligned([[1, 2], [], [3, 4], [], []]).tolist()
    [0.75, 0.0, 1.5, 1.0, 2.0]
    """
    place = np.zeros(len(children))
    n_rows, stack = 0, [0]
    while stack:
        node = stack.pop()
        if not children[node]:
            place[node] = n_rows
            n_rows += 1
        stack.extend(reversed(children[node]))
    for node in range(len(children) - 1, -1, -1):
        if children[node]:
            place[node] = (place[children[node][0]] + place[children[node][-1]]) / 2
    return place


class _Shape:
    """The contours of a subtree, seen from its root's centre.

    Both lists hold the deepest level first, so a new root is one ``append``; ``shift`` is added to every item, so
    moving a whole subtree costs nothing.
    """

    __slots__ = ("left", "right", "shift")

    def __init__(self, left: list[float], right: list[float]) -> None:
        self.left = left
        self.right = right
        self.shift = 0.0


def _taken(shapes: list[_Shape | None], node: int) -> _Shape:
    shape = shapes[node]
    assert shape is not None
    shapes[node] = None  # its lists become the parent's
    return shape


def _spread(parts: list[_Shape], gap: float) -> np.ndarray:
    """Centres of neighbouring subtrees, seen from the point mid-way between the first and the last."""
    rightward = _packed([(p.left, p.right, p.shift) for p in parts], 1.0, gap)
    leftward = -_packed([(p.right, p.left, p.shift) for p in reversed(parts)], -1.0, gap)[::-1]
    both = [places - (places[0] + places[-1]) / 2 for places in (rightward, leftward)]
    return np.asarray((both[0] + both[1]) / 2)


def _packed(parts: list[tuple[list[float], list[float], float]], sign: float, gap: float) -> np.ndarray:
    """Place each subtree as near to those before it as the gap allows; ``sign`` -1 mirrors the contours."""
    places = np.zeros(len(parts))
    visible = [0]  # the subtrees that can be seen from the next one, the nearest (and lowest) last
    for i in range(1, len(parts)):
        near, _, shift = parts[i]
        depth = min(len(near), len(parts[visible[0]][0]))
        top = len(visible) - 1
        needed = -np.inf
        for level in range(1, depth + 1):
            while len(parts[visible[top]][0]) < level:
                top -= 1
            other = visible[top]
            _, far, other_shift = parts[other]
            reach = places[other] + sign * (far[-level] + other_shift) - sign * (near[-level] + shift)
            needed = max(needed, reach)
        places[i] = needed + gap
        while visible and len(parts[visible[-1]][0]) <= len(near):
            visible.pop()
        visible.append(i)
    return places


def _joined(parts: list[_Shape], places: np.ndarray, size: float) -> _Shape:
    """The shape of a node over its subtrees; the tallest one's lists are reused."""
    tallest = max(range(len(parts)), key=lambda i: len(parts[i].left))
    shape = parts[tallest]
    shape.shift += float(places[tallest])
    for i in range(tallest - 1, -1, -1):
        part, move = parts[i], parts[i].shift + float(places[i]) - shape.shift
        shape.left[-len(part.left) :] = [x + move for x in part.left]
    for i in range(tallest + 1, len(parts)):
        part, move = parts[i], parts[i].shift + float(places[i]) - shape.shift
        shape.right[-len(part.right) :] = [x + move for x in part.right]
    shape.left.append(-size / 2 - shape.shift)
    shape.right.append(size / 2 - shape.shift)
    return shape
