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
    counts = np.bincount(table.y, table.weights, minlength=len(table.classes))
    build = _builder(table, labels)
    return build.build(build.leaf(counts))


def _builder(table: Table, labels: tuple[Any, ...]) -> TreeBuilder:
    assert table.target is not None
    return TreeBuilder(table.columns, labels, target=table.target.name, learner=LEARNER)


def tree_of(genes: np.ndarray, bits: Bits, evaluator: Evaluator, table: Table, labels: tuple[Any, ...]) -> Tree:
    """The tree that genes, in pre-order, stand for.

    A row without the tested value takes the branch that was learned; where no training row of the node lacked it, the
    branch that more rows took; and where no training row lacks it at all, it is shared out. A leaf whose evolved class
    is not its most frequent one counts all its weight for that class; its bag keeps what it holds.
    """
    weights, lacks = evaluator.class_weights(genes)
    counts = weights / bits.scale
    build = _builder(table, labels)
    columns, tests, masks, sizes = (genes[name].tolist() for name in ("column", "test", "mask", "size"))
    label, branch = genes["label"].tolist(), genes["missing"].tolist()
    numbers = [0] * len(genes)
    for node in range(sizes[0] - 1, -1, -1):
        column, test = columns[node], tests[node]
        if column < 0:
            held = counts[node]
            if held.argmax() != label[node] and held[label[node]] < held.max():
                said = np.zeros_like(held)
                said[label[node]] = held.sum()
                numbers[node] = build.leaf(said, bag=held)
            else:
                numbers[node] = build.leaf(held)
            continue
        left = node + 1
        right = left + sizes[left]
        missing = -1
        if bits.has_missing[column]:
            missing = branch[node] if lacks[node] else int(weights[right].sum() > weights[left].sum())
        children = [numbers[left], numbers[right]]
        more = {"missing": missing, "counts": counts[node], "bag": counts[node]}
        if table.columns[column].is_nominal:
            numbers[node] = build.subset(column, bits.codes(column, test, masks[node]), children, **more)
        else:
            numbers[node] = build.threshold(column, bits.threshold(column, test), children, **more)
    return build.build(numbers[0])


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
