"""Tree arrays: the nodes of a tree as flat arrays, their sizes, and how to walk through them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np

from clearwood.cached import cached_property
from clearwood.conditions import Condition, Kind, Plane
from clearwood.routing import Routing
from clearwood.table import Column
from clearwood.wording import DIGITS, digits_apart

__all__ = ["TreeArrays"]

_DTYPES = {
    "kind": np.int8,
    "feature": np.int32,
    "threshold": np.float64,
    "first_child": np.int32,
    "n_children": np.int32,
    "empty": np.bool_,
    "set_start": np.int32,
    "set_values": np.int32,
    "missing": np.int32,
    "weight_start": np.int32,
    "weight_features": np.int32,
    "weight_values": np.float64,
    "weight_codes": np.int32,
    "counts": np.float64,
    "bags": np.float64,
}
_LEAF, _LINEAR = int(Kind.LEAF), int(Kind.LINEAR)  # asked for at every node: to find a member takes a microsecond
_NAMED = ("columns", "classes", "target", "laplace", "learner", "remark", "data", "accuracy", "spread", "costs")


class TreeArrays:
    """The arrays and names of a tree, as :class:`~clearwood.Tree` documents them, without the ways out."""

    kind: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    empty: np.ndarray
    set_start: np.ndarray
    set_values: np.ndarray
    missing: np.ndarray
    weight_start: np.ndarray
    weight_features: np.ndarray
    weight_values: np.ndarray
    weight_codes: np.ndarray
    counts: np.ndarray
    bags: np.ndarray
    costs: np.ndarray | None = None
    data: str = ""
    accuracy: str = ""

    def __init__(
        self,
        *,
        columns: Sequence[Column],
        classes: Sequence[Any],
        target: str = "class",
        laplace: bool = False,
        learner: str = "",
        remark: str = "",
        data: str = "",
        accuracy: str = "",
        spread: Sequence[float] | np.ndarray | None = None,
        costs: Any = None,
        **arrays: Any,
    ) -> None:
        self.columns = tuple(columns)
        self.classes = tuple(classes)
        self.target = target
        self.laplace = laplace
        self.learner = learner
        self.remark = remark
        self.data = data
        self.accuracy = accuracy
        self.spread = None if spread is None else np.array(spread, dtype=np.float64)
        if self.spread is not None:
            self.spread.flags.writeable = False
        if costs is not None:
            self.costs = np.array(costs, dtype=np.float64)
            self.costs.flags.writeable = False
        arrays.setdefault("bags", arrays["counts"])
        n_nodes = len(arrays["kind"])
        arrays.setdefault("missing", np.full(n_nodes, -1, dtype=np.int32))
        for name in ("set", "weight"):
            arrays.setdefault(f"{name}_start", np.zeros(n_nodes + 1, dtype=np.int32))
        for name in ("set_values", "weight_features", "weight_values"):
            arrays.setdefault(name, np.empty(0))
        arrays.setdefault("weight_codes", np.full(len(arrays["weight_features"]), -1, dtype=np.int32))
        unknown = arrays.keys() - _DTYPES.keys()
        if unknown:
            raise TypeError(f"Tree has no arrays called {', '.join(sorted(unknown))}.")
        for key, dtype in _DTYPES.items():
            array: np.ndarray = np.ascontiguousarray(arrays[key], dtype=dtype)
            if array is arrays[key]:
                array = array.view()
            array.flags.writeable = False
            setattr(self, key, array)

    # -- sizes ----------------------------------------------------------------------------------

    @property
    def n_nodes(self) -> int:
        return len(self.kind)

    @property
    def n_leaves(self) -> int:
        """How many leaves there are, empty ones included."""
        return int(np.count_nonzero(self.kind == Kind.LEAF))

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @property
    def depth(self) -> int:
        """The number of tests on the longest path; 0 for a single leaf."""
        return int(self.node_depth.max())

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features that the tree tests, in the table's order."""
        used = np.unique(np.append(self.feature[self.feature >= 0], self.weight_features))
        return tuple(self.columns[i].name for i in used)

    @cached_property
    def parent(self) -> np.ndarray:
        """For each node its parent; -1 for the root."""
        parent = np.full(self.n_nodes, -1, dtype=np.int32)
        inner = np.flatnonzero(self.kind != Kind.LEAF)
        n = self.n_children[inner]
        before = np.cumsum(n) - n  # the children of all nodes end to end: where each node's begin
        parent[np.arange(n.sum()) + np.repeat(self.first_child[inner] - before, n)] = np.repeat(inner, n)
        return parent

    @cached_property
    def node_depth(self) -> np.ndarray:
        """For each node the number of tests above it."""
        depth = [0] * self.n_nodes
        for node, parent in enumerate(self.parent.tolist()):  # parents come first
            depth[node] = depth[parent] + 1 if node else 0
        return np.array(depth, dtype=np.int32)

    @cached_property
    def threshold_digits(self) -> np.ndarray:
        """For each node how many digits of its threshold people need to tell it from all others on its feature.

        Thresholds near one another have the same number of digits.
        """
        digits = np.full(self.n_nodes, DIGITS, dtype=np.int8)
        nodes = np.flatnonzero(self.kind == Kind.THRESHOLD)
        cuts, place = np.unique(np.c_[self.feature[nodes], self.threshold[nodes]], axis=0, return_inverse=True)
        needed = np.full(len(cuts), DIGITS, dtype=np.int8)
        (before, low), (after, high) = cuts[:-1].T, cuts[1:].T
        # six digits are a grid no coarser than 1e-5 of a number, so what lies farther apart is told apart by them
        gap = 5e-6 * np.maximum(np.abs(low), np.abs(high))
        near = np.flatnonzero((before == after) & (high / 2 - low / 2 <= gap))  # halves: the difference may be infinite
        for run in np.split(near, np.flatnonzero(np.diff(near) > 1) + 1):
            if len(run):
                together = slice(run[0], run[-1] + 2)
                needed[together] = digits_apart(cuts[together, 1].tolist())
        digits[nodes] = needed[place.ravel()]
        return digits

    @property
    def leaf_class(self) -> np.ndarray:
        """For each node the code of the class that it says: its majority's, or what costs least where there are costs.

        An empty leaf says what its parent does.
        """
        return self._routing.leaf_class

    @property
    def node_proba(self) -> np.ndarray:
        """For each node the class probabilities that it would predict as a leaf; an empty leaf has its parent's."""
        return self._routing.smooth

    # -- walking --------------------------------------------------------------------------------

    def is_leaf(self, node: int) -> bool:
        return bool(self.kind[node] == _LEAF)

    def children(self, node: int) -> range:
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    def subset(self, node: int) -> tuple[int, ...]:
        """The codes that a SUBSET node sends to branch 0."""
        return tuple(int(v) for v in self.set_values[self.set_start[node] : self.set_start[node + 1]])

    def plane(self, node: int) -> Plane:
        """The weighted sum that a LINEAR node compares with its threshold."""
        here = slice(self.weight_start[node], self.weight_start[node + 1])
        features = tuple(int(f) for f in self.weight_features[here])
        columns = tuple(self.columns[f] for f in features)
        weights, codes = self.weight_values[here].tolist(), self.weight_codes[here].tolist()
        return Plane(features, columns, tuple(weights), self._influences(here), tuple(codes))

    def _influences(self, here: slice) -> tuple[float, ...] | None:
        """For each term of a plane its share in the sum of |weight| times spread."""
        if self.spread is None:
            return None
        parts = np.abs(self.weight_values[here]) * self.spread[self.weight_features[here]]  # NaN with a nominal term
        total = float(parts.sum())
        return tuple((parts / total).tolist()) if 0 < total < math.inf else None

    def tested(self, node: int) -> tuple[int, ...]:
        """The features that a node tests: none for a leaf, those of its plane for a LINEAR node, else one."""
        if self.kind[node] == _LINEAR:
            return tuple(dict.fromkeys(self.plane(node).features))
        return () if self.is_leaf(node) else (int(self.feature[node]),)

    def walk(self, node: int = 0) -> Iterator[int]:
        """Node numbers in reading order: a node, then its branches from the first to the last."""
        stack = [node]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(self.children(node)))

    def condition(self, node: int, branch: int) -> Condition:
        """What a row must satisfy at an inner node to take a branch."""
        feature = int(self.feature[node])
        kind = self.kind[node]
        direction = int(self.missing[node])
        missing = None if direction < 0 else direction == branch
        if kind in (Kind.THRESHOLD, Kind.LINEAR):
            plane = self.plane(node) if kind == Kind.LINEAR else None
            column = self.columns[feature] if plane is None else plane.as_column()
            cut = float(self.threshold[node])
            lower, upper = (-math.inf, cut) if branch == 0 else (cut, math.inf)
            digits = int(self.threshold_digits[node])
            return Condition(feature, column, lower, upper, None, plane, missing, (digits, digits))
        column = self.columns[feature]
        if kind == Kind.BRANCHES:
            return Condition(feature, column, values=(branch,), missing=missing)
        inside = self.subset(node)
        if branch:
            inside = tuple(sorted(set(range(column.n_values)).difference(inside)))
        return Condition(feature, column, values=inside, missing=missing)

    def path(self, node: int) -> list[Condition]:
        """The conditions from the root to a node, in order and unmerged."""
        conditions: list[Condition] = []
        while node:
            parent = int(self.parent[node])
            conditions.append(self.condition(parent, node - int(self.first_child[parent])))
            node = parent
        return conditions[::-1]

    @cached_property
    def _routing(self) -> Routing:
        return Routing(self)

    @property
    def met_missing(self) -> bool:
        """Whether rows without a tested value were among those that the tree was grown from, as far as it tells."""
        return bool((self.missing >= 0).any() or not np.array_equal(self.counts, self.bags))

    def same_costs(self, other: TreeArrays) -> bool:
        """Whether errors cost the same in both."""
        if self.costs is None or other.costs is None:
            return self.costs is other.costs
        return np.array_equal(self.costs, other.costs)

    def _changed(self, **changes: Any) -> Self:
        return type(self)(**{name: getattr(self, name) for name in (*_NAMED, *_DTYPES)} | changes)

    # -- copies and equality --------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        derived = ("parent", "node_depth", "threshold_digits", "_routing")
        return {name: value for name, value in self.__dict__.items() if name not in derived}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # pickled when the terms of planes were numbers only
        self.__dict__.setdefault("weight_codes", np.full(len(self.weight_features), -1, dtype=np.int32))
        for key in _DTYPES:
            getattr(self, key).flags.writeable = False  # a pickle does not keep this

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TreeArrays):
            return NotImplemented
        same_names = (
            self.columns == other.columns
            and self.classes == other.classes
            and self.target == other.target
            and self.laplace == other.laplace
            and self.same_costs(other)
        )
        return same_names and all(
            np.array_equal(getattr(self, key), getattr(other, key), equal_nan=key == "threshold") for key in _DTYPES
        )

    __hash__ = None  # type: ignore[assignment]
