"""A second reader of the page's document, written from its description in the guide."""

from __future__ import annotations

from typing import Any

import numpy as np

import clearwood as cw
from clearwood.conditions import Kind

__all__ = ["trees_of"]


def trees_of(document: dict[str, Any]) -> list[cw.Tree]:
    """The trees of a document, in the order of its entries."""
    columns = [cw.Column(c["name"], tuple(c["values"]) if "values" in c else None) for c in document["columns"]]
    laplace = document["entries"].get("laplace", [0] * len(document["entries"]["tree"]))
    names = [document["learners"][i] for i in document["entries"]["learner"]]
    return [
        _tree(document, columns, root, bool(laplace[i]), names[i]) for i, root in enumerate(document["entries"]["tree"])
    ]


def _tree(document: dict[str, Any], columns: list[cw.Column], root: int, laplace: bool, learner: str) -> cw.Tree:
    nodes, k = document["nodes"], len(document["classes"])
    weights = np.reshape(document["weights"], (-1, k)) if document["weights"] else np.empty((0, k))
    starts = np.cumsum([0, *(_branches(document, columns, test) for test in nodes["test"])])
    order, arrays = [root], {"kind": [], "feature": [], "threshold": [], "first_child": [], "n_children": []}
    sets: list[list[int]] = []
    planes: list[list[tuple[int, float, int]]] = []
    for packed in order:
        kind, feature, cut, inside, plane = _test(document, nodes["test"][packed])
        below = [packed - back for back in nodes["children"][starts[packed] : starts[packed + 1]]]
        values = (kind, feature, cut, len(order) if below else -1, len(below))
        for name, value in zip(arrays, values, strict=True):
            arrays[name].append(value)
        sets.append(inside)
        planes.append(plane)
        order.extend(below)
    pick = np.array(order)
    return cw.Tree(
        columns=columns,
        classes=document["classes"],
        target=document["target"],
        laplace=laplace,
        learner=learner,
        **arrays,
        empty=np.array(nodes.get("empty", [0] * len(nodes["test"])), dtype=bool)[pick],
        missing=np.array(nodes.get("missing", [-1] * len(nodes["test"])))[pick],
        set_start=np.cumsum([0, *map(len, sets)]),
        set_values=[code for inside in sets for code in inside],
        weight_start=np.cumsum([0, *map(len, planes)]),
        weight_features=[feature for plane in planes for feature, _, _ in plane],
        weight_values=[weight for plane in planes for _, weight, _ in plane],
        weight_codes=[code for plane in planes for _, _, code in plane],
        counts=weights[np.array(nodes["counts"])[pick]],
        bags=weights[np.array(nodes.get("bags", nodes["counts"]))[pick]],
    )


def _branches(document: dict[str, Any], columns: list[cw.Column], test: int) -> int:
    if test < 0:
        return 0
    packed = document["tests"][test]
    return columns[packed[0]].n_values if len(packed) == 1 else 2


def _test(document: dict[str, Any], test: int) -> tuple[int, int, float, list[int], list[tuple[int, float, int]]]:
    if test < 0:
        return Kind.LEAF, -1, np.nan, [], []
    packed = document["tests"][test]
    if len(packed) >= 3:
        codes = packed[3] if len(packed) == 4 else [-1] * len(packed[0])
        return Kind.LINEAR, -1, packed[2], [], list(zip(packed[0], packed[1], codes, strict=True))
    if len(packed) == 1:
        return Kind.BRANCHES, packed[0], np.nan, [], []
    if isinstance(packed[1], list):
        return Kind.SUBSET, packed[0], np.nan, packed[1], []
    return Kind.THRESHOLD, packed[0], packed[1], [], []
