"""CART: two-way splits by Gini or twoing, cut back to the size that cross-validation finds best."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from clearwood.evaluate.resampling import check_cv_parameter, fold_numbers, splits_of
from clearwood.learn.base import TreeClassifier
from clearwood.learn.checks import check_choice, check_flag, check_number
from clearwood.learn.growing import CRITERIA, Growth, grow_nodes, to_tree
from clearwood.learn.path_errors import Split, cross_validated_errors
from clearwood.learn.pruning_path import PruningPath
from clearwood.learn.randomness import generator
from clearwood.learn.rare_values import RareValues
from clearwood.learn.training import training_set
from clearwood.learn.weakest_links import cut_at, cut_to_size, links, node_errors
from clearwood.scan.scan import Scan
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["CARTClassifier"]

_TIE = 1e-12
Judge = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


class CARTClassifier(TreeClassifier):
    """CART decision tree: binary, with sets of values at nominal columns, and cost-complexity pruning.

    The set is the best of all where at most ten values occur, or where two classes meet (the values are ordered by
    class share, and the best set is a part of that order, unless ``min_leaf`` rules it out). With more of both it is
    the best part of the orders by each class's share in turn. Rows that lack the tested value are shared out over the
    branches, as in C4.5.

    Parameters
    ----------
    criterion : {"gini", "twoing", "gain"}
        What the best test maximises.
    min_leaf : float
        Both branches of a test must hold this weight of rows.
    min_split : float
        A node of less weight is not split.
    min_value_rows : int
        In a nominal column of more than ten values, those with fewer training rows are not told apart: they stay on the
        same side of every test. So a column of names, each with rows of its own, cannot divide the rows at will. 1
        allows every set.
    max_depth : int or None
        The longest path allowed.
    max_leaves : int or None
        The most leaves that the tree may have after pruning.
    pruning : {"cv"}, float or None
        The price of a leaf, as a share of the training weight: chosen by cross-validation, or as given. With None the
        tree stays as it was grown.
    cv : int, cross-validation splitter or iterable of pairs of arrays
        The number of folds, with the classes in proportion; or scikit-learn's other ways to say which rows a tree
        learns from and which judge it. Of a Scan one part in so many judges, dealt as in :meth:`Scan.split`, and only
        once.
    one_se : bool
        Take the smallest tree whose error in cross-validation is within one standard error of the least.
    class_weight : dict, "balanced" or None
        Factors for the weights of the classes' rows.
    random_state : int, numpy generator or None
        Deals the rows into folds; an int makes the result repeatable.
    n_jobs : int or None
        Threads; -1 takes all cores. The tree is the same for any number.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    pruning_path_ : PruningPath
        The subtrees that are best for some price of a leaf, with their errors.
    alpha_ : float or None
        The price of a leaf at which the tree was cut; None where it was not.
    classes_ : array
        The class labels; for a Table its declared classes in order.
    n_features_in_ : int
    feature_names_in_ : array of str

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import CARTClassifier
    >>> clf = CARTClassifier(random_state=0).fit(*load_iris(return_X_y=True))
    >>> print(clf.pruning_path_)
      leaves       alpha   training error   error in cross-validation
    ...
    """

    pruning_path_: PruningPath
    alpha_: float | None
    _drops_weightless = False  # cv may name rows by their place in what the user gave

    def __init__(
        self,
        *,
        criterion: str = "gini",
        min_leaf: float = 1,
        min_split: float = 2,
        min_value_rows: int = 10,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        pruning: str | float | None = "cv",
        cv: Any = 10,
        one_se: bool = False,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.min_leaf = min_leaf
        self.min_split = min_split
        self.min_value_rows = min_value_rows
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.pruning = pruning
        self.cv = cv
        self.one_se = one_se
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        check_choice("criterion", self.criterion, ("gini", "twoing", "gain"))
        check_number("min_leaf", self.min_leaf, 0, open_ends=True)
        check_number("min_split", self.min_split, 0)
        check_number("min_value_rows", self.min_value_rows, 1, whole=True)
        check_number("max_depth", self.max_depth, 1, whole=True, none=True)
        check_number("max_leaves", self.max_leaves, 1, whole=True, none=True)
        price = self.pruning
        number = isinstance(price, int | float | np.number) and not isinstance(price, bool) and price >= 0
        if not (number or price is None or (isinstance(price, str) and price == "cv")):
            raise ValueError(f"pruning must be 'cv', a number of at least 0 or None, got {price!r}.")
        check_cv_parameter(self.cv)
        check_flag("one_se", self.one_se)

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        rare = RareValues(table, self.min_value_rows)
        return rare.spread(self._grow_pruned(rare.table, labels))

    def _grow_pruned(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        counted = table.counted
        data = training_set(table, None if len(counted) == table.n_rows else counted, n_jobs=self.n_jobs)
        grower = grow_nodes(data, self.growth(), n_jobs=self.n_jobs)
        tree = to_tree(grower, table, labels, learner="CART")
        return self._cut_back(tree, lambda alphas: self._cross_validated(alphas, table))

    def _cross_validated(self, alphas: np.ndarray, table: Table) -> tuple[np.ndarray, np.ndarray]:
        return cross_validated_errors(table, self.growth(), alphas, self._splits(table), self.n_jobs)

    def _grow_scan(self, scan: Scan) -> Tree:
        from clearwood.learn.scanned.fit import prepared
        from clearwood.learn.scanned.judging import held_out_risk

        if self.pruning == "cv" and not isinstance(self.cv, numbers.Integral):
            raise ValueError(
                f"cv={self.cv!r} makes folds of rows, which needs them in memory; a Scan takes a number, and one part "
                "in so many is held out."
            )
        with prepared(scan, self, positive=True, min_value_rows=self.min_value_rows) as rows:
            tree = rows.grow(self.growth(), None, learner="CART")
            return self._cut_back(tree, lambda alphas: held_out_risk(rows, self.growth(), alphas, 1 / int(self.cv)))

    def _cut_back(self, tree: Tree, judge: Judge) -> Tree:
        """The pruned tree."""
        self.pruning_path_ = self._path(tree, judge)
        chosen = self.pruning_path_.chosen
        if chosen is None:
            self.alpha_ = None if self.pruning is None else float(self.pruning)
        else:
            self.alpha_ = float(self.pruning_path_.alphas[chosen])
        if self.alpha_ is not None:
            tree = cut_at(tree, self.alpha_)
        return tree if self.max_leaves is None else cut_to_size(tree, self.max_leaves)

    def growth(self) -> Growth:
        """How the tree is grown, in the kernels' terms."""
        return Growth(
            criterion=CRITERIA[self.criterion],
            min_leaf=self.min_leaf,
            min_split=self.min_split,
            multiway=False,
            any_set=True,
            tolerance=1e-9,
            max_depth=-1 if self.max_depth is None else self.max_depth,
        )

    def _path(self, tree: Tree, judge: Judge) -> PruningPath:
        """The path, the price chosen by how the subtrees at each alpha are judged."""
        found = links(tree)
        alphas = found.alphas
        n_leaves = found.totals(alphas, np.ones(tree.n_nodes)).round().astype(np.int64)
        risk = found.totals(alphas, node_errors(tree.counts)) / tree.counts[0].sum()
        cv_risk, error = np.full((2, len(alphas)), np.nan)
        chosen = None
        if self.pruning == "cv":
            chosen = 0
            if len(alphas) > 1:
                cv_risk, error = judge(alphas)
                chosen = self._choose(n_leaves, cv_risk, error)
        return PruningPath(alphas, n_leaves, np.maximum(risk, 0.0), cv_risk, error, chosen)

    def _splits(self, table: Table) -> list[Split]:
        """For each fold the rows that its tree learns from and those that judge it."""
        counted = table.counted
        if isinstance(self.cv, numbers.Integral):
            folds = fold_numbers(table.y[counted], min(int(self.cv), len(counted)), generator(self.random_state))
            return [(counted[folds != k], counted[folds == k]) for k in range(folds.max() + 1)]
        chosen = splits_of(self.cv, table.y)
        splits = [(np.intersect1d(learn, counted), np.intersect1d(judge, counted)) for learn, judge in chosen]
        splits = [(learn, judge) for learn, judge in splits if len(learn) and len(judge)]
        if not splits:
            raise ValueError("cv must hold at least one pair: rows to learn from, and rows to judge by.")
        return splits

    def _choose(self, n_leaves: np.ndarray, cv_risk: np.ndarray, error: np.ndarray) -> int:
        """The step of least error among those small enough; of equals the smallest tree."""
        allowed = np.ones(len(n_leaves), dtype=bool) if self.max_leaves is None else n_leaves <= self.max_leaves
        least = cv_risk[allowed].min()
        best = np.flatnonzero(allowed & (cv_risk <= least + _TIE))[-1]
        if self.one_se:
            best = np.flatnonzero(allowed & (cv_risk <= least + error[best] + _TIE))[-1]
        return int(best)
