"""Packing: many trees in few arrays, each test, each list of weights and each subtree written once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clearwood.conditions import Kind
from clearwood.table import Column
from clearwood.tree import Tree

__all__ = ["Packer"]


class Packer:
    """Takes trees and gives each the number of its root among the packed nodes.

    Trees that differ in one rule share all else, so a front of thirty trees takes little more room than its largest
    tree, and five thousand near-copies fit a mail.

    >>> from clearwood import C45Classifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> trees = [C45Classifier(max_leaves=n).fit(X, y).tree_ for n in (3, 4, 5)]
    >>> packer = Packer(trees[0].columns)
    >>> roots = [packer.add(tree) for tree in trees]
    >>> sum(tree.n_nodes for tree in trees), len(packer.packed()["nodes"]["test"])
    (21, 16)
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self._place = {column.name: i for i, column in enumerate(columns)}
        self._columns = tuple(columns)
        self._tests: dict[Any, int] = {}
        self._weights: dict[tuple[float, ...], int] = {}
        self._nodes: dict[tuple[Any, ...], int] = {}

    def add(self, tree: Tree) -> int:
        """Pack a tree; the columns that it tests are found by name."""
        used = set(tree.features)
        place = [self._column(column) if column.name in used else -1 for column in tree.columns]
        counts, bags = tree.counts.tolist(), tree.bags.tolist()
        missing, empty = tree.missing.tolist(), tree.empty.tolist()
        packed = [0] * tree.n_nodes
        for node in range(tree.n_nodes - 1, -1, -1):  # children before parents
            leaf = tree.is_leaf(node)
            key = (
                -1 if leaf else _number(self._tests, _test(tree, node, place)),
                missing[node],
                bool(empty[node]),
                _number(self._weights, tuple(map(_short, counts[node]))),
                _number(self._weights, tuple(map(_short, bags[node]))),
                *(() if leaf else (packed[child] for child in tree.children(node))),
            )
            packed[node] = _number(self._nodes, key)
        return packed[0]

    def packed(self) -> dict[str, Any]:
        """The fields ``tests``, ``weights`` and ``nodes`` of a document."""
        keys = list(self._nodes)
        nodes: dict[str, list[int]] = {
            "test": [key[0] for key in keys],
            "children": [i - child for i, key in enumerate(keys) for child in key[5:]],
            "counts": [key[3] for key in keys],
        }
        if any(key[4] != key[3] for key in keys):
            nodes["bags"] = [key[4] for key in keys]
        if any(key[1] >= 0 for key in keys):
            nodes["missing"] = [key[1] for key in keys]
        if any(key[2] for key in keys):
            nodes["empty"] = [int(key[2]) for key in keys]
        return {
            "tests": [_as_lists(test) for test in self._tests],
            "weights": [weight for row in self._weights for weight in row],
            "nodes": nodes,
        }

    def _column(self, column: Column) -> int:
        place = self._place.get(column.name, -1)
        if place < 0 or self._columns[place] != column:
            raise ValueError(f"trees of one page must agree about their columns, but not all do about {column.name!r}.")
        return place


def _test(tree: Tree, node: int, place: Sequence[int]) -> tuple[Any, ...]:
    kind = tree.kind[node]
    if kind == Kind.LINEAR:
        plane = tree.plane(node)
        packed = tuple(place[f] for f in plane.features), plane.weights, float(tree.threshold[node])
        return packed if len(plane.numbers) == len(plane.features) else (*packed, plane.codes)
    feature = place[int(tree.feature[node])]
    if kind == Kind.THRESHOLD:
        return feature, float(tree.threshold[node])
    return (feature,) if kind == Kind.BRANCHES else (feature, tree.subset(node))


def _as_lists(test: tuple[Any, ...]) -> list[Any]:
    parts = [list(part) if isinstance(part, tuple) else part for part in test]
    return [[_short(w) for w in part] if isinstance(part, list) else _short(part) for part in parts]


def _short(value: float) -> float | int:
    """A whole number without its ``.0``."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def _number(known: dict[Any, int], key: Any) -> int:
    return known.setdefault(key, len(known))
