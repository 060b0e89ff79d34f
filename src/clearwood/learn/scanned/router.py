"""Router: the ways to wanted nodes as a function of cells, for engines that can call one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.routing.routes import to_leaves
from clearwood.learn.scanned.nodes import Node
from clearwood.routing import STEP, WEIGHT

__all__ = ["Router"]


class Router:
    """Sends rows down from a top to wanted nodes by the route kernel, at the same cost for any number of nodes.

    Parameters
    ----------
    top : Node
        Where rows begin.
    steps : mapping of Node to its children by branch
        The ways down; a branch that leads to no wanted node is not among them.
    number : mapping of Node to int
        The wanted nodes, and what each is called.
    numeric, nominal : sequences of int
        The features that rows are given by, those of the tests among them, each in the order of its block.
    """

    def __init__(
        self,
        top: Node,
        steps: Mapping[Node, Mapping[int, Node]],
        number: Mapping[Node, int],
        numeric: Sequence[int],
        nominal: Sequence[int],
    ) -> None:
        places: list[Node | None] = [top]
        first: list[int] = []
        for node in places:  # grows meanwhile: breadth first, the children of a node side by side
            first.append(len(places))
            if node is not None and node in steps:
                places += [steps[node].get(branch) for branch in range(len(node.children))]
        inner = [(place, node) for place, node in enumerate(places) if node is not None and node in steps]
        slots = {feature: slot for block in (numeric, nominal) for slot, feature in enumerate(block)}
        self._only_thresholds = all(node.kind == TestKind.THRESHOLD for _, node in inner)
        sets = [(place, node) for place, node in inner if node.kind == TestKind.SUBSET]
        # codes above all that a test names take the branch of the others, and may be taken for one of them
        self._most = max([max([len(node.children), *node.values]) for _, node in inner], default=0) + 1
        member = np.zeros((len(sets), 8 * (self._most // 8 + 1)), dtype=np.uint8)
        self._steps = np.zeros(len(places), dtype=STEP)
        self._steps["threshold"], self._steps["first_child"] = np.inf, np.arange(len(places))
        for place, node in inner:
            threshold = node.threshold if node.kind == TestKind.THRESHOLD else np.nan
            self._steps[place] = (threshold, node.kind, slots[node.feature], first[place], 0)
        for row, (place, node) in enumerate(sets):
            self._steps["place"][place] = row
            member[row, list(node.values)] = 1
        self._in_set = np.packbits(member, axis=1, bitorder="little")
        self._missing = np.full(len(places), -1, dtype=np.int32)
        found = [-1 if node is None else number.get(node, -1) for node in places]
        self._result = np.array([*found, -1], dtype=np.int32)  # the last is for rows that lack a value: they are at -1

    def __call__(self, numeric: np.ndarray, nominal: np.ndarray) -> np.ndarray:
        """The number of the node that each row reaches, -1 for none.

        The blocks have a line for each feature: of doubles, NaN for a missing value, and of codes, -1 for one.
        """
        n_rows = numeric.shape[1] if len(numeric) or not len(nominal) else nominal.shape[1]
        leaf = np.empty(n_rows, dtype=np.int32)
        rows = np.arange(n_rows, dtype=np.int32)
        none = np.zeros(0, dtype=WEIGHT)
        known = np.minimum(nominal, self._most)
        to_leaves(self._steps, self._in_set, none, self._missing, numeric, known, self._only_thresholds, rows, leaf)
        found: np.ndarray = self._result[leaf]
        return found
