"""Cost-complexity pruning by definition: the subtrees that are best for some price of a leaf."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from clearwood.kernels.common.codes import TestKind

TIE = 1e-12


def weakest_links(tree: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The sequence of subtrees that weakest-link cutting goes through.

    R(t) is the weight that node t misclassifies as a share of all weight. At each step every inner node with
    the smallest g(t) = (R(t) - R(T_t)) / (leaves of T_t - 1) becomes a leaf. The first subtree is the smallest
    that errs as the whole tree does, the last is the root alone.

    Returns
    -------
    alphas : array
        For each subtree the price of a leaf from which it is the best; ascending, the first 0.
    sizes : array of int
        How many leaves each subtree has.
    masks : array of bool, (subtrees, nodes)
        Which nodes each subtree keeps.
    """
    risk = node_risks(tree)
    cut: set[int] = set()
    alpha = 0.0
    alphas, sizes, masks = [], [], []
    while True:
        links = {t: _link(tree, risk, t, cut) for t in _inner(tree, cut)}
        while links and min(links.values()) <= alpha + TIE:
            weakest = min(links.values())
            cut |= {t for t, g in links.items() if g <= weakest + TIE}
            links = {t: _link(tree, risk, t, cut) for t in _inner(tree, cut)}
        kept = _kept(tree, cut)
        alphas.append(alpha)
        sizes.append(sum(node in cut or tree.kind[node] == TestKind.LEAF for node in kept))
        masks.append([node in kept for node in range(len(tree.kind))])
        if not links:
            return np.array(alphas), np.array(sizes), np.array(masks)
        alpha = min(links.values())


def all_prunings(tree: Any) -> list[tuple[float, int]]:
    """Risk and number of leaves of every subtree with the same root: for small trees, to check against."""
    risk = node_risks(tree)

    def below(node: int) -> list[tuple[float, int]]:
        ways = [(float(risk[node]), 1)]
        if tree.kind[node] != TestKind.LEAF:
            for choice in product(*(below(child) for child in _children(tree, node))):
                ways.append((sum(r for r, _ in choice), sum(n for _, n in choice)))
        return ways

    return below(0)


def node_risks(tree: Any) -> np.ndarray:
    """R(t) of every node."""
    total = tree.counts[0].sum()
    errors = tree.counts.sum(axis=1) - tree.counts.max(axis=1)
    risks: np.ndarray = errors / total if total else errors
    return risks


def _children(tree: Any, node: int) -> range:
    first = int(tree.first_child[node])
    return range(first, first + int(tree.n_children[node]))


def _kept(tree: Any, cut: set[int], node: int = 0) -> list[int]:
    if node in cut or tree.kind[node] == TestKind.LEAF:
        return [node]
    return [node, *(kept for child in _children(tree, node) for kept in _kept(tree, cut, child))]


def _inner(tree: Any, cut: set[int]) -> list[int]:
    return [node for node in _kept(tree, cut) if node not in cut and tree.kind[node] != TestKind.LEAF]


def _link(tree: Any, risk: np.ndarray, node: int, cut: set[int]) -> float:
    """g(t) in the tree as cut so far."""
    leaves = [t for t in _kept(tree, cut, node) if t in cut or tree.kind[t] == TestKind.LEAF]
    return float((risk[node] - sum(risk[t] for t in leaves)) / (len(leaves) - 1))
