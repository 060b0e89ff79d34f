"""TreeBuilder: a tree put together node by node, children first."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.conditions import Kind
from clearwood.table import Column
from clearwood.tree import Tree
from clearwood.tree_check import check_tree

__all__ = ["TreeBuilder"]


@dataclass(slots=True)
class _Node:
    kind: Kind
    counts: np.ndarray
    bag: np.ndarray
    feature: int = -1
    cut: float = math.nan
    codes: tuple[int, ...] = ()
    weights: tuple[tuple[int, int, float], ...] = ()  # feature, code of a value or -1, weight
    children: tuple[int, ...] = ()
    missing: int = -1
    empty: bool = False


class TreeBuilder:
    """Puts a tree together: each method adds a node and returns its number, which the parent then names.

    Children are made before their parents, in any order; :meth:`build` gives the nodes the numbers that a Tree asks
    for. Features are given by name or position. An inner node has the class weights of its children's bags unless
    ``counts`` says otherwise; ``bag``, the weights that the parent's test put into the branch, is the same as
    ``counts`` by default.

    Parameters
    ----------
    columns : sequence of Column
        The features.
    classes : sequence
        The class labels in order.
    target, laplace, learner
        As in :class:`~clearwood.Tree`.

    Examples
    --------
    >>> from clearwood import Column, TreeBuilder
    >>> build = TreeBuilder([Column("petal length"), Column("petal width")], ["setosa", "versicolor", "virginica"])
    >>> low, high = build.leaf([0, 48, 1]), build.leaf([0, 2, 49])
    >>> wide = build.linear({"petal width": 0.8, "petal length": 0.2}, 2.3, [low, high])
    >>> print(build.build(build.threshold("petal width", 0.6, [build.leaf([50, 0, 0]), wide])))
    Tree for class: 3 leaves, depth 2, 2 of 2 features, 150 rows
    <BLANKLINE>
                                                predicts    rows  of all  correct
    petal width ≤ 0.6                           setosa        50    33 %    100 %
    petal width > 0.6
    ├ 0.8·petal width + 0.2·petal length ≤ 2.3  versicolor    49    33 %     98 %
    └ 0.8·petal width + 0.2·petal length > 2.3  virginica     51    34 %     96 %
    """

    def __init__(
        self,
        columns: Sequence[Column],
        classes: Sequence[Any],
        *,
        target: str = "class",
        laplace: bool = False,
        learner: str = "",
    ) -> None:
        self.columns = tuple(columns)
        self.classes = tuple(classes)
        self._names: dict[str, Any] = {"target": target, "laplace": laplace, "learner": learner}
        self._nodes: list[_Node] = []
        self._has_parent: set[int] = set()
        self._positions = {column.name: i for i, column in enumerate(self.columns)}

    def leaf(self, counts: Iterable[float], *, bag: Iterable[float] | None = None) -> int:
        """A leaf with its class weights; one without any weight is empty and predicts as its parent."""
        held = self._weights(counts)
        node = _Node(Kind.LEAF, held, held if bag is None else self._weights(bag), empty=not held.any())
        return self._added(node)

    def threshold(self, feature: str | int, cut: float, children: Sequence[int], **more: Any) -> int:
        """``value <= cut`` to the first child, the rest to the second.

        ``more`` is the same for all tests: ``missing``, the branch of rows without the value (-1: shared out);
        ``counts`` and ``bag``.
        """
        return self._test(Kind.THRESHOLD, children, feature=self._index(feature), cut=float(cut), **more)

    def branches(self, feature: str | int, children: Sequence[int], **more: Any) -> int:
        """A child for each declared value."""
        return self._test(Kind.BRANCHES, children, feature=self._index(feature), **more)

    def subset(self, feature: str | int, values: Iterable[str | int], children: Sequence[int], **more: Any) -> int:
        """Some values, or their codes, to the first child, all others to the second."""
        index = self._index(feature)
        declared = self.columns[index].values or ()
        values = list(values)
        strange = [value for value in values if isinstance(value, str) and value not in declared]
        if strange:
            raise ValueError(f"values must be among those of {self.columns[index].name!r}, got {strange[0]!r}.")
        codes = sorted({declared.index(v) if isinstance(v, str) else int(v) for v in values})
        return self._test(Kind.SUBSET, children, feature=index, codes=tuple(codes), **more)

    def linear(self, weights: Mapping[Any, float], cut: float, children: Sequence[int], **more: Any) -> int:
        """A weighted sum of at most ``cut`` to the first child, the rest to the second.

        Weights are given by feature, the one with the most influence first; those that are 0 are left out. For a
        nominal feature give it and a value, or its code, as a pair; the weight counts where rows have that value.
        """
        terms = tuple((*self._term(about), float(weight)) for about, weight in weights.items() if weight != 0)
        return self._test(Kind.LINEAR, children, weights=terms, cut=float(cut), **more)

    def build(self, root: int) -> Tree:
        """The tree below a node, checked; ValueError says what is wrong with it."""
        order = [self._known(root)]
        first = []
        for node in order:  # it grows while it is walked
            children = self._nodes[node].children
            first.append(len(order) if children else -1)
            order.extend(children)
        nodes = [self._nodes[node] for node in order]
        tree = Tree(
            columns=self.columns,
            classes=self.classes,
            **self._names,
            kind=[node.kind for node in nodes],
            feature=[node.feature for node in nodes],
            threshold=[node.cut for node in nodes],
            first_child=first,
            n_children=[len(node.children) for node in nodes],
            empty=[node.empty for node in nodes],
            missing=[node.missing for node in nodes],
            set_start=np.cumsum([0, *(len(node.codes) for node in nodes)]),
            set_values=[code for node in nodes for code in node.codes],
            weight_start=np.cumsum([0, *(len(node.weights) for node in nodes)]),
            weight_features=[feature for node in nodes for feature, _, _ in node.weights],
            weight_values=[weight for node in nodes for _, _, weight in node.weights],
            weight_codes=[code for node in nodes for _, code, _ in node.weights],
            counts=np.array([node.counts for node in nodes]),
            bags=np.array([nodes[0].counts, *(node.bag for node in nodes[1:])]),
        )
        check_tree(tree)
        return tree

    def _test(
        self,
        kind: Kind,
        children: Sequence[int],
        *,
        missing: int = -1,
        counts: Iterable[float] | None = None,
        bag: Iterable[float] | None = None,
        **parts: Any,
    ) -> int:
        below = [self._nodes[self._known(child)] for child in children]
        if not below:
            raise ValueError("children must name at least one node, got none.")
        held = np.sum([node.bag for node in below], axis=0) if counts is None else self._weights(counts)
        for child in children:
            if child in self._has_parent:
                raise ValueError(f"children must not have another parent already, but node {child} has one.")
            self._has_parent.add(child)
        into = held if bag is None else self._weights(bag)
        return self._added(_Node(kind, held, into, children=tuple(children), missing=int(missing), **parts))

    def _added(self, node: _Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _known(self, node: int) -> int:
        if not 0 <= node < len(self._nodes):
            raise ValueError(f"a node must be one of the {len(self._nodes)} made so far, got {node}.")
        return int(node)

    def _weights(self, counts: Iterable[float]) -> np.ndarray:
        weights = np.array(counts if isinstance(counts, np.ndarray) else list(counts), dtype=np.float64)
        if weights.shape != (len(self.classes),):
            raise ValueError(f"counts must hold one weight for each of the {len(self.classes)} classes, got {counts}.")
        return weights

    def _term(self, about: Any) -> tuple[int, int]:
        """The feature of a term and the code of its value; -1 for a number."""
        if not isinstance(about, tuple):
            return self._index(about), -1
        if len(about) != 2:
            raise ValueError(f"weights must be of a feature, or of a nominal feature and a value, got {about!r}.")
        feature, value = about
        index = self._index(feature)
        declared = self.columns[index].values or ()
        if isinstance(value, str) and value not in declared:
            raise ValueError(f"values must be among those of {self.columns[index].name!r}, got {value!r}.")
        return index, declared.index(value) if isinstance(value, str) else operator.index(value)

    def _index(self, feature: str | int) -> int:
        if not isinstance(feature, str):
            return int(feature)
        if feature not in self._positions:
            raise ValueError(f"feature must be one of {', '.join(self._positions)}, got {feature!r}.")
        return self._positions[feature]
