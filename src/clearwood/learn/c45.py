"""C4.5: gain-ratio trees, pruned by pessimistic error, exactly as J48 builds them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from clearwood.kernels.greedy.score import needs_two_branches
from clearwood.learn.base import TreeClassifier
from clearwood.learn.checks import check_choice, check_flag, check_number
from clearwood.learn.growing import CRITERIA, Growth, Pruning, grow_nodes, to_tree
from clearwood.learn.randomness import generator
from clearwood.learn.tiny_units import columns_in_tiny_units
from clearwood.learn.training import training_set
from clearwood.scan.scan import Scan
from clearwood.table import Column, Table
from clearwood.tree import Tree

__all__ = ["C45Classifier"]

DEFAULT_CONFIDENCE = 0.25


class C45Classifier(TreeClassifier):
    """C4.5 decision tree, with the defaults and the exact results of Weka's J48.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain", "gini", "twoing"}
        What the best test maximises. Twoing compares two branches, so with nominal columns it needs
        ``binary_splits=True``.
    confidence : float between 0 and 1, or "cv"
        Smaller values prune more. ``"cv"`` takes the level from 5 %, 15 % … 95 % whose trees are most accurate in
        ten-fold cross-validation (with J48's estimate, which means nothing above 50 %, the levels below).
    min_leaf : float
        At least two branches of a test must hold this weight of rows.
    prune : bool
        Whether to prune by pessimistic error.
    collapse : bool
        Whether to cut subtrees that make no fewer training errors than a leaf; done without pruning too.
    raise_subtrees : bool
        Whether pruning may put a node's largest branch in its place.
    binary_splits : bool
        One value against the others at nominal tests, instead of one branch for each value.
    mdl_correction : bool
        Charge numeric tests for the choice of a threshold. It is in bits, so only the entropy criteria have it.
    laplace : bool
        Smooth probabilities; does not change the tree or the predicted classes.
    error_estimate : {"j48", "c4.5"}
        The normal quantile of J48, or the interpolated deviation of Quinlan's release 8, which keeps confidences
        above 0.5 meaningful.
    min_gap : float
        Neighbouring values must lie further apart than this to be separated; 0 separates all that differ.
    max_depth : int or None
        The longest path allowed.
    max_leaves : int or None
        After pruning, the weakest links are cut until no more leaves than this are left.
    class_weight : dict, "balanced" or None
        Factors for the weights of the classes' rows.
    random_state : int, generator or None
        How those folds are dealt; nothing else is random.
    n_jobs : int or None
        Threads for one large tree; -1 takes all cores. The tree is the same for any number.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    confidence_ : float
        The confidence that was used.
    classes_ : array
        The class labels; for a Table its declared classes in order.
    n_features_in_ : int
    feature_names_in_ : array of str

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import C45Classifier
    >>> iris = load_iris()
    >>> clf = C45Classifier().fit(iris.data, iris.target)
    >>> clf.tree_.n_leaves, clf.tree_.features
    (5, ('x2', 'x3'))
    """

    def __init__(
        self,
        *,
        criterion: str = "gain_ratio",
        confidence: float | str = 0.25,
        min_leaf: float = 2,
        prune: bool = True,
        collapse: bool = True,
        raise_subtrees: bool = True,
        binary_splits: bool = False,
        mdl_correction: bool = True,
        laplace: bool = False,
        error_estimate: str = "j48",
        min_gap: float = 1e-5,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.confidence = confidence
        self.min_leaf = min_leaf
        self.prune = prune
        self.collapse = collapse
        self.raise_subtrees = raise_subtrees
        self.binary_splits = binary_splits
        self.mdl_correction = mdl_correction
        self.laplace = laplace
        self.error_estimate = error_estimate
        self.min_gap = min_gap
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        check_choice("criterion", self.criterion, CRITERIA)
        if isinstance(self.confidence, str):
            if self.confidence != "cv":
                raise ValueError(f"confidence must be 'cv' or a number between 0 and 1, got {self.confidence!r}.")
        else:
            check_number("confidence", self.confidence, 0, 1, open_ends=True)
        check_number("min_leaf", self.min_leaf, 0, open_ends=True)
        for name in ("prune", "collapse", "raise_subtrees", "binary_splits", "mdl_correction", "laplace"):
            check_flag(name, getattr(self, name))
        check_choice("error_estimate", self.error_estimate, ("j48", "c4.5"))
        check_number("min_gap", self.min_gap, 0)
        check_number("max_depth", self.max_depth, 1, whole=True, none=True)
        check_number("max_leaves", self.max_leaves, 1, whole=True, none=True)

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        self._check_branches(table.columns)
        total = float(table.weights[table.y >= 0].sum())
        if total < 2 * self.min_leaf <= table.n_rows:
            warnings.warn(
                f"the rows weigh {total:g} together, less than two branches of min_leaf={self.min_leaf:g} need, so the "
                "tree is one leaf; scale the weights so that their mean is 1.",
                UserWarning,
                stacklevel=3,
            )
        table.presort(self.n_jobs)  # whoever asks for the order first decides how many threads sort
        for name in columns_in_tiny_units(table, self.min_gap):
            warnings.warn(
                f"the values of column {name!r} lie closer together than min_gap={self.min_gap:g}, so C4.5 cannot "
                "separate them; pass min_gap=0 to use the column.",
                UserWarning,
                stacklevel=3,
            )
        self.confidence_ = self._chosen_confidence(table)
        pruning = self.pruning().at(self.confidence_)
        data = training_set(table, min_gap=self.min_gap, n_jobs=self.n_jobs)
        grower = grow_nodes(data, self.growth(), pruning, self.n_jobs)
        return self._sized(to_tree(grower, table, labels, learner=self._described(), laplace=self.laplace))

    def _grow_scan(self, scan: Scan) -> Tree:
        from clearwood.learn.scanned.fit import grow_tree

        self._check_branches(scan.columns)
        if isinstance(self.confidence, str):
            raise ValueError(
                f"confidence={self.confidence!r} is chosen by cross-validation, which needs the rows in memory; pass a "
                "number, such as that of C45Classifier(confidence='cv').fit(scan.sample(n)).confidence_."
            )
        self.confidence_ = float(self.confidence)
        pruning = self.pruning()
        return self._sized(
            grow_tree(scan, self.growth(), pruning, self, learner=self._described(), laplace=self.laplace)
        )

    def _check_branches(self, columns: Sequence[Column]) -> None:
        nominal = next((c.name for c in columns if c.is_nominal), None)
        if needs_two_branches(CRITERIA[self.criterion]) and nominal is not None and not self.binary_splits:
            raise ValueError(
                f"criterion={self.criterion!r} compares two branches, but column {nominal!r} is nominal; "
                "pass binary_splits=True."
            )

    def _sized(self, tree: Tree) -> Tree:
        if self.max_leaves is not None and tree.n_leaves > self.max_leaves:
            from clearwood.learn.weakest_links import cut_to_size

            tree = cut_to_size(tree, self.max_leaves)
        return tree

    def _chosen_confidence(self, table: Table) -> float:
        if not isinstance(self.confidence, str):
            return float(self.confidence)
        from clearwood.learn.confidence_level import choose_confidence, counted_folds

        counted, folds = counted_folds(table, 10, generator(self.random_state))
        if folds.max() == 0:
            return DEFAULT_CONFIDENCE  # one row: nothing to choose by, and nothing to prune
        return choose_confidence(counted, folds, self.growth(), self.pruning(), self.n_jobs)

    def growth(self) -> Growth:
        """How the tree is grown, in the kernels' terms."""
        return Growth(
            criterion=CRITERIA[self.criterion],
            min_leaf=self.min_leaf,
            min_split=2 * self.min_leaf,
            multiway=not self.binary_splits,
            average_filter=self.criterion == "gain_ratio",
            ten_percent=True,
            mdl_correction=self.mdl_correction,
            relocate=True,
            min_gap=self.min_gap,
            tolerance=1e-6,
            max_depth=-1 if self.max_depth is None else self.max_depth,
        )

    def pruning(self) -> Pruning:
        """How the tree is pruned; where the confidence is still to be chosen, with C4.5's own."""
        confidence = DEFAULT_CONFIDENCE if isinstance(self.confidence, str) else self.confidence
        return Pruning(self.collapse, self.prune, self.raise_subtrees, confidence, self.error_estimate)

    def _described(self) -> str:
        return "C4.5" + (" two-way" if self.binary_splits else "") + ("" if self.prune else " unpruned")
