"""Sizes: the search for a tree of each of many sizes on class weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from clearwood.kernels.common.codes import TestKind
from clearwood.kernels.distil.grower import Grower
from clearwood.kernels.distil.improver import Improver
from clearwood.kernels.distil.plane_finder import PlaneFinder
from clearwood.kernels.distil.search_tree import SearchTree
from clearwood.kernels.distil.soft_rows import SoftRows
from clearwood.kernels.routing.weakest_links import price_links
from clearwood.learn.weakest_links import Links

__all__ = ["Form", "search_sizes", "sizes_up_to"]

OVERGROWN = 4  # growth goes on to so many times the largest size
ROUNDS = 8  # of improvement, at most
SETTLINGS = 3  # how often it begins anew after branches without rows have gone
SOFTNESS = 0.1  # the part of a leaf's worth that its probabilities make, not its class
IMPURITY = 0.2  # the price of impurity beside that of errors when links are cut
TERM_PRICE = 0.5  # a further feature of a plane must save as much as half a row of weight 1


class Form(NamedTuple):
    """What a test may look like: at most so many terms, or besides all numbers."""

    max_terms: int
    full: bool

    @property
    def planes(self) -> bool:
        return self.full or self.max_terms > 1


def sizes_up_to(largest: int, ratio: float) -> list[int]:
    """Numbers of leaves from 2 on, each so many times the one before, rounded, but at least one more.

    >>> sizes_up_to(20, 1.25)
    [2, 3, 4, 5, 6, 8, 10, 12, 15, 19, 20]
    """
    sizes = [2]
    while sizes[-1] < largest:
        sizes.append(min(largest, max(sizes[-1] + 1, round(sizes[-1] * ratio))))
    return sizes


def search_sizes(
    rows: SoftRows, sizes: list[int], form: Form, go_on: Callable[[], bool] = lambda: True
) -> Iterator[SearchTree]:
    """Search a tree of at most each size; what is given is one tree that changes, so look at it before the next.

    A tree is grown best first to four times the largest size and cut back to each size by weakest links. From there
    every node is optimised given its subtrees, in rounds; branches that lose their rows go.

    Parameters
    ----------
    rows : SoftRows
        What the trees are to fit.
    sizes : list of int
        The sizes, ascending.
    form : Form
        What tests may look like.
    go_on : function
        Asked between two sizes; False ends the search.
    """
    most = OVERGROWN * sizes[-1]
    n_terms = min(rows.n_weighed, form.max_terms)
    widest = max(n_terms, rows.n_numeric) if form.full else n_terms
    tree = SearchTree(rows, 2 * min(most, rows.n_real) + 1, widest)
    planes = PlaneFinder(tree, n_terms, form.full, TERM_PRICE) if form.planes else None
    improver = Improver(tree, SOFTNESS, planes)
    Grower(tree, planes).grow(most)
    grown = tree.arrays()
    links = _links(grown)
    alphas = links.alphas
    leaves = links.totals(alphas, np.ones(len(links.price)))
    for size in sizes:
        if not go_on():
            return
        alpha = alphas[int(np.argmax(leaves <= size + 0.5))]  # the first subtree in the sequence that is small enough
        cut = grown["kind"].copy()
        cut[links.price <= alpha] = TestKind.LEAF
        tree.restore(grown | {"kind": cut})
        for _ in range(SETTLINGS):
            improver.improve(ROUNDS)
            if not tree.drop_empty():
                break
        tree.merge_equal()
        tree.refresh()
        yield tree


def _links(grown: dict[str, Any]) -> Links:
    """The price at which each node becomes a leaf, by errors and a little impurity."""
    counts = grown["counts"]
    weight = counts.sum(axis=1)
    squares = np.divide((counts**2).sum(axis=1), weight, out=np.zeros_like(weight), where=weight > 0)
    loss = weight - counts.max(axis=1) + IMPURITY * (weight - squares)
    inner = grown["kind"] != TestKind.LEAF
    first = np.where(inner, grown["left"], -1).astype(np.int32)
    n_children = np.where(inner, 2, 0).astype(np.int32)
    return Links(*price_links(grown["kind"].astype(np.int8), first, n_children, loss))
