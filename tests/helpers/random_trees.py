"""Random trees: sound trees made from random arrays, and random tables that try their thresholds and gaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from clearwood.conditions import Kind
from clearwood.table import Column, Table
from clearwood.tree import Tree

__all__ = ["random_columns", "random_costs", "random_table", "random_tree", "trees_with_tables"]


def random_columns(rng: np.random.Generator, n_columns: int = 5, n_values: int = 6) -> list[Column]:
    """Numeric and nominal columns in turn, at random, with 1 to ``n_values`` declared values."""
    columns = []
    for i in range(n_columns):
        size = int(rng.integers(1, n_values + 1))
        columns.append(Column(f"x{i}", tuple(f"v{v}" for v in range(size)) if rng.random() < 0.5 else None))
    return columns


def random_tree(
    rng: np.random.Generator,
    n_leaves: int = 8,
    columns: Sequence[Column] | None = None,
    n_classes: int = 3,
    *,
    shape: str = "bushy",
    laplace: bool = False,
    empty: float = 0.1,
    linear: float = 0.25,
    nominal_terms: float = 0.0,
    directed: float = 0.3,
    **names: Any,
) -> Tree:
    """A sound tree with about ``n_leaves`` leaves (a test with many branches may overshoot).

    Parameters
    ----------
    shape : str
        ``"bushy"`` splits a random leaf each time, ``"chain"`` always the newest, so that depth is about n_leaves.
    empty : float
        The share of leaves without training rows; at least one child of each node is not empty.
    linear : float
        The share of hyper-planes among the tests of numeric columns; some of them recur with other thresholds.
    nominal_terms : float
        How likely hyper-planes are to ask for values of nominal columns; at 0 none does, else some ask for nothing but
        values.
    directed : float
        The share of tests with a branch for missing values.
    names : classes, target, learner
        Handed to Tree; by default the classes are ``c0``, ``c1`` ….
    """
    columns = random_columns(rng) if columns is None else list(columns)
    kind, feature, threshold, first_child, n_children = [0], [-1], [math.nan], [-1], [0]
    sets: list[list[int]] = [[]]
    planes: dict[int, dict[tuple[int, int], float]] = {}
    leaves = [0]
    can_branch = any(not column.is_nominal or column.n_values > 1 for column in columns)  # else no end
    while len(leaves) < n_leaves and can_branch:
        node = leaves.pop(-1 if shape == "chain" else int(rng.integers(len(leaves))))
        kind[node], feature[node], threshold[node], sets[node], branches = _random_test(rng, columns)
        fits = kind[node] == Kind.THRESHOLD or (nominal_terms and rng.random() < nominal_terms)
        if fits and linear and rng.random() < linear:
            sets[node], branches = [], 2
            cut = threshold[node] if kind[node] == Kind.THRESHOLD else float(rng.normal())
            kind[node], feature[node] = Kind.LINEAR, -1
            known = list(planes.values())
            again = known and rng.random() < 0.3
            plane = planes[node] = (
                known[rng.integers(len(known))] if again else _random_plane(rng, columns, nominal_terms)
            )
            threshold[node] = _sum_of_values(rng, plane) if all(code >= 0 for _, code in plane) else cut
        first_child[node], n_children[node] = len(kind), branches
        new = list(range(len(kind), len(kind) + branches))
        for _ in new:
            kind.append(0), feature.append(-1), threshold.append(math.nan), sets.append([])
            first_child.append(-1), n_children.append(0)
        leaves += [int(leaf) for leaf in rng.permutation(new)]
    flags, counts, bags = _random_weights(rng, kind, first_child, n_children, n_classes, empty)
    names.setdefault("classes", [f"c{i}" for i in range(n_classes)])
    missing = [rng.integers(max(n, 1)) if n and directed and rng.random() < directed else -1 for n in n_children]
    terms = [planes.get(node, {}) for node in range(len(kind))]
    return Tree(
        columns=columns,
        laplace=laplace,
        kind=kind,
        feature=feature,
        threshold=threshold,
        first_child=first_child,
        n_children=n_children,
        set_start=np.cumsum([0] + [len(codes) for codes in sets]),
        set_values=[code for codes in sets for code in codes],
        missing=missing,
        weight_start=np.cumsum([0] + [len(plane) for plane in terms]),
        weight_features=[f for plane in terms for f, _ in plane],
        weight_codes=[code for plane in terms for _, code in plane],
        weight_values=[w for plane in terms for w in plane.values()],
        empty=flags,
        counts=counts,
        bags=bags,
        **names,
    )


def _random_test(rng: np.random.Generator, columns: Sequence[Column]) -> tuple[int, int, float, list[int], int]:
    """A test of a random column: kind, feature, threshold, set and number of branches."""
    i = int(rng.integers(len(columns)))
    column = columns[i]
    if not column.is_nominal:
        cut = rng.normal() if rng.random() < 0.5 else rng.integers(-20, 20) / 10  # full digits, or few and repeated
        return Kind.THRESHOLD, i, float(cut), [], 2
    if column.n_values < 2 or rng.random() < 0.5:
        return Kind.BRANCHES, i, math.nan, [], column.n_values
    inside = rng.choice(column.n_values, size=int(rng.integers(1, column.n_values)), replace=False)
    return Kind.SUBSET, i, math.nan, sorted(int(code) for code in inside), 2


def _random_plane(
    rng: np.random.Generator, columns: Sequence[Column], nominal_terms: float
) -> dict[tuple[int, int], float]:
    """Terms in random order, each a column and the code of a value or -1, with weights of full digits or of few."""
    numeric = [i for i, column in enumerate(columns) if not column.is_nominal]
    terms = []
    if numeric:
        chosen = rng.permutation(numeric)[: int(rng.integers(1, min(len(numeric), 4) + 1))]
        terms = [(int(f), -1) for f in chosen]
    if nominal_terms:
        values = [(i, code) for i, column in enumerate(columns) for code in range(column.n_values)]
        asked = [values[at] for at in rng.permutation(len(values))[: rng.binomial(4, nominal_terms)]]
        if (asked and rng.random() < 0.3) or not terms:
            terms = asked or values[:1]
        else:
            terms = [(terms + asked)[at] for at in rng.permutation(len(terms) + len(asked))]
    full = rng.random() < 0.5
    return {term: float(rng.normal() if full else rng.choice([-3, -1, -0.2, 0.25, 0.8, 1, 2])) for term in terms}


def _sum_of_values(rng: np.random.Generator, plane: dict[tuple[int, int], float]) -> float:
    """What a row can have as the sum of a plane that asks for nothing but values, so that it lies on the plane."""
    held = dict(list(plane)[at] for at in rng.permutation(len(plane)))  # a value of each column
    for feature in list(held):
        if rng.random() < 0.2:
            del held[feature]
    total = 0.0
    for (feature, code), weight in plane.items():
        total += weight if held.get(feature) == code else 0.0
    return total


def _random_weights(
    rng: np.random.Generator,
    kind: list[int],
    first_child: list[int],
    n_children: list[int],
    n_classes: int,
    empty: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Empty flags, counts and bags; an inner node's counts are the sum of its children's bags, as in a learned tree."""
    flags = np.zeros(len(kind), dtype=bool)
    counts = np.zeros((len(kind), n_classes))
    bags = np.zeros((len(kind), n_classes))
    for node in range(len(kind) - 1, -1, -1):
        children = np.arange(first_child[node], first_child[node] + n_children[node])
        if kind[node] != Kind.LEAF:
            leaves = [child for child in children if kind[child] == Kind.LEAF]
            spared = children[0] if len(leaves) == len(children) else -1
            for child in leaves:
                flags[child] = child != spared and rng.random() < empty
            counts[children] *= ~flags[children, None]
            blur = rng.uniform(0.9, 1.1, size=(len(children), 1)) if rng.random() < 0.3 else 1.0
            bags[children] = counts[children] * blur
            counts[node] = bags[children].sum(axis=0)
        elif rng.random() < 0.5:
            counts[node] = rng.integers(0, 6, size=n_classes) + np.eye(n_classes)[rng.integers(n_classes)]
        else:
            counts[node] = rng.random(n_classes) * 10
    bags[0] = counts[0]
    return flags, counts, bags


def random_table(
    rng: np.random.Generator,
    tree: Tree,
    n_rows: int = 50,
    *,
    missing: float = 0.15,
    on_thresholds: bool = True,
) -> Table:
    """Rows for a tree: numeric cells on its thresholds, next to them and elsewhere; nominal cells at random."""
    data: list[np.ndarray] = []
    for i, column in enumerate(tree.columns):
        gaps = rng.random(n_rows) < missing
        if column.is_nominal:
            codes = rng.integers(0, max(column.n_values, 1), size=n_rows) if column.n_values else np.full(n_rows, -1)
            data.append(np.where(gaps, -1, codes))
            continue
        cells = rng.normal(size=n_rows) * 1.5
        cuts = tree.threshold[(tree.feature == i) & (tree.kind == Kind.THRESHOLD)]
        if on_thresholds and len(cuts):
            near = rng.choice(cuts, size=n_rows)
            side = rng.choice([-np.inf, 0.0, np.inf], size=n_rows)
            near = np.where(side == 0, near, np.nextafter(near, side))
            cells = np.where(rng.random(n_rows) < 0.6, near, cells)
        data.append(np.where(gaps, np.nan, cells))
    if on_thresholds:
        _onto_planes(rng, tree, data)
    if not data:
        return Table.from_blocks((), np.empty((0, n_rows)), np.empty((0, n_rows), dtype=np.int32))
    return Table(tree.columns, data)


def _onto_planes(rng: np.random.Generator, tree: Tree, data: list[np.ndarray]) -> None:
    """Move the cells of some rows so that they lie on a hyper-plane, or as near as rounding allows."""
    for node in np.flatnonzero(tree.kind == Kind.LINEAR).tolist()[:10]:
        plane = tree.plane(node)
        rows = np.flatnonzero(rng.random(len(data[0])) < 0.3)
        if not plane.numbers:
            continue
        last = plane.features.index(plane.numbers[-1])
        rest = np.zeros(1)
        for term, (f, weight, code) in enumerate(zip(plane.features, plane.weights, plane.codes, strict=True)):
            if term != last:
                rest = rest + weight * (data[f][rows] if code < 0 else data[f][rows] == code)
        data[plane.features[last]][rows] = (tree.threshold[node] - rest) / plane.weights[last]


@st.composite
def trees_with_tables(draw: st.DrawFn, max_leaves: int = 40, n_rows: int = 60) -> tuple[Tree, Table]:
    """A random tree of any shape, and a table that tries it."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tree = random_tree(
        rng,
        draw(st.integers(1, max_leaves)),
        random_columns(rng, draw(st.integers(1, 6))),
        draw(st.integers(1, 5)),
        shape=draw(st.sampled_from(["bushy", "chain"])),
        laplace=draw(st.booleans()),
        empty=draw(st.sampled_from([0.0, 0.1, 0.6])),
        nominal_terms=draw(st.sampled_from([0.0, 0.5])),
    )
    return tree, random_table(rng, tree, n_rows, missing=draw(st.sampled_from([0.0, 0.1, 0.5])))


def random_costs(rng: np.random.Generator, n_classes: int) -> np.ndarray | None:
    """What errors cost: any number from 0 to 1, nothing for the true class; None where there is nothing to mistake."""
    if n_classes < 2:
        return None
    costs = rng.random((n_classes, n_classes))
    np.fill_diagonal(costs, 0.0)
    return costs
