"""SET-GEN: genetic search for the feature subset from which a greedy learner grows a small, accurate tree."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from clearwood.evaluate.resampling import check_cv_parameter, folds_of
from clearwood.evolve.base import EvolvedClassifier
from clearwood.evolve.setgen.search import Settings, SubsetSearch
from clearwood.evolve.setgen.trees import SubsetTrees
from clearwood.evolve.setgen.units import SubsetUnits, check_types
from clearwood.learn.base import TreeClassifier
from clearwood.learn.c45 import C45Classifier
from clearwood.learn.checks import check_choice, check_number
from clearwood.learn.confidence_level import choose_confidence, counted_folds
from clearwood.learn.randomness import generator
from clearwood.learn.rare_values import RareValues
from clearwood.learn.registry import LEARNERS, make_learner
from clearwood.table import Table
from clearwood.threads import count_threads
from clearwood.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SetGenClassifier", "SetGenSettings"]


class SetGenSettings(BaseEstimator):
    """The parameters that SET-GEN has as a classifier and as a selector of features."""

    def __init__(
        self,
        *,
        population_size: int = 100,
        evaluations: int = 5000,
        genome_size: int | None = None,
        crossover_rate: float = 0.1,
        mutation_rate: float = 0.1,
        operator_shares: Sequence[float] = (1, 1, 1),
        cv: Any = 10,
        accuracy_weight: float = 0.75,
        confidence: float | str | None = "cv",
        base_learner: Any = None,
        feature_costs: Any = None,
        groups: Any = None,
        batch_size: int = 1,
        redeal_every: int | None = None,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        checkpoint: Any = None,
        progress: Any = None,
    ) -> None:
        self.population_size = population_size
        self.evaluations = evaluations
        self.genome_size = genome_size
        self.crossover_rate = crossover_rate
        self.mutation_rate = mutation_rate
        self.operator_shares = operator_shares
        self.cv = cv
        self.accuracy_weight = accuracy_weight
        self.confidence = confidence
        self.base_learner = base_learner
        self.feature_costs = feature_costs
        self.groups = groups
        self.batch_size = batch_size
        self.redeal_every = redeal_every
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.progress = progress


class SetGenClassifier(SetGenSettings, EvolvedClassifier):
    """A tree grown from the features that a genetic search chose for accuracy, size and number.

    Each subset is judged by cross-validated trees: fitness is ``w A + (1 - w) (1 - (S + F) / 2)``, with the mean
    accuracy A on the folds' test rows, the mean number of nodes S by the mean number (weight) of training rows, and the
    share F of the features that are in the subset. The final tree is grown from all rows with the best subset.

    Parameters
    ----------
    population_size : int
        How many subsets are kept.
    evaluations : int
        How many subsets are judged in all; one that was seen before counts, but costs nothing.
    genome_size : int or None
        The most features that a subset can hold; None for as many as there are. Fewer make smaller trees, sooner.
    crossover_rate : float between 0 and 1
        The share of a child's entries that come from its second parent.
    mutation_rate : float between 0 and 1
        The share of entries that a mutation fills anew.
    operator_shares : three numbers
        How often a child is made by crossover, by mutation and by leaving out one feature, each relative to their sum.
    cv : int or splits
        The folds that judge a subset; no more than there are rows. Splits, as scikit-learn has them, must test every
        row once.
    accuracy_weight : float between 0 and 1
        The weight w of accuracy; the rest is that of simplicity.
    confidence : "cv", float between 0 and 1, or None
        C4.5's pruning level. ``"cv"`` chooses it first, from 5 %, 15 % … 95 %, by cross-validating C4.5 with all
        features; None leaves what the base learner has. Learners without a confidence prune in their own way.
    base_learner : estimator, name or None
        Any of the greedy learners, or its name (``"cart"``); None is ``C45Classifier(error_estimate="c4.5")``.
    feature_costs : mapping of names to numbers, or None
        What it costs to know a feature, 1 where nothing is said: F becomes the share of the total cost, so that cheap
        features are preferred. A group can be given by its name.
    groups : lists of features, mapping of names to such lists, or None
        Features that come and go together, such as the columns of one measurement.
    batch_size : int
        How many children are made from the same population and judged together. 1 is the paper's loop; more is another
        search.
    redeal_every : int or None
        None deals the folds once, as in the paper; the best of thousands of subsets then looks better than it is, most
        of all where rows are few and classes many. A number deals them anew after so many evaluations, and once more at
        the end: the population is judged on the new folds too, and its members have the means of all their folds. It
        needs a whole number for ``cv``.
    class_weight : dict, "balanced" or None
        Factors for the weights of the classes' rows.
    random_state : int, generator or None
        Where all randomness starts.
    n_jobs : int or None
        Threads that share the folds, and the subsets of children that are foreseen; the result is the same for any
        number.
    checkpoint : path or None
        A file that keeps the state of the search. A run that finds it there goes on from it.
    progress : callable, bool or None
        None shows a bar on a terminal, True always, False never; a function is called as
        ``progress(done, total, row)``.

    Attributes
    ----------
    tree_ : Tree
        The final tree; its columns are the chosen features, so a table to predict needs no others.
    features_ : tuple of str
        The best subset. The tree may test fewer.
    feature_frequency_ : dict of float
        The share of the final population's subsets that hold each feature.
    confidence_ : float or None
        The pruning level that was used.
    fitness_ : float
        The best subset's fitness.
    history_ : History
        Columns ``evaluations``, ``best_fitness``, ``mean_fitness``, ``A``, ``S``, ``F`` of the best, and ``distinct``,
        how many different subsets had been judged.
    interrupted_ : bool
        Whether Ctrl-C ended the search early; the tree is then the best so far.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from clearwood import SetGenClassifier
    >>> wine = load_wine(as_frame=True)
    >>> clf = SetGenClassifier(evaluations=300, random_state=0).fit(wine.data, wine.target)
    >>> len(clf.features_) < 7, clf.tree_.n_leaves < 9
    (True, True)
    """

    _drops_weightless = False  # the splits of cv count all rows

    def _check_parameters(self) -> None:
        check_number("population_size", self.population_size, 2, 1_000_000, whole=True)
        check_number("evaluations", self.evaluations, 1, whole=True)
        check_number("genome_size", self.genome_size, 1, 1_000_000, whole=True, none=True)
        for name in ("crossover_rate", "mutation_rate", "accuracy_weight"):
            check_number(name, getattr(self, name), 0, 1)
        self._check_shares()
        check_cv_parameter(self.cv)
        check_number("batch_size", self.batch_size, 1, whole=True)
        check_number("redeal_every", self.redeal_every, 1, whole=True, none=True)
        if self.redeal_every is not None and not isinstance(self.cv, numbers.Integral):
            raise ValueError(f"redeal_every deals the folds itself, so cv must be a whole number, got {self.cv!r}.")
        if isinstance(self.confidence, str):
            if self.confidence != "cv":
                raise ValueError(f"confidence must be 'cv', a number between 0 and 1 or None, got {self.confidence!r}.")
        else:
            check_number("confidence", self.confidence, 0, 1, open_ends=True, none=True)
        check_types(self.groups, self.feature_costs)
        self._check_search()
        self._base()

    def _check_shares(self) -> None:
        given = self.operator_shares
        if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != 3:
            raise ValueError(
                f"operator_shares must hold three numbers, for crossover, mutation and leaving out, as in [1,2,3], "
                f"got {given!r}."
            )
        for share in given:
            check_number("operator_shares", share, 0)
        if not 0 < sum(given) < float("inf"):
            raise ValueError(f"operator_shares must not all be 0 or infinite, got {given!r}.")

    def _base(self) -> TreeClassifier:
        """The base learner as it will be used, its parameters checked."""
        given = C45Classifier(error_estimate="c4.5") if self.base_learner is None else self.base_learner
        if isinstance(given, str):
            check_choice("base_learner", given.partition(":")[0], LEARNERS)
            given = make_learner(given)
        if not isinstance(given, TreeClassifier) or isinstance(given, EvolvedClassifier):
            raise TypeError(
                "base_learner must be a learner that grows its tree without a search, such as C45Classifier() or "
                f"CARTClassifier(), got {given!r}."
            )
        weighted = getattr(given, "class_weight", None)
        if weighted is not None:
            raise ValueError(
                f"base_learner has class_weight={weighted!r}; give it to SET-GEN instead, which judges with the same "
                "weights."
            )
        base: TreeClassifier = clone(given)
        params = base.get_params()
        if self.confidence is not None and "confidence" in params:
            base.set_params(confidence=0.25 if self.confidence == "cv" else self.confidence)
        if params.get("random_state", 0) is None:
            base.set_params(random_state=0)
        if "n_jobs" in params:
            base.set_params(n_jobs=self.n_jobs)
        base._check_parameters()
        return base

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        units = SubsetUnits.of(table.feature_names, self.groups, self.feature_costs)
        rng = generator(self.random_state)
        base = self._base()
        rare = RareValues(table, getattr(base, "min_value_rows", 1))  # once for all subsets and folds
        table, folds = counted_folds(rare.table, self.cv, rng)
        n_folds = int(folds.max()) + 1
        if n_folds < 2:
            raise ValueError(f"SET-GEN needs at least 2 rows in 2 folds to cross-validate, got {table.n_rows} sample.")
        judge = SubsetTrees(table, folds, base, self.n_jobs)
        if self.confidence == "cv" and isinstance(base, C45Classifier):
            how = base.growth(), base.pruning(), judge.n_jobs, judge.batch
            base.set_params(confidence=choose_confidence(table, folds, *how))
            judge = judge.at(base)
        self.confidence_ = base.get_params().get("confidence")
        settings = Settings(
            self.population_size,
            self.evaluations,
            self.genome_size or max(units.n_units, 1),
            self.crossover_rate,
            self.mutation_rate,
            self.accuracy_weight,
            self.batch_size,
            tuple(float(share) / sum(self.operator_shares) for share in self.operator_shares),
            self.redeal_every,
        )
        redeal = None
        if self.redeal_every is not None:
            deals = int(rng.integers(2**62))

            def redeal(number: int) -> SubsetTrees:
                anew = folds_of(self.cv, table.y, np.random.default_rng([deals, number]))
                return SubsetTrees(table, anew, base, self.n_jobs)

        n_train, n_threads = table.weights.sum() * (n_folds - 1) / n_folds, count_threads(judge.n_jobs)
        # no more than keep the threads busy: of those that lie further ahead, fewer come
        foresees = 0 if n_threads == 1 else 2 + n_threads // 2
        search = SubsetSearch(settings, units, judge, n_train, rng, redeal, foresees)
        self._run(search, table)
        return rare.spread(self._finish(search, base, table, labels))

    def _finish(self, search: SubsetSearch, base: TreeClassifier, table: Table, labels: tuple[Any, ...]) -> Tree:
        chosen = search.units.mask(search.genomes[search.best])
        self.features_ = tuple(table.columns[i].name for i in np.flatnonzero(chosen))
        self.fitness_ = float(search.quality[search.best, 0])
        frequency = np.mean([search.units.mask(genome) for genome in search.genomes], axis=0)
        self.feature_frequency_ = dict(zip(table.feature_names, frequency.tolist(), strict=True))
        tree = base._grow(table.select(self.features_), labels)
        return tree.by(f"SET-GEN ({tree.learner})")

    def plot_history(self, ax: Axes | None = None) -> Axes:
        """Draw the best and the mean fitness, and the best subset's accuracy, against the evaluations."""
        check_is_fitted(self)
        columns = {"best_fitness": "best fitness", "mean_fitness": "mean fitness", "A": "accuracy of the best"}
        return self.history_.plot(ax, columns=columns)
