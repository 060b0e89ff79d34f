"""Stored: the nodes of a tree that grows, as arrays that a checkpoint can keep, and back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clearwood.column import Column
from clearwood.kernels.common.codes import TestKind
from clearwood.learn.scanned.nodes import Finished, Node
from clearwood.stored_state import StoredState

__all__ = ["pack", "unpack"]


def pack(root: Node, level: Sequence[Node]) -> dict[str, np.ndarray]:
    """The nodes of a tree, parents first, and which of them are open."""
    nodes = list(root.walk())
    place = {node: i for i, node in enumerate(nodes)}
    shares = [np.zeros(0) if node.share is None else node.share for node in nodes]
    limits = [(i, feature, *ends) for i, node in enumerate(nodes) for feature, ends in sorted(node.limits.items())]
    state = {
        "parent": np.array([-1 if node.parent is None else place[node.parent] for node in nodes]),
        "branch": np.array([node.branch for node in nodes]),
        "rows": np.array([node.n_rows for node in nodes]),
        "kind": np.array([node.kind for node in nodes]),
        "feature": np.array([node.feature for node in nodes]),
        "threshold": np.array([node.threshold for node in nodes]),
        "empty": np.array([node.empty for node in nodes]),
        "counts": np.array([node.counts for node in nodes]),
        "bags": np.array([node.bag for node in nodes]),
        "open": np.array([place[node] for node in level], dtype=np.int64),
        "value_length": np.array([len(node.values) for node in nodes]),
        "values": np.array([value for node in nodes for value in node.values], dtype=np.int64),
        "share_length": np.array([len(share) for share in shares]),
        "shares": np.concatenate([np.zeros(0), *shares]),
        "limit_place": np.array([limit[:2] for limit in limits], dtype=np.int64).reshape(-1, 2),
        "limits": np.array([limit[2:] for limit in limits], dtype=np.float64).reshape(-1, 2),
    }
    finished = [(i, node.finished) for i, node in enumerate(nodes) if node.finished is not None]
    state["finished"] = np.array([i for i, _ in finished], dtype=np.int64)
    state["finished_errors"] = np.array([(part.errors, part.below) for _, part in finished]).reshape(-1, 2)
    state["finished_length"] = np.array([len(part.arrays["kind"]) for _, part in finished], dtype=np.int64)
    for name in ("kind", "feature", "threshold", "first_child", "n_children", "empty", "counts", "bags"):
        if finished:
            state[f"finished_{name}"] = np.concatenate([part.arrays[name] for _, part in finished])
    if finished:
        state["finished_set_length"] = np.concatenate([np.diff(part.arrays["set_start"]) for _, part in finished])
        state["finished_set_values"] = np.concatenate([part.arrays["set_values"] for _, part in finished])
    return state


def unpack(state: StoredState, columns: Sequence[Column], n_classes: int) -> tuple[Node, list[Node]]:
    """The root of the stored tree, and its open nodes; ValueError if the arrays hold no tree of such columns."""
    n = len(state.any("parent"))
    parent = state.whole("parent", (n,), -1, n - 1)
    if not n or parent[0] != -1 or (parent[1:] >= np.arange(1, n)).any() or (parent[1:] < 0).any():
        raise ValueError("parent must name an earlier node for each but the first.")
    most = max([column.n_values for column in columns if column.is_nominal], default=1)
    branch = state.whole("branch", (n,), -1, max(most, 2))
    rows = state.whole("rows", (n,), 0, 2**62)
    kind = state.whole("kind", (n,), 0, max(TestKind))
    feature = state.whole("feature", (n,), -1, len(columns) - 1)
    if ((feature < 0) != (kind == TestKind.LEAF)).any():
        raise ValueError("feature must be there for each test, and for nothing else.")
    threshold, empty = state.shaped("threshold", (n,), "f"), state.whole("empty", (n,), 0, 1)
    counts, bags = state.real("counts", (n, n_classes), 0), state.real("bags", (n, n_classes), 0)
    values = _pieces(state, "value_length", state.whole("values", (None,), 0, most), n)
    shares = _pieces(state, "share_length", state.real("shares", (None,), 0, 1), n)
    nodes: list[Node] = []
    for i in range(n):
        above = nodes[parent[i]] if i else None
        depth = above.depth + 1 if above is not None else 0
        node = Node(depth, counts[i], int(rows[i]), bags[i], above, int(branch[i]), int(kind[i]), int(feature[i]))
        node.threshold, node.empty, node.values = float(threshold[i]), bool(empty[i]), tuple(values[i].tolist())
        node.share = shares[i] if len(shares[i]) else None
        if above is not None:
            if branch[i] != len(above.children):
                raise ValueError("branch must count the children of each node.")
            above.children.append(node)
        nodes.append(node)
    for node in nodes:
        if (node.kind == TestKind.LEAF) != (not node.children):
            raise ValueError("kind must be that of a leaf where a node has no children, and only there.")
        if node.share is not None and len(node.share) != len(node.children):
            raise ValueError("shares must hold one for each child.")
    _put_limits(state, nodes, len(columns))
    _put_finished(state, nodes, columns, n_classes)
    return nodes[0], [nodes[i] for i in state.whole("open", (None,), 0, n - 1)]


def _pieces(state: StoredState, lengths: str, values: np.ndarray, n: int) -> list[np.ndarray]:
    """Values in pieces of the stored lengths."""
    length = state.whole(lengths, (n,), 0, len(values))
    if length.sum() != len(values):
        raise ValueError(f"{lengths} must add up to {len(values)}, got {length.sum()}.")
    return np.split(values, np.cumsum(length)[:-1]) if n else []


def _put_limits(state: StoredState, nodes: Sequence[Node], n_features: int) -> None:
    place = state.whole("limit_place", (None, 2), 0, max(len(nodes), n_features) - 1)
    for (node, feature), ends in zip(place, state.real("limits", (len(place), 2)), strict=True):
        nodes[node].limits[int(feature)] = (float(ends[0]), float(ends[1]))


def _put_finished(state: StoredState, nodes: Sequence[Node], columns: Sequence[Column], n_classes: int) -> None:
    """Give nodes the parts that were finished in memory."""
    which = state.whole("finished", (None,), 0, len(nodes) - 1)
    if not len(which):
        return
    errors = state.real("finished_errors", (len(which), 2))
    length = state.whole("finished_length", (len(which),), 1, 2**31 - 1)
    n, ends = int(length.sum()), np.cumsum(length)[:-1]
    most = max([column.n_values for column in columns if column.is_nominal], default=1)
    named = {
        "kind": state.whole("finished_kind", (n,), 0, max(TestKind)),
        "feature": state.whole("finished_feature", (n,), -1, len(columns) - 1),
        "threshold": state.shaped("finished_threshold", (n,), "f"),
        "first_child": state.whole("finished_first_child", (n,), -1, n - 1),
        "n_children": state.whole("finished_n_children", (n,), 0, max(most, 2)),
        "empty": state.whole("finished_empty", (n,), 0, 1),
        "counts": state.real("finished_counts", (n, n_classes), 0),
        "bags": state.real("finished_bags", (n, n_classes), 0),
    }
    sets = state.whole("finished_set_values", (None,), 0, most)
    set_length = state.whole("finished_set_length", (n,), 0, len(sets))
    parts = {name: np.split(array, ends) for name, array in named.items()}
    lengths = np.split(set_length, ends)
    set_values = np.split(sets, np.cumsum([piece.sum() for piece in lengths])[:-1])
    for place, node in enumerate(which):
        arrays = {name: pieces[place] for name, pieces in parts.items()}
        _check_children(arrays)
        arrays["set_start"] = np.append(0, np.cumsum(lengths[place])).astype(np.int32)
        arrays["set_values"] = set_values[place]
        nodes[node].finished = Finished(arrays, float(errors[place, 0]), float(errors[place, 1]))


def _check_children(arrays: dict[str, np.ndarray]) -> None:
    """Whether the nodes of a part are numbered breadth first: each node's children follow those of the one before."""
    inner = arrays["n_children"] > 0
    first = 1 + np.cumsum(arrays["n_children"]) - arrays["n_children"]
    if (arrays["first_child"][inner] != first[inner]).any() or 1 + arrays["n_children"].sum() != len(inner):
        raise ValueError("finished_first_child must number the nodes of each part breadth first.")
    if ((arrays["kind"] == TestKind.LEAF) == inner).any():
        raise ValueError("finished_kind must be that of a leaf where a node has no children, and only there.")
