"""Paths: a tree with at most two branches at each place, and what a row must satisfy between two places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clearwood.conditions import Condition, Kind, Plane
from clearwood.export.directions import takes_missing

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["Paths", "Place", "Subject"]

MOST_TESTS = 2_000  # on a path

Subject = int | Plane  # what is tested: a column by its index, or a hyper-plane


@dataclass(slots=True)
class Place:
    """A node of the tree, or a group of neighbouring branches of a node with many.

    ``node`` is the tree's node, -1 for a group; ``demand`` is what a row must satisfy to come here from ``parent``.
    """

    node: int
    parent: int
    demand: Condition | None
    branches: list[int] = field(default_factory=list)


class Paths:
    """The places of a tree, parents before their branches; place 0 is the root."""

    def __init__(self, tree: Tree) -> None:
        if tree.depth > MOST_TESTS:
            raise ValueError(
                f"the tree is {tree.depth:,} tests deep, and SQL is written for up to {MOST_TESTS:,}: statements grow "
                "with the square of the depth; prune the tree first."
            )
        self.tree = tree
        self.places = [Place(0, -1, None)]
        self.of_node = {0: 0}
        unfinished = [0]
        while unfinished:
            at = unfinished.pop()
            node = self.places[at].node
            children = tree.children(node)
            if len(children) <= 2:
                unfinished += [self._add(at, c, tree.condition(node, b)) for b, c in enumerate(children)]
                continue
            feature, direction = int(tree.feature[node]), int(tree.missing[node])
            groups = [(at, 0, len(children))]
            while groups:  # halve the branches until each group is one
                above, start, end = groups.pop()
                middle = (start + end) // 2
                for low, high in ((start, middle), (middle, end)):
                    child = children[low] if high - low == 1 else -1
                    missing = None if direction < 0 else low <= direction < high
                    values = tuple(range(low, high))
                    demand = Condition(feature, tree.columns[feature], values=values, missing=missing)
                    below = self._add(above, child, demand)
                    if child >= 0:
                        unfinished.append(below)
                    else:
                        groups.append((below, low, high))

    def _add(self, parent: int, node: int, demand: Condition) -> int:
        here = len(self.places)
        self.places.append(Place(node, parent, demand))
        self.places[parent].branches.append(here)
        if node >= 0:
            self.of_node[node] = here
        return here

    def is_leaf(self, place: int) -> bool:
        node = self.places[place].node
        return node >= 0 and bool(self.tree.kind[node] == Kind.LEAF)

    def between(self, top: int, place: int) -> dict[Subject, Condition] | None:
        """For each subject tested from ``top`` down to ``place`` all demands in one; None if no row can meet them."""
        steps = []
        while place != top:
            steps.append(self.places[place])
            place = steps[-1].parent
        merged: dict[Subject, Condition] = {}
        for step in reversed(steps):
            new = step.demand
            assert new is not None
            old = merged.get(new.subject)
            both = merged[new.subject] = new if old is None else old.merged(new)
            if both.is_empty and not takes_missing(both):
                return None
        return merged

    def piece(self, top: int, holes: Iterable[int] = ()) -> list[int]:
        """The places below ``top`` in reading order, without those at or below a hole."""
        closed = set(holes)
        order, stack = [], [top]
        while stack:
            place = stack.pop()
            if place in closed and place != top:
                continue
            order.append(place)
            stack.extend(reversed(self.places[place].branches))
        return order

    def cut(self, top: int, holes: Iterable[int], parts: int) -> list[int]:
        """At most ``parts`` places that divide a piece into about equal numbers of leaves, lower places first."""
        order = self.piece(top, holes)
        size = -(-sum(self.is_leaf(place) for place in order) // parts)
        leaves = dict.fromkeys(order, 0)
        chosen = []
        for place in reversed(order):
            count = 1 if self.is_leaf(place) else sum(leaves.get(b, 0) for b in self.places[place].branches)
            if count >= size and place != top:
                chosen.append(place)
                count = 0
            leaves[place] = count
        return chosen
