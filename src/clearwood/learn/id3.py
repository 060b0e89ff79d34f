"""ID3: the tree of largest information gain, one branch for each value, grown until nothing is left to tell apart."""

from __future__ import annotations

from typing import Any

from clearwood.learn.base import TreeClassifier
from clearwood.learn.checks import check_choice, check_number
from clearwood.learn.growing import CRITERIA, Growth, Pruning, grow_nodes, to_tree
from clearwood.learn.training import training_set
from clearwood.learn.weakest_links import cut_to_size
from clearwood.scan.scan import Scan
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["ID3Classifier"]


class ID3Classifier(TreeClassifier):
    """ID3 decision tree, not pruned.

    A nominal column gives one branch for each declared value; one that no training row has is an empty leaf, which
    predicts with its parent. A numeric column is cut in two, midway between neighbouring values of different classes.
    A column is tested once along a path, even where it gains nothing. Rows that lack the tested value are shared out
    over the branches, as in C4.5; where the shares at a node weigh less than the lightest row, it is a leaf.

    Parameters
    ----------
    criterion : {"gain", "gain_ratio"}
        What the best column maximises. The threshold of a numeric column is that of largest gain in both cases.
    max_depth : int or None
        The longest path allowed.
    max_leaves : int or None
        The weakest links of the grown tree are cut until no more leaves than this are left.
    class_weight : dict, "balanced" or None
        Factors for the weights of the classes' rows.
    n_jobs : int or None
        Threads for one large tree; -1 takes all cores. The tree is the same for any number.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    classes_ : array
        The class labels; for a Table its declared classes in order.
    n_features_in_ : int
    feature_names_in_ : array of str

    Examples
    --------
    >>> import pandas as pd
    >>> from clearwood import ID3Classifier
    >>> days = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"], "wind": ["weak", "strong", "weak", "strong"]})
    >>> clf = ID3Classifier().fit(days, ["play", "play", "play", "stay"])
    >>> clf.tree_.features, clf.tree_.n_leaves
    (('sky', 'wind'), 3)
    """

    def __init__(
        self,
        *,
        criterion: str = "gain",
        max_depth: int | None = None,
        max_leaves: int | None = None,
        class_weight: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.class_weight = class_weight
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        check_choice("criterion", self.criterion, ("gain", "gain_ratio"))
        check_number("max_depth", self.max_depth, 1, whole=True, none=True)
        check_number("max_leaves", self.max_leaves, 1, whole=True, none=True)

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        if not table.weights.all():  # a row of no weight would make a branch that is not empty
            table = table.take(table.weights > 0)
        grower = grow_nodes(training_set(table, n_jobs=self.n_jobs), self.growth(), n_jobs=self.n_jobs)
        tree = to_tree(grower, table, labels, learner="ID3")
        return tree if self.max_leaves is None else cut_to_size(tree, self.max_leaves)

    def _grow_scan(self, scan: Scan) -> Tree:
        from clearwood.learn.scanned.fit import grow_tree

        tree = grow_tree(scan, self.growth(), None, self, learner="ID3", positive=True)
        return tree if self.max_leaves is None else cut_to_size(tree, self.max_leaves)

    def growth(self) -> Growth:
        """How the tree is grown, in the kernels' terms."""
        return Growth(
            criterion=CRITERIA[self.criterion],
            min_leaf=0.0,  # two branches with any rows will do
            min_split=0.0,
            whole_row=True,
            multiway=True,
            once=True,
            boundaries=True,
            least=-1.0,
            tolerance=1e-9,
            max_depth=-1 if self.max_depth is None else self.max_depth,
        )

    def pruning(self) -> Pruning | None:
        """How the tree is pruned: not at all."""
        return None
