"""Router: the ways to wanted nodes as a function of cells, for engines that can call one."""

from __future__ import annotations

from collections.abc import Mapping

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
    """

    def __init__(self, top: Node, steps: Mapping[Node, Mapping[int, Node]], number: Mapping[Node, int]) -> None:
        places: list[Node | None] = [top]
        first: list[int] = []
        for node in places:  # grows meanwhile: breadth first, the children of a node side by side
            first.append(len(places))
            if node is not None and node in steps:
                places += [steps[node].get(branch) for branch in range(len(node.children))]
        inner = [(place, node) for place, node in enumerate(places) if node is not None and node in steps]
        tested = sorted({(node.kind != TestKind.THRESHOLD, node.feature) for _, node in inner})
        self.features = [feature for _, feature in tested]
        self._n_numeric = sum(not nominal for nominal, _ in tested)
        slots = {feature: place - nominal * self._n_numeric for place, (nominal, feature) in enumerate(tested)}
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

    def __call__(self, *cells: np.ndarray) -> np.ndarray:
        """The number of the node that each row reaches, -1 for none; cells are those of ``features``, as float64."""
        n_rows = len(cells[0])
        numeric = np.array(cells[: self._n_numeric], dtype=np.float64).reshape(self._n_numeric, n_rows)
        codes = np.array(cells[self._n_numeric :], dtype=np.float64).reshape(len(cells) - self._n_numeric, n_rows)
        nominal = np.where(np.isnan(codes), -1, np.minimum(codes, self._most)).astype(np.int32)
        leaf = np.empty(n_rows, dtype=np.int32)
        rows = np.arange(n_rows, dtype=np.int32)
        none = np.zeros(0, dtype=WEIGHT)
        thresholds = len(nominal) == 0
        to_leaves(self._steps, self._in_set, none, self._missing, numeric, nominal, thresholds, rows, leaf)
        found: np.ndarray = self._result[leaf]
        return found
