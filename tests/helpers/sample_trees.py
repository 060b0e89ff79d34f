"""Sample trees: well-known ones made by hand, long chains, and random ones grown from random tables."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

import numpy as np

from clearwood.conditions import Kind
from clearwood.table import Column, Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

NAN = math.nan


def iris_tree() -> Tree:
    """The tree that J48 learns from iris with its default options: 5 leaves, 9 nodes."""
    names = ("sepallength", "sepalwidth", "petallength", "petalwidth")
    return Tree(
        columns=[Column(name) for name in names],
        classes=["Iris-setosa", "Iris-versicolor", "Iris-virginica"],
        learner="C4.5",
        kind=[1, 0, 1, 1, 0, 0, 1, 0, 0],
        feature=[3, -1, 3, 2, -1, -1, 3, -1, -1],
        threshold=[0.6, NAN, 1.7, 4.9, NAN, NAN, 1.5, NAN, NAN],
        first_child=[1, -1, 3, 5, -1, -1, 7, -1, -1],
        n_children=[2, 0, 2, 2, 0, 0, 2, 0, 0],
        empty=[False] * 9,
        counts=[
            [50, 50, 50],
            [50, 0, 0],
            [0, 50, 50],
            [0, 49, 5],
            [0, 1, 45],
            [0, 47, 1],
            [0, 2, 4],
            [0, 0, 3],
            [0, 2, 1],
        ],
    )


def weather_tree(**changes: Any) -> Tree:
    """The textbook tree for the weather data, with one more declared value of outlook, fog, that never occurs."""
    parts: dict[str, Any] = {
        "columns": [
            Column("outlook", ("sunny", "overcast", "rainy", "fog")),
            Column("temperature"),
            Column("humidity"),
            Column("windy", ("TRUE", "FALSE")),
        ],
        "classes": ["yes", "no"],
        "target": "play",
        "learner": "C4.5",
        "kind": [2, 1, 0, 2, 0, 0, 0, 0, 0],
        "feature": [0, 2, -1, 3, -1, -1, -1, -1, -1],
        "threshold": [NAN, 75, *[NAN] * 7],
        "first_child": [1, 5, -1, 7, -1, -1, -1, -1, -1],
        "n_children": [4, 2, 0, 2, 0, 0, 0, 0, 0],
        "empty": [False] * 4 + [True] + [False] * 4,
        "counts": [[9, 5], [2, 3], [4, 0], [3, 2], [0, 0], [2, 0], [0, 3], [0, 2], [3, 0]],
    }
    return Tree(**parts | changes)


def plane_tree(**changes: Any) -> Tree:
    """A hyper-plane whose missing values go on, and a test of values whose missing values go to the set."""
    parts: dict[str, Any] = {
        "columns": [Column("length"), Column("width"), Column("sky", ("sun", "rain", "fog"))],
        "classes": ["a", "b"],
        "learner": "linear",
        "kind": [Kind.LINEAR, 0, Kind.SUBSET, 0, 0],
        "feature": [-1, -1, 2, -1, -1],
        "threshold": [2.1, *[NAN] * 4],
        "first_child": [1, -1, 3, -1, -1],
        "n_children": [2, 0, 2, 0, 0],
        "empty": [False] * 5,
        "set_start": [0, 0, 0, 2, 2, 2],
        "set_values": [0, 2],
        "missing": [1, -1, 0, -1, -1],
        "weight_start": [0, 2, 2, 2, 2, 2],
        "weight_features": [1, 0],
        "weight_values": [0.8, -0.2],
        "counts": [[6, 6], [4, 1], [2, 5], [2, 1], [0, 4]],
    }
    return Tree(**parts | changes)


ODD_NAME = """it's "the <sky>"\n& 空 `x` \\ [b]; --"""


def asking_tree(missing: int = 1, **names: Any) -> Tree:
    """Hyper-planes that ask for values, of odd names: one beside a number, one of nothing else.

    The second has a sum of 0.1 + 0.2, which is above its threshold of 0.3 where doubles are added, and only there.
    """
    sky = Column(ODD_NAME, ('it\'s "fog"', "<b>&amp;\n\\", "sun", "霧; --"))
    build = TreeBuilder([Column("wind"), sky, Column("wet", ("True", "False"))], ["a", "b", "c"], **names)
    terms = {(ODD_NAME, "sun"): 0.1, ("wet", "True"): 0.2, (ODD_NAME, 'it\'s "fog"'): -1.5, ("wet", "False"): 0.25}
    below = build.linear(terms, 0.3, [build.leaf([1, 5, 1]), build.leaf([0, 1, 4])], missing=missing)
    terms = {(ODD_NAME, "<b>&amp;\n\\"): -2.0, 0: 0.1, (ODD_NAME, "霧; --"): 2.0, ("wet", "True"): -1.0}
    return build.build(build.linear(terms, 0.5, [build.leaf([6, 1, 0]), below], missing=missing))


def asking_table(tree: Tree) -> Table:
    """Every way in which a row can be for :func:`asking_tree`, on its planes and off, with any cell missing."""
    rows = [
        (x, sky, wet) for x in (-40.0, -15.0, 0.0, 5.0, 15.0, 25.0, NAN) for sky in range(-1, 4) for wet in (-1, 0, 1)
    ]
    return Table(tree.columns, [np.array(cells) for cells in zip(*rows, strict=True)])


def leaf_tree(counts: list[float], classes: list[Any], **changes: Any) -> Tree:
    """A tree that is a single leaf."""
    parts: dict[str, Any] = {"columns": [Column("age")], "kind": [0], "feature": [-1], "threshold": [NAN]}
    parts |= {"first_child": [-1], "n_children": [0], "empty": [False]}
    return Tree(classes=classes, counts=[counts], **parts | changes)


def stump(column: Column, leaves: list[list[float]], classes: list[Any] | None = None, **changes: Any) -> Tree:
    """One test, on a threshold of 0.5 or with a branch for each value, and a leaf for each list of class weights."""
    n = len(leaves)
    parts: dict[str, Any] = {
        "columns": [column],
        "classes": classes or [f"c{i}" for i in range(len(leaves[0]))],
        "kind": [Kind.BRANCHES if column.is_nominal else Kind.THRESHOLD] + [0] * n,
        "feature": [0] + [-1] * n,
        "threshold": [NAN if column.is_nominal else 0.5] + [NAN] * n,
        "first_child": [1] + [-1] * n,
        "n_children": [n] + [0] * n,
        "empty": [False] + [sum(weights) == 0 for weights in leaves],
        "counts": [np.sum(leaves, axis=0), *leaves],
    }
    return Tree(**parts | changes)


def chain(depth: int) -> Tree:
    """A tree as deep as it can be: every test cuts off one row, by two features in turn."""
    n = 2 * depth + 1
    inner = np.arange(0, n - 1, 2)  # 0, then 2, 4, … : the second child of each test goes on
    kind, feature, threshold = np.zeros(n), np.full(n, -1), np.full(n, NAN)
    first_child, n_children, counts = np.full(n, -1), np.zeros(n), np.zeros((n, 2))
    kind[inner], n_children[inner], first_child[inner] = Kind.THRESHOLD, 2, inner + 1
    feature[inner], threshold[inner] = np.arange(depth) % 2, np.arange(depth)
    for level in range(depth):
        left = depth + 1 - level
        counts[2 * level] = [left - left // 2, left // 2]
        counts[2 * level + 1] = [left % 2, (left + 1) % 2]
    counts[n - 1] = [1, 0]
    arrays = {"kind": kind, "feature": feature, "threshold": threshold}
    arrays |= {"first_child": first_child, "n_children": n_children}
    return Tree(columns=[Column("age"), Column("dose")], classes=["a", "b"], empty=np.zeros(n), counts=counts, **arrays)


def random_table(rng: np.random.Generator, n_rows: int = 40, missing: float = 0.15) -> Table:
    """Two numeric and three nominal columns, with ties and missing cells."""
    sizes = [0, 0, 2, 3, 5]
    columns = [Column(f"x{i}", tuple(f"v{v}" for v in range(size)) if size else None) for i, size in enumerate(sizes)]
    data: list[np.ndarray] = []
    for size in sizes:
        gaps = rng.random(n_rows) < missing
        if size:
            data.append(np.where(gaps, -1, rng.integers(0, size, n_rows)))
        else:
            data.append(np.where(gaps, NAN, rng.integers(-5, 6, n_rows) / 2))
    target = Column("class", ("a", "b", "c"))
    return Table(columns, data, target=target, y=rng.integers(0, 3, n_rows))


def random_tree(rng: np.random.Generator, table: Table, max_nodes: int = 40, **names: Any) -> Tree:
    """A tree with random tests of every kind and the class weights that the table's rows give them.

    Rows with a missing value take the node's branch for them or are shared out as in C4.5, so weights may be
    fractional and leaves may be empty.
    """
    n_classes = len(table.classes)
    one_hot = np.eye(n_classes)[table.y]
    kind, feature, threshold, first_child, n_children, empty, missing = [0], [-1], [NAN], [-1], [0], [False], [-1]
    sets: list[list[int]] = [[]]
    planes: list[dict[int, float]] = [{}]
    weights = [table.weights.astype(float)]
    queue = deque([0])
    while queue:
        node = queue.popleft()
        held = weights[node]
        if held.sum() < 2 or len(kind) > max_nodes or (node and rng.random() < 0.25):
            continue
        f = int(rng.integers(table.n_features))
        column, cells = table.columns[f], table.column(f)
        test, cut, inside, plane, n_branches = Kind.THRESHOLD, NAN, [], {}, 2
        if column.is_nominal:
            known, branch, n_branches = cells >= 0, cells, column.n_values
            test = Kind(int(rng.choice([Kind.BRANCHES, Kind.SUBSET])))
            if test == Kind.SUBSET:
                size, n_branches = int(rng.integers(1, column.n_values)), 2
                inside = sorted(rng.choice(column.n_values, size, replace=False).tolist())
                branch = (~np.isin(cells, inside)).astype(int)
        else:
            cut = float(rng.integers(-5, 6) / 2)
            if rng.random() < 0.4:
                test, plane = Kind.LINEAR, {1: 0.5, 0: -2.0} if rng.random() < 0.5 else {0: 0.1, 1: 3.0}
                cells = sum(w * table.column(i) for i, w in plane.items())
            known, branch = ~np.isnan(cells), (cells > cut).astype(int)
        total = held[known].sum()
        if total <= 0:
            continue
        kind[node], threshold[node], sets[node], planes[node] = int(test), cut, inside, plane
        feature[node] = -1 if test == Kind.LINEAR else f
        first_child[node], n_children[node] = len(kind), n_branches
        missing[node] = int(rng.integers(n_branches)) if rng.random() < 0.3 else -1
        for b in range(n_branches):
            here = known & (branch == b)
            share = held[here].sum() / total if missing[node] < 0 else float(missing[node] == b)
            weights.append(np.where(here, held, np.where(known, 0.0, held * share)))
            queue.append(len(kind))
            for values, value in ((kind, 0), (feature, -1), (threshold, NAN), (first_child, -1), (n_children, 0)):
                values.append(value)
            sets.append([]), planes.append({}), missing.append(-1)
            empty.append(bool(weights[-1].sum() <= 0))
    return Tree(
        **{"columns": table.columns, "classes": table.classes, "target": "class", "learner": "random"} | names,
        kind=kind, feature=feature, threshold=threshold, first_child=first_child, n_children=n_children, empty=empty,
        set_start=np.cumsum([0, *map(len, sets)]), set_values=[code for codes in sets for code in codes],
        missing=missing, weight_start=np.cumsum([0, *map(len, planes)]),
        weight_features=[i for plane in planes for i in plane],
        weight_values=[w for plane in planes for w in plane.values()],
        counts=np.array([w @ one_hot for w in weights]),
    )  # fmt: skip


def breadth_first(tree: Tree) -> Tree:
    """The same tree with its nodes numbered breadth first."""
    from clearwood.learn.weakest_links import prune_nodes

    return prune_nodes(tree, np.empty(0, dtype=np.intp))
