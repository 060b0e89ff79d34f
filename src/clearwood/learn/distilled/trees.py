"""Trees: what the search has found, as Trees in the user's units."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.distil.search_tree import SearchTree
from clearwood.learn.coded_cells import CodedCells, add_set
from clearwood.learn.distilled.value_terms import ValueTerms
from clearwood.learn.planes import add_plane, in_user_units
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

__all__ = ["found_tree", "single_leaf"]


def single_leaf(table: Table, labels: tuple[Any, ...], learner: str) -> Tree:
    """A tree that always says the most common class."""
    build = _builder(table, labels, learner)
    return build.build(build.leaf(np.bincount(table.y, table.weights, minlength=len(labels))))


def found_tree(
    search: SearchTree,
    cells: CodedCells,
    table: Table,
    labels: tuple[Any, ...],
    learner: str,
    terms: ValueTerms | None = None,
) -> Tree:
    """The tree of a search; the table is what its real rows came from, and the terms what its planes might weigh.

    A leaf has the weight of its real rows, shared out over the classes as their targets are.
    """
    nodes = search.arrays()
    build = _builder(table, labels, learner)
    numbers = [i for i, column in enumerate(table.columns) if not column.is_nominal]
    names = [i for i, column in enumerate(table.columns) if column.is_nominal]
    about: list[Any] = [*numbers]
    if terms is not None:
        about += [(names[column], code) for column, code in zip(*map(np.ndarray.tolist, terms), strict=True)]
    (middle, spread), weighed = search.data.scales(), search.data.real_cells()
    gaps = np.isnan(weighed).any(axis=1)  # where there are none, rows that lack the number are shared out
    made: list[int] = [0] * len(nodes["kind"])
    for node in range(len(made) - 1, -1, -1):
        kind = nodes["kind"][node]
        if kind == TestKind.LEAF:
            made[node] = build.leaf(_leaf_counts(search, node, nodes, table))
            continue
        children = [made[nodes["left"][node]], made[nodes["right"][node]]]
        missing = 0 if nodes["missing_left"][node] else 1
        feature, cut = int(nodes["feature"][node]), float(nodes["threshold"][node])
        if kind == TestKind.THRESHOLD:
            missing = missing if gaps[feature] else -1
            made[node] = build.threshold(numbers[feature], cut, children, missing=missing)
        elif kind == TestKind.SUBSET:
            made[node] = add_set(build, names[feature], nodes["in_set"][node], cells.rare[feature], children)
        else:
            own = slice(int(nodes["n_terms"][node]))
            features, weights = nodes["term_feature"][node][own], nodes["term_weight"][node][own]
            standard = np.zeros(len(about))
            standard[features] = weights * spread[features]
            plane = in_user_units(
                standard, cut - float(np.sum(weights * middle[features])), middle, spread, weighed,
                search.real_rows_at(node),
            )  # fmt: skip
            made[node] = add_plane(build, plane, about, children, missing if gaps[features].any() else -1)
    return build.build(made[0])


def _leaf_counts(search: SearchTree, node: int, nodes: dict[str, Any], table: Table) -> np.ndarray:
    """The class weights of a leaf; those of its synthetic rows only where they have decided its class."""
    rows = search.real_rows_at(node)
    counts = search.data.target_sum(rows)
    if int(np.argmax(counts)) != nodes["label"][node]:
        counts = nodes["probability"][node]
    shared: np.ndarray = counts * (table.weights[rows].sum() / counts.sum())
    return shared


def _builder(table: Table, labels: tuple[Any, ...], learner: str) -> TreeBuilder:
    target = "class" if table.target is None else table.target.name
    return TreeBuilder(table.columns, labels, target=target, learner=learner)
