"""ISM: one tree that stands for a whole ensemble, grown without artificial examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from clearwood.learn.base import TreeClassifier
from clearwood.learn.checks import check_choice, check_flag, check_number
from clearwood.learn.distilled_base import DistilledClassifier
from clearwood.learn.distilling import CRITERIA, ESTIMATES, GAINS, STOPS, distil
from clearwood.learn.ensemble import Ensemble
from clearwood.learn.fidelity import FidelityCurve, disagreement_rules
from clearwood.learn.inputs import prediction_table
from clearwood.learn.ism_pruning import prune_by_rows, prune_pessimistically
from clearwood.learn.randomness import generator
from clearwood.table import Table
from clearwood.tree import Tree

if TYPE_CHECKING:
    from clearwood.explain.rules import RuleList

__all__ = ["ISMClassifier"]

HELD_OUT = 0.25  # the share of the rows that prune="held_out" keeps back


class ISMClassifier(DistilledClassifier, TreeClassifier):
    """Interpretable single model (Van Assche and Blockeel, 2007): a tree grown from an ensemble's class distributions.

    At each node every test of the ensemble is a candidate, and the one of largest information gain is taken. The class
    probabilities in the gain are the ensemble's: each of its trees is asked what it says of a row of which only the
    path is known, and shares that row out over its branches where a test is open. Rows serve to say how often a test
    is passed, if wanted, and when to stop: where the ensemble gives all rows at a node one label.

    Parameters
    ----------
    ensemble : a fitted ensemble, an estimator to be fitted first, or None
        None bags 25 C4.5 trees with two-way tests. A fitted ensemble is taken as it is: a bagging of this library, one
        or several of its learners or Trees, or scikit-learn's random forests, extra trees, bagging of trees or
        AdaBoost. Its predictions are compared with the original's, and a difference is an error.
    estimate : {"trees", "mixed", "data"}
        Where probabilities come from: that of a leaf given the path, and that of a test given the path, both from the
        trees (the paper's ISM_t); the first from the trees, the second from the rows (ISM_td); or both from the rows
        (ISM_d).
    unlabelled : array, frame, Table or None
        More rows, whose classes need not be known: the rows to be predicted, say. They count like the others, so the
        tree labels them as the ensemble does. In :func:`clearwood.compare`, ``"tests"`` stands for each fold's tests.
    stop : {"labels", "exact"}
        Stop where the ensemble gives all rows of a node one label; or only where it is proved that it gives one label
        to every row that could come there: then the tree predicts as the ensemble for all rows without missing cells,
        but may be huge.
    max_leaves : int or None
        The node that promises most, by gain and share of rows, is split first, until there are so many leaves.
    prune : {None, "pessimistic", "held_out"}
        Replace subtrees by leaves afterwards: by C4.5's pessimistic error against the ensemble's labels, or where rows
        that were kept back (a quarter) are predicted no worse.
    confidence : float between 0 and 1
        Of the pessimistic error; smaller values prune more.
    gain : {"mixture", "path"}
        The entropy above a test: of its two sides together, so that the gain is never negative; or of the path alone,
        as the paper's equation (2) has it, which gives larger trees.
    criterion : {"gain", "gain_ratio"}
        What is largest for the test that is taken: its gain, or the gain divided by the entropy of the split itself,
        without C4.5's condition that the gain be at least average.
    must_part : bool or None
        Whether a test must part the rows at its node. With the trees' probabilities (``estimate="trees"``) it need
        not, as in the paper, which is what None takes: a branch that no row takes is a leaf with the trees' class. True
        gives smaller trees. By the rows, a test that parts none of them has a probability of 0 or 1 and gains nothing:
        with the other estimates the rule holds in any case.
    class_weight : dict, "balanced" or None
        Factors for the weights of the classes' rows.
    random_state : int, generator or None
        Where the samples of the bagging come from, and the rows that are kept back.
    n_jobs : int or None
        Threads for the bagging, its votes and the tree's growth; -1 takes all cores. The number does not change the
        tree.

    Attributes
    ----------
    tree_ : Tree
        The tree. The class weights in it are the ensemble's probabilities, added up over the rows.
    ensemble_ : Ensemble
        What it stands for.
    fidelity_ : float
        The share of the rows, by weight, that it labels as the ensemble does.
    fidelity_curve_ : FidelityCurve
        The same for each number of leaves on the way, before pruning.
    classes_ : array
        The class labels; those of the ensemble where one is given.
    n_features_in_ : int
    feature_names_in_ : array of str

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import ISMClassifier
    >>> iris = load_iris()
    >>> clf = ISMClassifier(random_state=0).fit(iris.data, iris.target)
    >>> clf.ensemble_, clf.fidelity_
    (<Ensemble of 25 trees: 221 nodes>, 1.0)
    >>> clf.fidelity_curve_.leaves_for(0.95)
    3
    """

    ensemble_: Ensemble
    fidelity_: float
    fidelity_curve_: FidelityCurve

    def __init__(
        self,
        ensemble: Any = None,
        *,
        estimate: str = "trees",
        unlabelled: Any = None,
        stop: str = "labels",
        max_leaves: int | None = None,
        prune: str | None = None,
        confidence: float = 0.25,
        gain: str = "mixture",
        criterion: str = "gain",
        must_part: bool | None = None,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.ensemble = ensemble
        self.estimate = estimate
        self.unlabelled = unlabelled
        self.stop = stop
        self.max_leaves = max_leaves
        self.prune = prune
        self.confidence = confidence
        self.gain = gain
        self.criterion = criterion
        self.must_part = must_part
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        check_choice("estimate", self.estimate, ESTIMATES)
        check_choice("stop", self.stop, STOPS)
        check_choice("gain", self.gain, GAINS)
        check_choice("criterion", self.criterion, CRITERIA)
        if self.must_part is not None:
            check_flag("must_part", self.must_part)
            if not self.must_part and self.estimate != "trees":
                raise ValueError(
                    f"must_part=False needs estimate='trees', got {self.estimate!r}: by the rows, what parts none of "
                    "them gains nothing; leave must_part at None."
                )
        check_number("max_leaves", self.max_leaves, 1, whole=True, none=True)
        check_number("confidence", self.confidence, 0, 1, open_ends=True)
        if self.prune is not None:
            check_choice("prune", self.prune, ("pessimistic", "held_out"))
        if isinstance(self.unlabelled, str) and self.unlabelled != "tests":
            raise ValueError(f"unlabelled must be rows, 'tests' in a comparison, or None, got {self.unlabelled!r}.")

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        if isinstance(self.unlabelled, str):
            raise ValueError(
                "unlabelled='tests' has a meaning in compare and evaluate only, which put each fold's tests in its "
                "place; pass the rows themselves."
            )
        rng = generator(self.random_state)
        table = table.take(table.y >= 0) if (table.y < 0).any() else table
        kept_back = table.take(np.empty(0, dtype=np.intp))
        if self.prune == "held_out" and table.n_rows > 1:
            chosen = rng.permutation(table.n_rows) < max(1, round(HELD_OUT * table.n_rows))
            table, kept_back = table.take(~chosen), table.take(chosen)
        self.ensemble_, table = self._gather(table, labels, rng)
        rows = table if self.unlabelled is None else self._with_unlabelled(table)
        grown = distil(
            self.ensemble_,
            rows,
            estimate=self.estimate,
            stop=self.stop,
            max_leaves=self.max_leaves,
            gain=self.gain,
            criterion=self.criterion,
            must_part=self.must_part,
            learner=self._described(),
            n_jobs=self.n_jobs,
        )
        self.fidelity_curve_ = FidelityCurve(grown.sizes, grown.fidelities)
        tree, wanted = grown.tree, grown.labels
        if self.prune == "pessimistic":
            tree = prune_pessimistically(tree, rows, wanted, self.confidence)
        elif kept_back.n_rows:
            judges, codes = self._in_terms_of_the_ensemble(kept_back, labels)
            tree = prune_by_rows(tree, judges, codes)
        alike = tree.predict(rows, n_jobs=self.n_jobs) == wanted
        total = float(rows.weights.sum())
        self.fidelity_ = float(rows.weights[alike].sum()) / total if total > 0 else float("nan")
        return tree

    def _with_unlabelled(self, table: Table) -> Table:
        """The rows of the table, and the unlabelled ones below them, with weight 1."""
        try:
            more = prediction_table(self, self.unlabelled, self.ensemble_, whole=True)
        except ValueError as error:
            raise ValueError(f"unlabelled must have the columns of the other rows: {error}") from None
        return table.with_target(None).stacked(more.with_target(None).with_weights(None))

    def _described(self) -> str:
        forms = {"trees": "t", "mixed": "td", "data": "d"}
        exact = " exact" if self.stop == "exact" else ""
        return f"ISM_{forms[self.estimate]}{'u' if self.unlabelled is not None else ''}{exact}"

    def disagreements(self, X: Any, min_rows: float = 2) -> RuleList:
        """Where tree and ensemble disagree, as rules: regions in which most of some rows are labelled otherwise.

        Parameters
        ----------
        X : array, frame or Table
            The rows to compare on; ``clearwood.evaluate.uniform_examples(table)`` makes rows from all over the domain.
        min_rows : float
            A rule covers at least so many of them.
        """
        check_is_fitted(self)
        check_number("min_rows", min_rows, 0, open_ends=True)
        table = prediction_table(self, X, self.ensemble_, whole=True)
        return disagreement_rules(table, self.tree_.predict(table) != self.ensemble_.predict(table), min_rows)
