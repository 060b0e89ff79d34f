"""OC1: oblique trees by coordinate descent with random jumps and restarts (Murthy, Kasif and Salzberg, 1994)."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.learn.base import TreeClassifier
from clearwood.learn.checks import check_choice, check_number
from clearwood.learn.oc1_growing import MEASURES, ORDERS, grow_oblique
from clearwood.learn.randomness import generator
from clearwood.learn.weakest_links import cut_at, links
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["OC1Classifier"]


class OC1Classifier(TreeClassifier):
    """OC1 decision tree: each node has the best hyper-plane that a randomised descent finds.

    The search of a node starts from the best axis-parallel split, then from random planes. It changes one coefficient
    after the other to its best value, and when none of them helps, tries jumps in random directions. The tree is cut
    back to the size that errs least on rows that were held back.

    Parameters
    ----------
    criterion : {"twoing", "gain", "gini", "max_minority", "sum_minority", "variance"}
        What makes a split good. ``"variance"`` numbers the classes by their weight at a node, the heaviest first and of
        equals the one that is met first among its rows, so that the names of classes do not matter.
    restarts : int
        How many planes each node's search starts from; the first is the axis-parallel one.
    jumps : int
        How many random directions are tried in vain before a search ends.
    order : {"sequential", "best", "random"}
        In which order coefficients are changed: one after the other; each time the one that helps most; or fifty that
        are drawn at random.
    pruning : float between 0 and 1
        The share of the rows that is held back for pruning; with 0 the tree is not pruned.
    min_split : int
        A node with fewer rows is not split; Murthy's program leaves three or fewer as they are.
    class_weight : dict, "balanced" or None
        Factors for the weights of the classes' rows.
    random_state : int, generator or None
        Where all randomness starts.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from clearwood import OC1Classifier, artificial
    >>> clf = OC1Classifier(random_state=0).fit(artificial.ls2(300, random_state=0))
    >>> clf.tree_.n_leaves
    2
    """

    def __init__(
        self,
        *,
        criterion: str = "twoing",
        restarts: int = 20,
        jumps: int = 5,
        order: str = "sequential",
        pruning: float = 0.1,
        min_split: int = 4,
        class_weight: Any = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.restarts = restarts
        self.jumps = jumps
        self.order = order
        self.pruning = pruning
        self.min_split = min_split
        self.class_weight = class_weight
        self.random_state = random_state

    def _check_parameters(self) -> None:
        check_choice("criterion", self.criterion, MEASURES)
        check_number("restarts", self.restarts, 1, 2**31 - 1, whole=True)
        check_number("jumps", self.jumps, 0, 2**31 - 1, whole=True)
        check_choice("order", self.order, ORDERS)
        check_number("pruning", self.pruning, 0, 0.9)
        check_number("min_split", self.min_split, 2, whole=True)

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        nominal = [column.name for column in table.columns if column.is_nominal]
        if nominal:
            raise ValueError(
                f"OC1 tests numbers only, but {', '.join(map(repr, nominal[:5]))} "
                f"{'is' if len(nominal) == 1 else 'are'} nominal; LinearTreeClassifier(tests='mixed') takes both."
            )
        rng = generator(self.random_state)
        rows = table.counted
        held = np.zeros(len(rows), dtype=bool)
        held[rng.permutation(len(rows))[: int(self.pruning * len(rows))]] = True
        tree = grow_oblique(
            table,
            rows[~held],
            labels,
            measure=MEASURES[self.criterion],
            restarts=self.restarts,
            jumps=self.jumps,
            order=ORDERS[self.order],
            min_split=self.min_split,
            seed=int(rng.integers(2**63)),
        )
        if not held.any():
            return tree
        remark = f"{np.count_nonzero(held)} of {len(rows)} rows were held back to prune by and are not counted here."
        return _pruned(tree, table.take(rows[held])).remarked(remark)


def _pruned(tree: Tree, held: Table) -> Tree:
    """The subtree of the cost-complexity sequence that errs least on held-back rows; of equals the smallest."""
    best, least = tree, np.inf
    for alpha in links(tree).alphas.tolist():
        smaller = cut_at(tree, alpha)
        errors = float(held.weights[smaller.predict(held) != held.y].sum())
        if errors <= least + 1e-9:
            best, least = smaller, errors
    return best
