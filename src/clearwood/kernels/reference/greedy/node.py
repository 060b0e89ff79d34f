"""Node: a grown tree with its rows still in it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.reference.common.rows import Data, Rows
from clearwood.kernels.reference.common.tolerance import greater
from clearwood.kernels.reference.greedy.class_table import ClassTable


@dataclass(frozen=True)
class Test:
    """What an inner node asks: ``value <= threshold``, which declared value, or whether it is in a set."""

    __test__ = False  # not something for pytest to collect

    kind: int
    feature: int
    n_branches: int = 2
    threshold: float = float("nan")
    subset: frozenset[int] = frozenset()

    def branch(self, value: Any) -> int:
        if self.kind == TestKind.THRESHOLD:
            return 0 if value <= self.threshold else 1
        if self.kind == TestKind.BRANCHES:
            return int(value)
        return 0 if value in self.subset else 1

    def class_table(self, data: Data, rows: Rows) -> ClassTable:
        """The classes of rows in each branch, rows with an unknown value shared out."""
        table = ClassTable(self.n_branches, data.n_classes)
        cells = data.cells[self.feature]
        for row, weight in data.known(rows, self.feature):
            table.add(self.branch(cells[row]), data.label(row), weight)
        table.spread((data.label(row), weight) for row, weight in data.unknown(rows, self.feature))
        return table

    def split(self, data: Data, rows: Rows, table: ClassTable) -> list[Rows]:
        """The rows of each branch in their order; a row with an unknown value is shared out as the table is."""
        parts: list[Rows] = [[] for _ in range(self.n_branches)]
        cells = data.cells[self.feature]
        shares = table.shares()
        for row, weight in rows:
            if cells[row] is not None:
                parts[self.branch(cells[row])].append((row, weight))
                continue
            for part, share in zip(parts, shares, strict=True):
                if greater(share, 0.0):
                    part.append((row, share * weight))
        return parts


@dataclass
class Node:
    """A node: its rows, their class table (one bag for each branch), its test and children."""

    rows: Rows
    table: ClassTable
    test: Test | None = None
    children: list[Node] = field(default_factory=list)
    empty: bool = False

    @property
    def is_leaf(self) -> bool:
        return self.test is None

    def leaves(self) -> list[Node]:
        """The leaves below, from the first branch to the last."""
        if self.is_leaf:
            return [self]
        return [leaf for child in self.children for leaf in child.leaves()]

    def become_leaf(self) -> None:
        self.table = self.table.merged()
        self.test = None
        self.children = []


def to_arrays(root: Node) -> dict[str, np.ndarray]:
    """The arrays of a ``clearwood.Tree``: nodes numbered level by level, siblings side by side."""
    nodes: list[Node] = [root]
    bags: list[list[float]] = [root.table.class_weights]
    first_child: list[int] = []
    waiting = deque([root])
    while waiting:
        node = waiting.popleft()
        first_child.append(-1 if node.is_leaf else len(nodes))
        if not node.is_leaf:
            nodes.extend(node.children)
            bags.extend(node.table.bags)
            waiting.extend(node.children)
    tests = [node.test for node in nodes]
    subsets = [sorted(test.subset) if test else [] for test in tests]
    return {
        "kind": np.array([test.kind if test else TestKind.LEAF for test in tests], dtype=np.int8),
        "feature": np.array([test.feature if test else -1 for test in tests], dtype=np.int32),
        "threshold": np.array([test.threshold if test else np.nan for test in tests]),
        "first_child": np.array(first_child, dtype=np.int32),
        "n_children": np.array([len(node.children) for node in nodes], dtype=np.int32),
        "empty": np.array([node.empty for node in nodes], dtype=bool),
        "set_start": np.cumsum([0] + [len(subset) for subset in subsets], dtype=np.int32),
        "set_values": np.array([code for subset in subsets for code in subset], dtype=np.int32),
        "counts": np.array([node.table.class_weights for node in nodes], dtype=np.float64),
        "bags": np.array(bags, dtype=np.float64),
    }
