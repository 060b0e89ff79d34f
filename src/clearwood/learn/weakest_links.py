"""Weakest links: the subtrees of a tree that are best for some price of a leaf (minimal cost-complexity pruning)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clearwood.conditions import Kind
from clearwood.kernels.routing.weakest_links import price_links
from clearwood.tree import Tree

__all__ = ["Links", "cut_at", "cut_to_size", "links", "prune_nodes"]

_NOISE = 1e-12  # prices closer than this differ by rounding only; they are shares of all weight, so at most 1


class Links(NamedTuple):
    """The price of a leaf at which each node becomes one, and from which it is gone with an ancestor.

    A price is Breiman's alpha: misclassified weight, as a share of all weight, that a leaf less may cost. At alpha,
    the best subtree has as leaves the nodes with ``price <= alpha < gone``. Leaves have the price 0.
    """

    price: np.ndarray
    gone: np.ndarray

    @property
    def alphas(self) -> np.ndarray:
        """The prices at which the best subtree changes, ascending; the first is 0, the last leaves the root alone."""
        found: np.ndarray = np.unique(np.append(self.price[self.price < self.gone], 0.0))
        return found

    def steps(self, alphas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each node the alphas at which it is a leaf: from position ``begin`` to before ``end``."""
        begin = np.searchsorted(alphas, self.price).astype(np.int32)
        end = np.searchsorted(alphas, self.gone).astype(np.int32)
        return begin, np.maximum(begin, end)

    def totals(self, alphas: np.ndarray, of_node: np.ndarray) -> np.ndarray:
        """The sum of a figure over the leaves of the best subtree at each alpha."""
        begin, end = self.steps(alphas)
        change = np.zeros(len(alphas) + 1)
        np.add.at(change, begin, of_node)
        np.add.at(change, end, -of_node)
        totals: np.ndarray = np.cumsum(change[:-1])
        return totals


def links(tree: Tree, errors: np.ndarray | None = None) -> Links:
    """Price the links of a tree, whose nodes make these errors as leaves; without them, those of its class weights.

    >>> from sklearn.datasets import load_iris
    >>> from clearwood import CARTClassifier
    >>> tree = CARTClassifier(pruning=None, max_depth=2).fit(*load_iris(return_X_y=True)).tree_
    >>> tree.n_leaves, links(tree).alphas.round(3).tolist()
    (3, [0.0, 0.293, 0.333])
    """
    errors = node_errors(tree.counts) if errors is None else errors
    price, gone = price_links(tree.kind, tree.first_child, tree.n_children, errors)
    total = tree.counts[0].sum()
    return Links(*_without_noise(price / total, gone / total))


def node_errors(counts: np.ndarray) -> np.ndarray:
    """For each node the training weight that it misclassifies as a leaf, from its class weights."""
    errors: np.ndarray = counts.sum(axis=1) - counts.max(axis=1)
    return errors


def _without_noise(price: np.ndarray, gone: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Prices that differ by rounding only become the same."""
    known = np.unique(np.append(price, 0.0))
    first = np.append(True, np.diff(known) > _NOISE)  # of each run of neighbours
    settled = np.append(known[first][np.cumsum(first) - 1], np.inf)  # gone holds prices, and infinity for the root
    return settled[np.searchsorted(known, price)], settled[np.searchsorted(known, gone)]


def cut_at(tree: Tree, alpha: float) -> Tree:
    """The smallest subtree that is best when a leaf costs alpha; with 0, what errs no more than the whole tree."""
    return prune_nodes(tree, np.flatnonzero(links(tree).price <= alpha))


def cut_to_size(tree: Tree, max_leaves: int) -> Tree:
    """Cut the weakest links until no more than ``max_leaves`` leaves are left.

    Of equally weak links the deepest go first, one at a time, so that no more is cut than need be. Where that falls
    short of the size, and another subtree of at most that size makes fewer training errors, it is that subtree.
    """
    left = tree.n_leaves
    if left <= max_leaves:
        return tree
    found = links(tree)
    alphas = found.alphas
    sizes = found.totals(alphas, np.ones(tree.n_nodes)).round()
    alpha = alphas[np.argmax(sizes <= max_leaves)]
    inner = tree.kind != Kind.LEAF
    cut = set(np.flatnonzero(inner & (found.price < alpha)).tolist())
    below = _leaves_below(tree, cut)
    left = below[0]
    for node in np.flatnonzero(inner & (found.price == alpha) & (found.gone >= alpha))[::-1].tolist():
        if left <= max_leaves:
            break
        cut.add(node)
        saved = below[node] - 1
        left -= saved
        while node >= 0:
            below[node] -= saved
            node = int(tree.parent[node])
    smaller = prune_nodes(tree, np.array(sorted(cut), dtype=np.intp))
    if smaller.n_leaves == max_leaves:
        return smaller
    from clearwood.learn.best_pruning import fewest_errors

    best = prune_nodes(tree, np.array(fewest_errors(tree, node_errors(tree.counts), max_leaves), dtype=np.intp))
    fewer = _errors(best) < _errors(smaller) - 1e-9 * max(1.0, float(tree.counts[0].sum()))
    return best if fewer else smaller


def _errors(tree: Tree) -> float:
    return float(node_errors(tree.counts)[tree.kind == Kind.LEAF].sum())


def _leaves_below(tree: Tree, cut: set[int]) -> list[int]:
    """For each node the leaves below it, itself if it is one, where some nodes have been cut to leaves."""
    below = [1] * tree.n_nodes
    for node in np.flatnonzero(tree.kind != Kind.LEAF)[::-1].tolist():
        if node not in cut:
            below[node] = sum(below[child] for child in tree.children(node))
    return below


def prune_nodes(tree: Tree, nodes: np.ndarray) -> Tree:
    """The tree in which the given nodes are leaves, numbered breadth first; everything else stays as it is."""
    leaf = tree.kind == Kind.LEAF
    leaf[nodes] = True
    is_leaf, first, order = leaf.tolist(), [], [0]
    for node in order:  # it grows while it is walked
        first.append(-1 if is_leaf[node] else len(order))
        if not is_leaf[node]:
            order.extend(tree.children(node))
    kept = np.array(order)
    leaf = leaf[kept]
    set_start, codes = _kept_items(tree.set_start, kept, leaf)
    weight_start, terms = _kept_items(tree.weight_start, kept, leaf)
    return Tree(
        columns=tree.columns,
        classes=tree.classes,
        target=tree.target,
        laplace=tree.laplace,
        learner=tree.learner,
        remark=tree.remark,
        data=tree.data,
        accuracy=tree.accuracy,
        spread=tree.spread,
        kind=np.where(leaf, Kind.LEAF, tree.kind[kept]),
        feature=np.where(leaf, -1, tree.feature[kept]),
        threshold=np.where(leaf, np.nan, tree.threshold[kept]),
        first_child=first,
        n_children=np.where(leaf, 0, tree.n_children[kept]),
        empty=tree.empty[kept],
        set_start=set_start,
        set_values=tree.set_values[codes],
        missing=np.where(leaf, -1, tree.missing[kept]),
        weight_start=weight_start,
        weight_features=tree.weight_features[terms],
        weight_values=tree.weight_values[terms],
        weight_codes=tree.weight_codes[terms],
        counts=tree.counts[kept],
        bags=tree.bags[kept],
    )


def _kept_items(start: np.ndarray, kept: np.ndarray, leaf: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the items of each kept node start, and where those items were."""
    size = np.where(leaf, 0, np.diff(start)[kept])
    new = np.append(0, np.cumsum(size))
    return new, np.arange(new[-1]) + np.repeat(start[kept] - new[:-1], size)
