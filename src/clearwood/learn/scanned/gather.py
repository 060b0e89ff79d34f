"""Gather: the rows of nodes, put where they belong as they come."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from threading import Lock

import numpy as np

from clearwood.learn.scanned.nodes import Node
from clearwood.learn.scanned.passes import Batch
from clearwood.scan.scan import Scan
from clearwood.table import Table
from clearwood.threads import each

__all__ = ["Gather"]


class Gather:
    """Takes batches, of several threads at once too, and keeps the rows that are at nodes.

    It is known beforehand where each node's rows go, so there is never a second copy of them.
    """

    def __init__(self, scan: Scan, nodes: Sequence[Node]) -> None:
        self._scan = scan
        self._n_rows = np.array([node.n_rows for node in nodes], dtype=np.int64)
        self._first = np.append(0, np.cumsum(self._n_rows))
        self._taken = np.zeros(len(nodes), dtype=np.int64)
        self._lock = Lock()
        total = int(self._first[-1])
        numeric = [feature for feature, column in enumerate(scan.columns) if not column.is_nominal]
        nominal = [feature for feature, column in enumerate(scan.columns) if column.is_nominal]
        self._blocks: list[tuple[list[int], np.ndarray]] = [
            (numeric, np.empty(total * len(numeric))),
            (nominal, np.empty(total * len(nominal), dtype=np.int32)),
        ]
        self._y, self._weight = np.empty(total, dtype=np.int32), np.empty(total)

    def take(self, batch: Batch) -> None:
        there = np.flatnonzero(batch.node >= 0)
        node = batch.node[there]
        # numbers of 16 bits are sorted without comparisons
        order = np.argsort(node.astype(np.int16) if len(self._n_rows) <= 2**15 else node, kind="stable")
        node, order = node[order], there[order]
        n_there = np.bincount(node, minlength=len(self._n_rows))
        with self._lock:
            taken = self._taken.copy()
            self._taken += n_there
            if (self._taken > self._n_rows).any():
                raise self._scan.changed()
        place = taken[node] + np.arange(len(node)) - (np.cumsum(n_there) - n_there)[node]
        first, n_rows = self._first[node], self._n_rows[node]
        for features, block in self._blocks:
            # a node's lines lie one after the other, each as long as the node has rows
            begin = first * len(features) + place
            for line, feature in enumerate(features):
                block[begin + line * n_rows] = batch.cells[feature][order]
        self._y[first + place], self._weight[first + place] = batch.y[order], batch.weight[order]

    def tables(self, n_threads: int = 1) -> list[Table]:
        """The rows of each node; threads look them through."""
        if (self._taken < self._n_rows).any():
            raise self._scan.changed()
        return each(self._table, pairwise(self._first.tolist()), n_threads)

    def _table(self, ends: tuple[int, int]) -> Table:
        begin, end = ends
        numeric, nominal = (
            block[begin * len(features) : end * len(features)].reshape(len(features), end - begin)
            for features, block in self._blocks
        )
        y, weights = self._y[begin:end], self._weight[begin:end]
        scan = self._scan
        return Table.from_blocks(
            scan.columns, numeric, nominal, target=scan.target, y=y, weights=weights, name=scan.source
        )
