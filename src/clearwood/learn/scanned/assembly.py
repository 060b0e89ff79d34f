"""Assembly: the nodes of a scanned tree and its finished parts, as one Tree's arrays."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.learn.scanned.nodes import Node

__all__ = ["assemble"]


def assemble(root: Node) -> dict[str, Any]:
    """The arrays of a Tree, numbered breadth first; a finished part takes the place of its node."""
    rows: list[tuple[int, int, float, int, int, bool, tuple[int, ...], np.ndarray, np.ndarray]] = []
    waiting: deque[tuple[Node, int]] = deque([(root, 0)])
    n_known = 1
    while waiting:
        node, inner = waiting.popleft()
        part = node.finished
        bag = node.bag if part is None or inner == 0 else part.arrays["bags"][inner]
        if part is None:
            kind, feature, threshold, n_children = node.kind, node.feature, node.threshold, len(node.children)
            values, empty, counts = node.values, node.empty, node.counts
            below = [(child, 0) for child in node.children]
        else:
            arrays = part.arrays
            kind, feature, threshold = (
                int(arrays["kind"][inner]),
                int(arrays["feature"][inner]),
                arrays["threshold"][inner],
            )
            n_children, empty, counts = (
                int(arrays["n_children"][inner]),
                bool(arrays["empty"][inner]),
                arrays["counts"][inner],
            )
            start, end = arrays["set_start"][inner : inner + 2]
            values = tuple(arrays["set_values"][start:end].tolist())
            first = int(arrays["first_child"][inner])
            below = [(node, first + b) for b in range(n_children)]
        first_child = n_known if n_children else -1
        rows.append((kind, feature, threshold, first_child, n_children, empty, values, counts, bag))
        n_known += n_children
        waiting.extend(below)
    kinds, features, thresholds, firsts, widths, empties, sets, counts_of, bags = zip(*rows, strict=True)
    kind_array = np.array(kinds, dtype=np.int8)
    bag_array = np.array(bags)
    bag_array[0] = counts_of[0]
    return {
        "kind": kind_array,
        "feature": np.array(features, dtype=np.int32),
        "threshold": np.where(kind_array == TestKind.THRESHOLD, np.array(thresholds, dtype=np.float64), np.nan),
        "first_child": np.array(firsts, dtype=np.int32),
        "n_children": np.array(widths, dtype=np.int32),
        "empty": np.array(empties, dtype=bool),
        "set_start": np.append(0, np.cumsum([len(s) for s in sets])).astype(np.int32),
        "set_values": np.array([v for s in sets for v in s], dtype=np.int32),
        "counts": np.array(counts_of),
        "bags": bag_array,
    }
