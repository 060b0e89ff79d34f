"""Node: a node of a tree that is grown from a Scan, and the way of a row to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from clearwood.kernels.common.codes import TestKind

__all__ = ["Finished", "Node", "gets_copies"]

LEAST_SHARE = 1e-6


@dataclass(slots=True, eq=False)
class Finished:
    """A subtree that the kernels have grown and pruned: its arrays as in a Tree, numbered breadth first.

    ``errors`` is the weight that its leaves misclassified before anything was pruned, ``below`` what is to be expected
    of the pruned subtree.
    """

    arrays: dict[str, np.ndarray]
    errors: float
    below: float = 0.0


@dataclass(slots=True, eq=False)
class Node:
    """A node: the class weights of its rows, its test, and how rows that lack the tested value are shared out."""

    depth: int
    counts: np.ndarray
    n_rows: int  # rows at the node, shared ones included
    bag: np.ndarray
    parent: Node | None = None
    branch: int = -1
    kind: int = TestKind.LEAF
    feature: int = -1
    threshold: float = np.nan
    values: tuple[int, ...] = ()  # of branch 0, in a test of a set
    children: list[Node] = field(default_factory=list)
    share: np.ndarray | None = None  # by branch; None where no row lacks the value
    empty: bool = False
    finished: Finished | None = None
    limits: dict[int, tuple[float, float]] = field(default_factory=dict)  # of the values of numeric features
    below: float = 0.0  # errors to expect of the subtree, once it is pruned

    @classmethod
    def top(cls, n_classes: int) -> Node:
        """A root of which nothing is known yet."""
        none = np.zeros(n_classes)
        return cls(0, none, 0, none)

    @property
    def path(self) -> list[tuple[Node, int]]:
        """The tests on the way from the root, and the branch taken at each."""
        way = []
        node = self
        while node.parent is not None:
            way.append((node.parent, node.branch))
            node = node.parent
        return way[::-1]

    def make_leaf(self) -> None:
        """Take the test away; the class weights stay."""
        self.kind, self.feature, self.threshold, self.values = TestKind.LEAF, -1, np.nan, ()
        self.children, self.share, self.finished = [], None, None

    def put_in_place_of(self, node: Node) -> None:
        """Hang the node where another hangs."""
        self.parent, self.branch = node.parent, node.branch
        if node.parent is not None:
            node.parent.children[node.branch] = self

    def expand(self) -> None:
        """Make nodes of the part that was finished in memory."""
        part, self.finished = self.finished, None
        if part is None:
            return
        arrays = part.arrays
        nodes = [self]
        for place in range(len(arrays["kind"])):  # parents come before their children
            node = nodes[place]
            node.kind, node.feature = int(arrays["kind"][place]), int(arrays["feature"][place])
            node.threshold = float(arrays["threshold"][place])
            start, end = arrays["set_start"][place : place + 2]
            node.values = tuple(arrays["set_values"][start:end].tolist())
            node.empty = bool(arrays["empty"][place])
            first = arrays["first_child"][place]
            for branch in range(arrays["n_children"][place]):
                counts, bag = arrays["counts"][first + branch], arrays["bags"][first + branch]
                node.children.append(Node(node.depth + 1, counts, 0, bag, node, branch))
            nodes += node.children

    def on_trial(self, place: Node) -> Node:
        """A copy of the subtree, its tests only, as if it hung where another node hangs."""
        top = Node(place.depth, place.counts, place.n_rows, place.bag, place.parent, place.branch)
        waiting = [(self, top)]
        while waiting:
            node, copy = waiting.pop()
            copy.kind, copy.feature, copy.threshold, copy.values = node.kind, node.feature, node.threshold, node.values
            copy.empty = node.empty
            for child in node.children:
                none = np.zeros_like(node.counts)
                copy.children.append(Node(copy.depth + 1, none, 0, none, copy, child.branch))
            waiting += zip(node.children, copy.children, strict=True)
        return top

    def walk(self) -> Iterator[Node]:
        """The node and all below it, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def gets_copies(share: float) -> bool:
    """Whether a branch of this share gets a copy of each row that lacks the value; see the kernels' missing_rows."""
    return share > LEAST_SHARE
