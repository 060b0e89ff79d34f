"""DistilledTreeClassifier: a small tree that has learned from an ensemble what the labels alone do not tell."""

from __future__ import annotations

import math
import numbers
import warnings
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from clearwood.evaluate.fronts import Front, FrontEntry, cross_validated, error_on
from clearwood.evaluate.resampling import check_cv_parameter
from clearwood.evaluate.structural_risk import RULES, Choice, choose_within
from clearwood.learn.bagging import BaggedTreesClassifier
from clearwood.learn.base import TreeClassifier
from clearwood.learn.checks import check_choice, check_flag, check_number
from clearwood.learn.confidence_level import counted_folds
from clearwood.learn.distilled.lessons import Found, Lesson, learn_all, own_tree
from clearwood.learn.distilled.shown_rows import ShownRows
from clearwood.learn.distilled.sizes import Form, sizes_up_to
from clearwood.learn.distilled.teacher import Teacher, can_be_asked, check_teacher
from clearwood.learn.distilled.trees import single_leaf
from clearwood.learn.ensemble import labels_of
from clearwood.learn.forest import ForestClassifier
from clearwood.learn.front_choice import FrontChoice
from clearwood.learn.labels import tree_labels
from clearwood.learn.randomness import generator
from clearwood.progress import show_progress
from clearwood.read.frames import to_frame
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["DistilledTreeClassifier"]

FORMS = ("axis", "sparse", "linear")
SYNTHETIC = 5000
LARGEST = 1.5  # times the leaves of C4.5's own tree
RATIO = {"axis": 1.2, "sparse": 1.3, "linear": 1.3}  # of neighbouring sizes
DEALS = 2  # how often a small table is dealt into folds: the choice of size is as good as the errors that it is made by
SMALL = 500  # rows; larger tables are dealt once
OURS = (ForestClassifier, BaggedTreesClassifier, TreeClassifier)
MATTERS = 0.1  # the share of all weight that makes a class one that the tree must have a leaf for


class DistilledTreeClassifier(FrontChoice, TreeClassifier):
    """One small tree that fits what a teacher knows, in all sizes, and the size that the rows support.

    Few labels fitted perfectly are over-fitted. An ensemble knows better: not only which class a row has, but how sure
    that is, and what rows would have that were never seen. So each row's target is a quarter its class and for the rest
    the probabilities of a teacher that has not seen it, and synthetic rows with the teacher's probabilities are added:
    rows mixed from real ones, and, with less weight, rows drawn evenly, so that trees are alike where no row lies.
    Trees of many sizes are grown on these targets, cut back, and improved node by node given their subtrees. Of four
    such searches, each with synthetic rows of its own, the trees are taken that agree most with the teacher on others.
    Cross-validation on the true classes chooses among them, or takes C4.5's own tree if that is clearly better.

    Parameters
    ----------
    teacher : None, a classifier with predict_proba, fitted or not, Ensemble or Tree
        What is asked. None grows a forest, a :class:`ForestClassifier`, and blends what it says with logistic
        regressions as far as that is better for rows not seen. One that is not fitted is fitted to the rows at hand;
        one that is fitted is ``teacher_`` as it is. In the folds, and where it has no out-of-bag probabilities, copies
        of it are fitted; what cannot be copied may have seen the rows, and a warning says so.
    tests : {"axis", "sparse", "linear"}
        Tests of one feature; also weighted sums of at most ``max_terms`` terms, each a number, or whether a nominal
        column has a certain value; or, besides, sums of all numbers.
    max_terms : int
        The terms of a sparse sum, at most.
    max_leaves : int or None
        The largest trees; None is half as many again as C4.5's own tree has, and at least eight.
    selection : "half_se", "srm", "one_se" or int
        How the size is chosen. ``"srm"``: the least cross-validated error. ``"half_se"``: the smallest whose error is
        above that by at most half a standard error of the difference. ``"one_se"``: the smallest within one standard
        error of the least error, which gives much smaller trees at some cost. Or the best tree found with at most that
        number of leaves, without cross-validation. A rule leaves out sizes with fewer leaves than there are classes
        that have a tenth of the rows, if larger ones were found.
    cv : int or splits
        The folds. Tables of up to 500 rows are dealt into so many folds twice.
    n_synthetic : int or None
        How many synthetic rows are mixed from real ones; None is 5,000. Half as many are drawn evenly.
    random_state : int, generator or None
        Where all randomness starts.
    n_jobs : int or None
        Threads that share the folds; -1 takes all cores. The tree is the same for any number.
    progress : callable, bool or None
        None shows a bar on a terminal, True always, False never; a function is called as ``progress(done, total)``.

    Attributes
    ----------
    tree_ : Tree
        The chosen tree. A leaf has the weight of its training rows, shared out over the classes as their targets are:
        a quarter by their labels, the rest by the teacher's probabilities.
    front_ : Front
        For each number of leaves that was found the tree: entries with ``n_leaves``, ``tree``, ``training_error``,
        ``cv_error``, ``cv_interval``, ``fidelity`` and ``learner``. C4.5's own tree, whose learner begins with
        ``"C4.5"``, is there only if it beats the best of them by more than one standard error of the difference.
    n_leaves_ : int
        The chosen size.
    teacher_ : object
        The fitted teacher; where all rows have one class, the one that was given, as it is. The default one tells in
        ``share_`` how much the regressions say, and its ``trees_`` are those of the forest, for what wants trees alone.
    fidelity_ : float
        The share of the training rows, by weight, that the tree labels as the teacher does; NaN where all rows have one
        class, and the teacher was not fitted to it.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from clearwood import DistilledTreeClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> clf = DistilledTreeClassifier(random_state=0).fit(X, y)
    >>> clf.tree_.n_leaves < 10, clf.teacher_.share_
    (True, 0.75)
    >>> clf.choose(3).tree_.n_leaves
    3
    """

    teacher_: Any
    fidelity_: float
    _teacher: Teacher | None
    _drops_weightless = False  # the splits of cv count all rows
    _frame: Any = None

    def __init__(
        self,
        teacher: Any = None,
        *,
        tests: str = "axis",
        max_terms: int = 3,
        max_leaves: int | None = None,
        selection: str | int = "half_se",
        cv: Any = 5,
        n_synthetic: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: Any = None,
    ) -> None:
        self.teacher = teacher
        self.tests = tests
        self.max_terms = max_terms
        self.max_leaves = max_leaves
        self.selection = selection
        self.cv = cv
        self.n_synthetic = n_synthetic
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _check_parameters(self) -> None:
        check_teacher(self.teacher)
        check_choice("tests", self.tests, FORMS)
        check_number("max_terms", self.max_terms, 1, whole=True)
        check_number("max_leaves", self.max_leaves, 2, 10_000, whole=True, none=True)
        if isinstance(self.selection, str):
            check_choice("selection", self.selection, RULES)
        else:
            check_number("selection", self.selection, 2, self.max_leaves or 10_000, whole=True)
        check_cv_parameter(self.cv)
        check_number("n_synthetic", self.n_synthetic, 0, whole=True, none=True)
        if self.progress is not None and not callable(self.progress):
            check_flag("progress", self.progress)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        # the docstring is TreeClassifier's; the frame is kept for teachers that ask what types its columns have
        self._frame = to_frame(X)
        try:
            return super().fit(X, y, sample_weight)
        finally:
            del self._frame

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        shown = ShownRows(None if self.teacher is None else self._frame, table)
        rng = generator(self.random_state)
        cross_validating = isinstance(self.selection, str)
        table, folds = counted_folds(table, self.cv if cross_validating else 2, rng)
        table.presort(self.n_jobs)
        share = np.bincount(table.y, table.weights, minlength=len(labels)) / table.weights.sum()
        if np.count_nonzero(share) < 2:
            return self._of_one_class(table, labels, shown)
        rival = own_tree(table, labels)
        lesson = self._lesson(table, labels, rival, shown)
        n_folds = int(folds.max(initial=0)) + 1
        deals = [folds] if cross_validating and n_folds > 1 else []
        if deals and isinstance(self.cv, numbers.Integral):
            deals += [counted_folds(table, self.cv, rng)[1] for _ in range(_n_deals(table.n_rows) - 1)]
        parts = [deal != fold for deal in deals for fold in range(n_folds)]
        parts = [learn for learn in parts if len(np.unique(table.y[learn])) > 1]
        seeds = [int(seed) for seed in rng.integers(2**62, size=len(parts) + 1)]
        with show_progress(type(self).__name__, self.progress) as tell:
            (teacher, found), errors = learn_all(lesson, parts, seeds, tell)
        self._set_teacher(teacher)
        self._warn_of_a_poor_teacher(teacher, table, share)
        self.front_ = self._front(teacher, found, rival, errors, table, n_folds)
        return self._chosen(choose_within(self.front_, self.selection, int(np.count_nonzero(share >= MATTERS))))

    def _lesson(self, table: Table, labels: tuple[Any, ...], rival: Tree, shown: ShownRows) -> Lesson:
        if not isinstance(self.selection, str):
            largest = int(self.selection)
        else:
            largest = self.max_leaves or max(8, math.ceil(LARGEST * rival.n_leaves))
        return Lesson(
            table,
            labels,
            self.teacher,
            sizes_up_to(largest, RATIO[self.tests]),
            Form(1 if self.tests == "axis" else int(self.max_terms), self.tests == "linear"),
            SYNTHETIC if self.n_synthetic is None else int(self.n_synthetic),
            "distilled" if self.tests == "axis" else f"distilled, {self.tests} tests",
            self.n_jobs,
            shown,
        )

    def _of_one_class(self, table: Table, labels: tuple[Any, ...], shown: ShownRows) -> Tree:
        """Nothing is to be told apart; a teacher that would have to be fitted to one class is not asked."""
        tree, fidelity = single_leaf(table, labels, "distilled"), math.nan
        self._teacher, self.teacher_ = None, self.teacher
        if self.teacher is None or can_be_asked(self.teacher):
            teacher = Teacher(self.teacher, table, labels, 0, refit=False, shown=shown)
            self._set_teacher(teacher)
            fidelity = _agreement(tree, teacher.codes(table), table)
        self.front_ = Front([FrontEntry(1, tree, 0.0, learner=tree.learner, fidelity=fidelity)])
        return self._chosen(Choice(1, "one_class"))

    def _set_teacher(self, teacher: Teacher) -> None:
        """Keep a teacher; a learner of ours that was fitted here, to a table, gets the user's classes and columns."""
        self._teacher, self.teacher_ = teacher, getattr(teacher.model, "fitted", teacher.model)
        made = self.teacher is None or (self.teacher_ is not teacher.model and isinstance(self.teacher_, OURS))
        if not made or not hasattr(self, "classes_"):  # which a bag's member has not
            return
        if list(map(str, tree_labels(self.teacher_.classes_))) == list(map(str, tree_labels(self.classes_))):
            self.teacher_.classes_ = self.classes_
        if not hasattr(self, "feature_names_in_"):
            vars(self.teacher_).pop("feature_names_in_", None)

    def _front(
        self, teacher: Teacher, found: list[Found], rival: Tree, errors: np.ndarray, table: Table, n_folds: int
    ) -> Front:
        """One entry for each number of leaves: the better fit of two found; C4.5's if it is clearly best."""
        best: dict[int, int] = {}
        for place, (tree, loss) in enumerate(found):
            if tree.n_leaves not in best or loss < found[best[tree.n_leaves]].loss - 1e-9:
                best[tree.n_leaves] = place
        fits = self.max_leaves is None or rival.n_leaves <= self.max_leaves
        if len(errors) > 1 and fits and _last_is_clearly_best(errors):
            best[rival.n_leaves] = len(found)
        trees = [tree for tree, _ in found] + [rival]
        wanted = teacher.codes(table)
        entries = [
            FrontEntry(
                size,
                tree,
                error_on(tree, table),
                n_features=len(tree.features),
                learner=tree.learner,
                fidelity=_agreement(tree, wanted, table),
            )
            for size, place in sorted(best.items())
            for tree in [trees[place]]
        ]
        if len(errors) < 2:
            return Front(entries)
        return cross_validated(entries, errors[:, [best[entry.n_leaves] for entry in entries]], 1 / (n_folds - 1))

    def _warn_of_a_poor_teacher(self, teacher: Teacher, table: Table, share: np.ndarray) -> None:
        """Say so if the teacher is right less often than always saying the most common class, by more than chance."""
        known = np.isfinite(teacher.unseen).all(axis=1)
        if self.teacher is None or not known.any():
            return
        right = labels_of(teacher.unseen[known]) == table.y[known]
        score = float(table.weights[known][right].sum() / table.weights[known].sum())
        common = float(share.max())
        if score < common - 2 * math.sqrt(common * (1 - common) / np.count_nonzero(known)):
            warnings.warn(
                f"the teacher is right for {100 * score:.1f} % of the rows, fewer than the {100 * common:.1f} % of "
                "the most common class; a tree can learn little from it.",
                UserWarning,
                stacklevel=2,
            )

    # -- afterwards -----------------------------------------------------------------------------

    def _chosen(self, choice: Any) -> Tree:
        tree = super()._chosen(choice)
        self.fidelity_ = self.front_.of_size(choice.n_leaves).fidelity
        return tree

    def explain_choice(self) -> str:
        """Why this size was chosen, what two rules more would buy, and how far the tree agrees with its teacher."""
        words = super().explain_choice()
        if self._choice.least:
            words += (
                f"\nAt least {self._choice.least} classes have a tenth of the rows or more, so trees with fewer leaves "
                "were left out."
            )
        if not self.front_.of_size(self.n_leaves_).learner.startswith("C4.5"):
            return words
        return f"{words}\nIt is C4.5's own tree: it did better in the folds than distilled trees of any size."

    def teacher_codes(self, table: Table) -> np.ndarray | None:
        """The class codes that the teacher gives to the rows of a table, -1 for classes that only it knows.

        None where all training rows had one class, and the teacher was not fitted to it.
        """
        check_is_fitted(self)
        return None if self._teacher is None else self._teacher.codes(table.align(self.tree_.columns))


def _agreement(tree: Tree, wanted: np.ndarray, table: Table) -> float:
    """The share of the rows, by weight, that a tree gives the wanted codes."""
    return float(table.weights[tree.predict(table) == wanted].sum() / table.weights.sum())


def _last_is_clearly_best(errors: np.ndarray) -> bool:
    """Whether the last column's mean is below the least of the others, by more than one standard error of the gap."""
    best = int(np.argmin(errors[:, :-1].mean(axis=0)))
    gap = errors[:, best] - errors[:, -1]
    return bool(gap.mean() > gap.std(ddof=1) / math.sqrt(len(gap)) + 1e-12)


def _n_deals(n_rows: int) -> int:
    return DEALS if n_rows <= SMALL else 1
