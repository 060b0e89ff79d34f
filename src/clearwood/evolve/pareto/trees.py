"""Trees: the kernels' genes as Tree values, and trees of any learner as genes."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.conditions import Kind
from clearwood.evolve.pareto.bits import Bits
from clearwood.kernels.pareto.evaluator import Evaluator
from clearwood.kernels.pareto.gene import GENE
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

__all__ = ["genes_of", "leaf_tree", "tree_of"]

LEARNER = "Pareto"


def leaf_tree(table: Table, labels: tuple[Any, ...]) -> Tree:
    """The tree of one leaf."""
    assert table.target is not None
    build = TreeBuilder(table.columns, labels, target=table.target.name, learner=LEARNER)
    return build.build(build.leaf(np.bincount(table.y, table.weights, minlength=len(table.classes))))


def tree_of(genes: np.ndarray, bits: Bits, evaluator: Evaluator, table: Table, labels: tuple[Any, ...]) -> Tree:
    """The tree that genes, in pre-order, stand for.

    A row without the tested value takes the branch that was learned; where no training row of the node lacked it, the
    branch that more rows took; and where no training row lacks it at all, it is shared out. A leaf whose evolved class
    is not its most frequent one counts all its weight for that class; its bag keeps what it holds.
    """
    assert table.target is not None
    weights, lacks = evaluator.class_weights(genes)
    columns, tests, masks, sizes = (genes[name].tolist() for name in ("column", "test", "mask", "size"))
    heavier, branch = weights.sum(axis=1).tolist(), genes["missing"].tolist()
    order, first_child, kind = [0], [], []
    threshold, missing = np.full(sizes[0], np.nan), np.full(sizes[0], -1, dtype=np.int32)
    set_start, set_values = [0], []
    for place, node in enumerate(order):  # level by level: the order grows while it is walked
        column = columns[node]
        first_child.append(len(order) if column >= 0 else -1)
        kind.append(Kind.LEAF)
        if column >= 0:
            left = node + 1
            right = left + sizes[left]
            order += [left, right]
            if bits.has_missing[column]:
                missing[place] = branch[node] if lacks[node] else int(heavier[right] > heavier[left])
            if table.columns[column].is_nominal:
                kind[place] = Kind.SUBSET
                set_values += sorted(bits.codes(column, tests[node], masks[node]))
            else:
                kind[place], threshold[place] = Kind.THRESHOLD, bits.threshold(column, tests[node])
        set_start.append(len(set_values))
    bags = (weights / bits.scale)[order]
    counts, leaf = bags.copy(), np.array(kind) == Kind.LEAF
    for place in np.flatnonzero(leaf).tolist():
        label = int(genes["label"][order[place]])
        if counts[place, label] < counts[place].max():
            counts[place] = np.where(np.arange(len(labels)) == label, counts[place].sum(), 0.0)
    return Tree(
        columns=table.columns,
        classes=labels,
        target=table.target.name,
        learner=LEARNER,
        kind=kind,
        feature=genes["column"][order],
        threshold=threshold,
        first_child=first_child,
        n_children=np.where(leaf, 0, 2),
        empty=leaf & ~counts.any(axis=1),
        missing=missing,
        set_start=set_start,
        set_values=set_values,
        counts=counts,
        bags=np.concatenate([counts[:1], bags[1:]]),
    )


def genes_of(
    tree: Tree, bits: Bits, table: Table, max_leaves: int, inner: list[int] | None = None
) -> np.ndarray | None:
    """A tree of any learner as genes, cut to ``max_leaves``; None if it tests nothing that splits the table's rows.

    A branch for each value becomes a chain of value tests, and a threshold the cut that parts the table's rows in the
    same way. Hyper-planes cannot be expressed. ``inner`` are the inner nodes to keep, parents first; by default those
    with most rows.
    """
    if (tree.kind == Kind.LINEAR).any():
        raise ValueError("seeds must test one feature at each node; a tree with hyper-planes cannot enter.")
    if inner is None:
        inner = [node for node in tree.walk() if not tree.is_leaf(node)]
        inner.sort(key=lambda node: (-float(tree.counts[node].sum()), int(tree.node_depth[node]), node))
    n = min(len(inner), max_leaves - 1)  # parents come before children: a tree of their own
    genes = _genes_at(tree, 0, bits, table, set(inner[:n]))
    while len(genes) > 2 * max_leaves - 1:  # chains of values have leaves of their own
        n -= 1
        genes = _genes_at(tree, 0, bits, table, set(inner[:n]))
    return np.array(genes, dtype=GENE) if len(genes) > 1 else None


def _genes_at(tree: Tree, node: int, bits: Bits, table: Table, keep: set[int]) -> list[tuple[int, ...]]:
    if tree.is_leaf(node) or node not in keep:
        return [_leaf(int(tree.leaf_class[node]))]
    column = table.index(tree.columns[int(tree.feature[node])].name)
    parts = [_genes_at(tree, child, bits, table, keep) for child in tree.children(node)]
    direction = int(tree.missing[node])
    largest = int(np.argmax(tree.bags[tree.children(node)].sum(axis=1)))
    if tree.kind[node] == Kind.THRESHOLD:
        test = bits.cut_at(column, float(tree.threshold[node]))
        if not isinstance(test, int):  # all rows lie on one side
            return parts[0 if test == "above" else 1]
        return _join(column, test, 0, direction if direction >= 0 else largest, parts[0], parts[1])
    declared = {value: code for code, value in enumerate(table.columns[column].values or ())}
    names = tree.columns[int(tree.feature[node])].values or ()
    if tree.kind[node] == Kind.SUBSET:
        codes = {declared[names[code]] for code in tree.subset(node) if names[code] in declared}
        test, mask = bits.set_of(column, codes)
        if test < 0 and mask == 0:
            return parts[1]
        return _join(column, test, mask, direction if direction >= 0 else largest, parts[0], parts[1])
    wanted = direction if direction >= 0 else largest
    order = sorted((v for v in range(len(names)) if names[v] in declared), key=lambda v: (v == wanted, v))
    if not order:
        return parts[largest]
    genes = parts[order[-1]]  # the last link takes the rest, and with it the rows without a value
    for value in reversed(order[:-1]):
        test = bits.value_test(column, declared[names[value]])
        if test >= 0:
            genes = _join(column, test, 0, 1, parts[value], genes)
    return genes


def _leaf(label: int) -> tuple[int, ...]:
    return (0, 0, 0, -1, -1, label, 1, 0, 0)


def _join(
    column: int, test: int, mask: int, missing: int, left: list[tuple[int, ...]], right: list[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    return [(mask, 0, 0, column, test, 0, 1 + len(left) + len(right), missing, 0), *left, *right]
