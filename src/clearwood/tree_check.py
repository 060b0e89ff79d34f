"""Check that a tree's arrays form one sound tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clearwood.conditions import Kind

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["check_tree"]


def check_tree(tree: Tree) -> None:
    """Raise ValueError, naming the field, unless every node is reached once and makes a test that its feature allows.

    Every check is one pass over whole arrays, so a forged tree costs no more than a sound one.

    Examples
    --------
    >>> from clearwood.tree import Tree
    >>> leaf = Tree(columns=[], classes=["a", "b"], kind=[0], feature=[-1], threshold=[float("nan")],
    ...             first_child=[-1], n_children=[0], empty=[False], counts=[[3, 4]])
    >>> check_tree(leaf)
    """
    _check_shapes(tree)
    _check_names(tree)
    _check_tests(tree)
    _check_sets(tree)
    _check_planes(tree)
    _check_children(tree)
    _check_weights(tree)
    _check_costs(tree)


def _refuse_where(bad: np.ndarray, field: str, values: np.ndarray, demand: str) -> None:
    if bad.any():
        node = int(np.argmax(bad))
        raise ValueError(f"{field} must {demand}, got {values[node]!s} at node {node}.")


def _check_shapes(tree: Tree) -> None:
    n_nodes = len(tree.kind)
    if n_nodes == 0:
        raise ValueError("kind must hold at least one node, got none.")
    if not tree.classes:
        raise ValueError("classes must hold at least one class, got none.")
    table = (n_nodes, len(tree.classes))
    shapes = {"set_start": (n_nodes + 1,), "weight_start": (n_nodes + 1,), "counts": table, "bags": table}
    shapes |= {"set_values": (tree.set_values.size,)}
    shapes |= dict.fromkeys(("weight_features", "weight_values", "weight_codes"), (tree.weight_values.size,))
    plain = ("kind", "feature", "threshold", "first_child", "n_children", "empty", "missing")
    for field in (*plain, *shapes):
        wanted = shapes.get(field, (n_nodes,))
        shape = getattr(tree, field).shape
        if shape != wanted:
            raise ValueError(f"{field} must have the shape {wanted}, got {shape}.")


def _check_names(tree: Tree) -> None:
    for field, what in (
        ("columns", [column.name for column in tree.columns]),
        ("classes", list(tree.classes)),
        *((f"values of column {column.name!r}", list(column.declared or ())) for column in tree.columns),
    ):
        if len(set(what)) < len(what):
            seen: set[object] = set()
            twice = next(name for name in what if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise ValueError(f"{field} must differ from one another, but {twice!r} occurs more than once.")


def _check_tests(tree: Tree) -> None:
    kind, feature = tree.kind, tree.feature
    leaf = kind == Kind.LEAF
    linear = kind == Kind.LINEAR
    _refuse_where((kind < Kind.LEAF) | (kind > Kind.LINEAR), "kind", kind, f"be 0 to {int(Kind.LINEAR)}")
    _refuse_where(leaf & (feature != -1), "feature", feature, "be -1 for a leaf")
    _refuse_where(linear & (feature != -1), "feature", feature, "be -1 for a linear test")
    outside = ~leaf & ~linear & ((feature < 0) | (feature >= len(tree.columns)))
    _refuse_where(outside, "feature", feature, f"be the index of one of the {len(tree.columns)} columns")
    # the feature of leaves and planes, -1, picks the item put last
    n_values = np.array([column.n_values for column in tree.columns] + [0], dtype=np.int64)[feature]
    nominal = np.array([column.is_nominal for column in tree.columns] + [False])[feature]
    _refuse_where((kind == Kind.THRESHOLD) & nominal, "feature", feature, "be a numeric column for a threshold")
    of_values = (kind == Kind.BRANCHES) | (kind == Kind.SUBSET)
    _refuse_where(of_values & ~nominal, "feature", feature, "be a nominal column for a test of values")
    finite = np.isfinite(tree.threshold)
    cuts = (kind == Kind.THRESHOLD) | linear
    _refuse_where(cuts & ~finite, "threshold", tree.threshold, "be a finite number")
    unused = ~cuts & ~np.isnan(tree.threshold)
    _refuse_where(unused, "threshold", tree.threshold, "be absent where the test has none")
    wanted = np.select([leaf, kind == Kind.BRANCHES], [0, n_values], 2)
    bad = (tree.n_children != wanted) | (~leaf & (wanted < 1))
    _refuse_where(bad, "n_children", tree.n_children, "be 0 for a leaf, the number of values for branches, else 2")
    stray = (tree.missing < -1) | (tree.missing >= np.maximum(tree.n_children, 0))
    _refuse_where(stray, "missing", tree.missing, "be the number of a branch of the node, or -1")


def _check_sets(tree: Tree) -> None:
    start, values = tree.set_start.astype(np.int64), tree.set_values
    size = np.diff(start)
    if start[0] != 0 or start[-1] != len(values) or (size < 0).any():
        raise ValueError(f"set_start must rise from 0 to the {len(values)} set values.")
    subset = tree.kind == Kind.SUBSET
    _refuse_where(subset & (size == 0), "sets", size, "hold at least one value for a subset test")
    _refuse_where(~subset & (size > 0), "sets", size, "be absent where the test is not a subset")
    owner = np.repeat(np.arange(tree.n_nodes), size)
    declared = np.array([column.n_values for column in tree.columns] + [0], dtype=np.int64)[tree.feature[owner]]
    if ((values < 0) | (values >= declared)).any():
        node = int(owner[np.argmax((values < 0) | (values >= declared))])
        raise ValueError(f"sets must hold codes of the column's declared values, which those of node {node} do not.")
    unordered = (np.diff(values.astype(np.int64)) <= 0) & (np.diff(owner) == 0)
    if unordered.any():
        node = int(owner[np.argmax(unordered)])
        raise ValueError(f"sets must hold different codes in ascending order, which that of node {node} does not.")


def _check_planes(tree: Tree) -> None:
    start, features, weights = tree.weight_start.astype(np.int64), tree.weight_features, tree.weight_values
    size = np.diff(start)
    if start[0] != 0 or start[-1] != len(weights) or (size < 0).any():
        raise ValueError(f"weight_start must rise from 0 to the {len(weights)} weights.")
    linear = tree.kind == Kind.LINEAR
    _refuse_where(linear & (size == 0), "weights", size, "hold at least one weight for a linear test")
    _refuse_where(~linear & (size > 0), "weights", size, "be absent where the test is not linear")
    owner = np.repeat(np.arange(tree.n_nodes), size)
    codes = tree.weight_codes
    numeric = np.array([not column.is_nominal for column in tree.columns] + [False])
    n_values = np.array([column.n_values for column in tree.columns] + [0], dtype=np.int64)
    place = np.where((features >= 0) & (features < len(tree.columns)), features, len(tree.columns))
    of_number, of_value = numeric[place] & (codes == -1), ~numeric[place] & (codes >= 0) & (codes < n_values[place])
    for bad, demand in (
        (~of_number & ~of_value, "be those of numeric columns, or of declared values of nominal ones"),
        (~np.isfinite(weights) | (weights == 0), "be finite and not 0"),
    ):
        if bad.any():
            raise ValueError(f"weights must {demand}, which those of node {owner[np.argmax(bad)]} are not.")
    order = np.lexsort((codes, features, owner))
    twice = (np.diff(features[order]) == 0) & (np.diff(owner[order]) == 0) & (np.diff(codes[order]) == 0)
    if twice.any():
        node = int(owner[order][np.argmax(twice)])
        raise ValueError(f"weights must be of different columns or values, which those of node {node} are not.")


def _check_children(tree: Tree) -> None:
    inner = np.flatnonzero(tree.kind != Kind.LEAF)
    first = tree.first_child.astype(np.int64)
    late = np.zeros(tree.n_nodes, dtype=bool)
    late[inner] = first[inner] <= inner
    _refuse_where(late, "first_child", first, "come after its parent")
    # blocks in order must tile the nodes from 1 on: then each has one parent, before it, and no cycle is possible
    order = inner[np.argsort(first[inner], kind="stable")]
    end = first[order] + tree.n_children[order]
    expected = np.concatenate([[1], end])
    begins = np.concatenate([first[order], [tree.n_nodes]])
    if (begins != expected).any():
        at = int(np.argmax(begins != expected))
        if begins[at] < expected[at]:
            what = "more than one parent" if begins[at] < tree.n_nodes else "no place in the file"
            node = int(begins[at])
        else:
            what, node = "no parent", int(expected[at])
        raise ValueError(f"first_child must give each node but the root one parent, but node {node} has {what}.")
    _refuse_where(tree.empty & (tree.kind != Kind.LEAF), "empty", tree.empty, "be true for leaves only")
    if tree.empty[0]:
        raise ValueError("empty must be false for the root: a tree without training rows has nothing to predict.")


def _check_costs(tree: Tree) -> None:
    costs = tree.costs
    if costs is None:
        return
    if costs.shape != (tree.n_classes, tree.n_classes):
        raise ValueError(f"costs must have {tree.n_classes} rows and columns, one for each class, got {costs.shape}.")
    if not np.isfinite(costs).all() or not np.isfinite(costs.max() - costs.min()):
        raise ValueError("costs must be finite.")
    own = np.diag(costs)[:, None]
    if not (costs >= own).all() or not (costs > own).any():
        raise ValueError("costs must be least for the true class of each row, and some error must cost something.")


def _check_weights(tree: Tree) -> None:
    for field in ("counts", "bags"):
        weights: np.ndarray = getattr(tree, field)
        with np.errstate(over="ignore", invalid="ignore"):
            total = weights.sum(axis=1)
        bad = ~np.isfinite(total) | (weights < 0).any(axis=1)
        if bad.any():
            node = int(np.argmax(bad))
            raise ValueError(f"{field} must be finite and not negative, in sum too; those of node {node} are not.")
        if not total[0] > 0:
            raise ValueError(f"{field} must hold some weight at the root, got none.")
    # an empty leaf gets no share of a row without a value, so that what it held would be lost
    _refuse_where(tree.empty & (tree.bags.sum(axis=1) > 1e-6), "empty", tree.empty, "be false for a leaf with weight")
    # such a row is shared out by the weights of the branches, so one of them must have some
    given = np.where(tree.empty, 0.0, tree.bags.sum(axis=1))
    below = np.bincount(tree.parent[1:], given[1:], minlength=tree.n_nodes)
    bare = (tree.kind != Kind.LEAF) & (tree.missing < 0) & ~(below > 0)
    _refuse_where(bare, "bags", below, "hold some weight in a branch of each test")
    held = tree.counts.sum(axis=1)
    orphans = tree.empty & (tree.parent >= 0)
    held[orphans] = held[tree.parent[orphans]]
    silent = (tree.kind == Kind.LEAF) & ~(held > 0)
    _refuse_where(silent, "counts", held, "hold some weight at each leaf, or at the parent of an empty one")
