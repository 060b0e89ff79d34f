"""ParetoTreeClassifier: the best tree of every size, and the size that the data supports."""

from __future__ import annotations

import os
import time
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from clearwood.evaluate.fronts import Front, FrontEntry, cross_validated, error_on
from clearwood.evaluate.resampling import check_cv_parameter
from clearwood.evaluate.structural_risk import RULES, choose_within
from clearwood.evolve.base import EvolvedClassifier
from clearwood.evolve.pareto.certificates import Certificates, default_work
from clearwood.evolve.pareto.folds import FoldsSearch
from clearwood.evolve.pareto.objectives import check_objectives, mean_cost, priced
from clearwood.evolve.pareto.search import FrontSearch
from clearwood.evolve.pareto.settings import FrontSettings
from clearwood.evolve.pareto.starters import Starters
from clearwood.evolve.pareto.targets import TARGETS, FoundTree, SearchedRows, Targets
from clearwood.evolve.pareto.trees import leaf_tree
from clearwood.evolve.run import run
from clearwood.kernels.pareto.objectives import PriceKind
from clearwood.learn.checks import check_choice, check_flag, check_number
from clearwood.learn.confidence_level import counted_folds
from clearwood.learn.front_choice import FrontChoice
from clearwood.learn.randomness import generator
from clearwood.learn.rare_values import RareValues
from clearwood.read.notes import warn
from clearwood.table import Table
from clearwood.threads import count_threads
from clearwood.tree import Tree
from clearwood.wording import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ParetoTreeClassifier"]


class ParetoTreeClassifier(FrontChoice, EvolvedClassifier):
    """The best tree of every size that evolution finds, and the size chosen by structural risk minimisation.

    Binary trees compete in groups of four, ranked in layers: trees that no other of the group dominates in number of
    leaves and training error come first, then those that only the first dominate, and so on. The two first stay, and
    their offspring, by crossover and five mutations, replace the two last. A pool keeps the best tree of each size and
    enters the population anew in every generation.

    Parameters
    ----------
    population_size : int
        How many trees evolve.
    generations : int
        How many generations there are.
    time_limit : float or None
        The most seconds that fit should take, about: the search ends when its part of them is spent, that of each fold
        after as many generations, and folds that are not reached are left out. The result then depends on the machine.
    max_leaves : int
        The largest trees.
    min_value_rows : int
        In a nominal column of more than ten values, those with fewer training rows are not told apart, so that a column
        of names cannot divide the rows at will; 1 allows every set.
    targets : {"labels", "distilled"}
        What the trees are to fit: the classes of the rows; or also 3,000 made-up rows, mixed from the cells of real
        ones, with the classes that a forest gives them, which weigh as much as the real ones together. Few rows are
        then over-fitted less, for some seconds more; in the folds each search has a forest of its training rows.
    crossover_rate, mutation_rate : float between 0 and 1
        How often the offspring of two parents swap subtrees, and how often one is mutated.
    tournament_size : int
        The trees in a group; at least 4.
    ranking : {"dominance", "error"}
        How the trees of a group are ranked: in layers by leaves and error, or by the error alone, which the paper found
        to stick to large trees.
    elites : int or None
        How many trees of the pool, drawn anew, enter each generation; None for all, as in the paper.
    selection : "srm", "half_se", "one_se" or int
        How ``tree_`` is chosen: the size with the least cross-validated error, the smallest that is above it by at most
        half a standard error of the difference, the smallest within one standard error of it, or that number of
        leaves (fewer where no such tree was found), without cross-validation.
    cv : int or splits
        The folds. Each needs a search of its own, so they take most of the time.
    cv_repeats : int
        How often the folds are dealt anew.
    leaf_classes : {"majority", "evolved"}
        Whether a leaf says its most frequent class, or a class that evolves like the tests do.
    objectives : sequence of str
        ``"leaves"`` and ``"error"``, and if wanted ``"features"``, the number of features tested, and ``"cost"``, what
        the tests cost for a row. With a further objective the front has several trees of a size.
    test_costs : mapping of names to numbers, or None
        What it costs to know a feature, 1 where nothing is said; for ``"cost"``.
    seeds : Tree, learner, name of a learner, or a list of those
        Trees that enter the first population. A learner that is not fitted is fitted to the rows at hand, so it also
        enters the searches of the folds; trees and fitted learners do not, since they have seen the folds' test rows.
    improvements : int or None
        How many trial trees get the exactly best test at some of their nodes in each generation. 0 is the search of
        the paper and nothing else; None is 16, and fewer where rows times columns exceed 60,000. From 20,000 rows on
        those of several generations come together.
    polish : bool or None
        Whether each search ends with the greedy trees of every size, grown best first by Gini's index and by entropy,
        where they have fewer training errors than the tree that evolved; and then with the exactly best subtree of up
        to four leaves and two levels in place of each small subtree. It takes about a tenth of the time. None is True
        unless ``improvements`` is 0.
    certify : bool or int
        Whether to look, after the search, for the fewest errors that trees of two, three and four leaves can make, and
        for trees of up to eight leaves and three levels, by exhaustive search: ``front_`` then says which of its trees
        are proved to be best. A number is the most rows that may be looked at for it, each counted as often as it is,
        and twice as often where there are more than two classes. True is 60 to 250 for each tree of each generation,
        the folds' searches included, and the more the larger the table is, so that it adds a sixth to the time of
        ``fit`` at most. Nominal columns of more than six values are too much for it.
    islands : int
        Populations that evolve apart, each of ``population_size``, and offer each other their pools now and then:
        another search, which keeps more cores busy.
    migration_every : int
        After how many generations they do.
    class_weight : dict, "balanced" or None
        Factors for the weights of the classes' rows.
    random_state : int, generator or None
        Where all randomness starts.
    n_jobs : int or None
        Threads that share the folds, islands, or the groups and columns of a large table; the result is the same for
        any number. Those that the search of all rows has no use for begin with the folds, unless there is a
        ``checkpoint`` or ``time_limit``.
    checkpoint : path or None
        A file that keeps the state of the search; that of the folds is kept beside it, with ``.folds`` added.
    progress : callable, bool or None
        None shows a bar on a terminal, True always, False never; a function is called as
        ``progress(done, total, row)``.

    Attributes
    ----------
    tree_ : Tree
        The chosen tree. If it is distilled, a leaf has the weight of its training rows, shared out over the classes as
        these and the made-up rows are.
    front_ : Front
        For each number of leaves the best tree found: entries with ``n_leaves``, ``tree``, ``training_error``,
        ``cv_error``, ``cv_interval``, ``n_features``, ``cost``, ``fidelity``, ``lower_bound`` and ``proved``. Errors
        are always those of real rows.
    teacher_ : ForestClassifier or None
        Who labelled the made-up rows: a forest, blended with regressions as in :class:`DistilledTreeClassifier`.
    n_leaves_ : int
        The chosen size.
    history_ : History
        Columns ``generations``, ``hypervolume`` and ``error_2``, ``error_3`` …: the least error up to that size, on
        the rows that are searched.
    interrupted_ : bool
        Whether Ctrl-C ended the search early; all is then the best so far.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import ParetoTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = ParetoTreeClassifier(generations=50, max_leaves=8, selection=3, random_state=0).fit(X, y)
    >>> [round(150 * entry.training_error) for entry in clf.front_][:4]
    [50, 6, 3, 2]
    >>> [entry.proved for entry in clf.front_][:4]
    [True, True, True, False]
    >>> clf.tree_.n_leaves, clf.choose(5).tree_.n_leaves
    (3, 5)

    Trees that fit what a forest knows say how many rows were made up:

    >>> clf = ParetoTreeClassifier(targets="distilled", generations=20, max_leaves=8, selection=3, random_state=0)
    >>> clf.fit(X, y).tree_.remark.partition(";")[0], round(clf.front_.of_size(3).fidelity, 2)
    ("3,000 more rows were made up, with a forest's classes", 0.96)
    """

    teacher_: Any
    _drops_weightless = False  # the splits of cv count all rows

    def __init__(
        self,
        *,
        population_size: int = 500,
        generations: int = 1000,
        time_limit: float | None = None,
        max_leaves: int = 35,
        min_value_rows: int = 10,
        targets: str = "labels",
        crossover_rate: float = 0.6,
        mutation_rate: float = 0.2,
        tournament_size: int = 4,
        ranking: str = "dominance",
        elites: int | None = None,
        selection: str | int = "srm",
        cv: Any = 10,
        cv_repeats: int = 1,
        leaf_classes: str = "majority",
        objectives: Any = ("leaves", "error"),
        test_costs: Any = None,
        seeds: Any = None,
        improvements: int | None = None,
        polish: bool | None = None,
        certify: bool | int = True,
        islands: int = 1,
        migration_every: int = 25,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        checkpoint: Any = None,
        progress: Any = None,
    ) -> None:
        self.population_size = population_size
        self.generations = generations
        self.time_limit = time_limit
        self.max_leaves = max_leaves
        self.min_value_rows = min_value_rows
        self.targets = targets
        self.crossover_rate = crossover_rate
        self.mutation_rate = mutation_rate
        self.tournament_size = tournament_size
        self.ranking = ranking
        self.elites = elites
        self.selection = selection
        self.cv = cv
        self.cv_repeats = cv_repeats
        self.leaf_classes = leaf_classes
        self.objectives = objectives
        self.test_costs = test_costs
        self.seeds = seeds
        self.improvements = improvements
        self.polish = polish
        self.certify = certify
        self.islands = islands
        self.migration_every = migration_every
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.progress = progress

    def _check_parameters(self) -> None:
        check_number("tournament_size", self.tournament_size, 4, 64, whole=True)
        check_number("population_size", self.population_size, self.tournament_size, 1_000_000, whole=True)
        check_choice("ranking", self.ranking, ("dominance", "error"))
        check_number("elites", self.elites, 0, 2**31 - 1, whole=True, none=True)
        check_number("generations", self.generations, 1, whole=True)
        check_number("time_limit", self.time_limit, 0, open_ends=True, none=True)
        check_number("max_leaves", self.max_leaves, 2, 10_000, whole=True)
        check_number("min_value_rows", self.min_value_rows, 1, whole=True)
        check_choice("targets", self.targets, TARGETS)
        for name in ("crossover_rate", "mutation_rate"):
            check_number(name, getattr(self, name), 0, 1)
        if isinstance(self.selection, str):
            check_choice("selection", self.selection, RULES)
        else:
            check_number("selection", self.selection, 2, self.max_leaves, whole=True)
        check_cv_parameter(self.cv)
        check_number("cv_repeats", self.cv_repeats, 1, whole=True)
        check_choice("leaf_classes", self.leaf_classes, ("majority", "evolved"))
        check_objectives(self.objectives, self.test_costs)
        check_number("improvements", self.improvements, 0, 1_000_000, whole=True, none=True)
        if self.polish is not None:
            check_flag("polish", self.polish)
        if not isinstance(self.certify, bool | np.bool_):
            check_number("certify", self.certify, 0, 2**62, whole=True)
        check_number("islands", self.islands, 1, whole=True)
        check_number("migration_every", self.migration_every, 1, whole=True)
        Starters(self.seeds)
        self._check_search()

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        rng = generator(self.random_state)
        seed, deal = int(rng.integers(2**62)), rng.spawn(1)[0]
        cross_validating = isinstance(self.selection, str)
        cv = self.cv if cross_validating else 2
        rare = RareValues(table, self.min_value_rows)
        original = table.take(table.counted) if self.targets == "distilled" else None
        table, folds = counted_folds(rare.table, cv, deal)
        settings = FrontSettings.of(self, table)
        starters = Starters(self.seeds)
        threads = count_threads(self.n_jobs)
        begun = time.monotonic()
        targets = Targets(table, original, labels)
        rows = targets.on_all(seed, self.n_jobs)
        search = FrontSearch(rows.table, settings, seed, starters.all_trees(rows.table), threads)
        judging = None
        if cross_validating and folds.max(initial=0) > 0:
            deals = [folds, *(counted_folds(table, cv, deal)[1] for _ in range(self.cv_repeats - 1))]
            seeds = [int(deal.integers(2**62)) for f in deals for _ in range(int(f.max()) + 1)]
            judging = FoldsSearch(targets, deals, settings, seeds, starters.grown_trees, threads)
        n_folds = self.cv_repeats * int(folds.max(initial=0) + 1) if cross_validating else 0
        # checkpoints and limits of time have the folds in a part of their own; else they need not wait for the search
        apart = self.checkpoint is not None or self.time_limit is not None
        n_beside = 0 if judging is None or apart else judging.n_beside(search)
        with closing(search), nullcontext() if judging is None else judging.begun(n_beside):
            search.use_threads(threads - n_beside)
            self._run(
                search,
                table,
                None if self.time_limit is None else begun + self.time_limit / (1 + n_folds),
                following=(n_folds - n_beside) / max(1, min(threads, n_folds)),
            )
            if judging is not None and judging.finished:
                search.use_threads(threads)
            certificates = self._ended(search, 1 + n_folds)
        errors, test_share = None, 0.0
        if judging is not None and not self.interrupted_:
            if self.time_limit is not None:
                judging.use_generations(max(1, search.done))
            until = None if self.time_limit is None else begun + self.time_limit
            errors = self._cross_validate(judging, table, until)
            test_share = 1 / int(folds.max())
        self._ways = [
            *(["sends rows that lack a value down one branch"] if search.bits.has_missing.any() else []),
            *([f"keeps values of fewer than {self.min_value_rows} rows together"] if rare.columns else []),
        ]
        self.teacher_ = None if rows.teacher is None else rows.teacher.model
        self.front_ = self._front(search, rows, labels, errors, test_share, rare, certificates)
        tree = self._chosen(choose_within(self.front_, self.selection))
        if self._stops_at_the_limit:
            warn(
                f"the size chosen is the largest that was searched, max_leaves={self.max_leaves}; larger trees may do "
                f"better: try max_leaves={2 * self.max_leaves}."
            )
        return tree

    @property
    def _stops_at_the_limit(self) -> bool:
        """Whether a rule chose the largest size that the search may have."""
        return self._choice.rule in RULES and self.n_leaves_ == self.max_leaves

    def _ended(self, search: FrontSearch, n_searches: int) -> Certificates | None:
        """End a search, and see what can be proved of its trees; None if nobody asks, or if they fit made-up rows."""
        if self.interrupted_:
            return None
        asked = not isinstance(self.certify, bool | np.bool_)
        try:
            search.polish()  # the time may have been up before
            if not self.certify or self.targets != "labels":
                return None
            return Certificates(search, int(self.certify) if asked else default_work(search, n_searches))
        except KeyboardInterrupt:
            self.interrupted_ = True
            warn("interrupted after the generations: the result is the best found so far.")
            return None

    def _cross_validate(self, search: FoldsSearch, table: Table, deadline: float | None) -> np.ndarray | None:
        """The errors of each size in each fold that was finished; None if fewer than two were."""
        with closing(search):
            outcome = run(
                search,
                title=f"{type(self).__name__}, folds",
                progress=self.progress,
                checkpoint=None if self.checkpoint is None else f"{os.fspath(self.checkpoint)}.folds",
                fingerprint=self._fingerprint(table),
                deadline=deadline,
            )
        self.interrupted_ = outcome.interrupted
        known = search.errors[np.isfinite(search.errors[:, 0])]
        return known if len(known) > 1 else None

    def _front(
        self,
        search: FrontSearch,
        rows: SearchedRows,
        labels: tuple[Any, ...],
        errors: np.ndarray | None,
        test_share: float,
        rare: RareValues,
        certificates: Certificates | None,
    ) -> Front:
        found = rows.trees(search, labels)
        if not found:  # nothing splits the rows, or there is nothing to tell apart
            leaf = leaf_tree(rows.real, labels)
            found = [FoundTree(leaf, error_on(leaf, rows.real))]
        costs = self._costs(rows.real)
        entries = [
            FrontEntry(
                tree.n_leaves,
                tree,
                error,
                n_features=len(tree.features),
                cost=float("nan") if costs is None else mean_cost(tree, costs),
                learner=tree.learner,
                fidelity=rows.fidelity(tree),
                lower_bound=float("nan") if certificates is None else certificates.lower_bound(tree.n_leaves),
            )
            for tree, error in ((rare.spread(tree), error) for tree, error in found)
        ]
        if errors is None:
            return Front(entries)
        return cross_validated(entries, errors[:, [entry.n_leaves for entry in entries]], test_share)

    def _costs(self, table: Table) -> np.ndarray | None:
        kinds, prices = priced(self.objectives, self.test_costs, table)
        return prices[kinds.index(PriceKind.EACH_ROW)] if PriceKind.EACH_ROW in kinds else None

    # -- afterwards -----------------------------------------------------------------------------

    def explain_choice(self) -> str:
        """Why this size was chosen, what two rules more would buy, and whether larger trees may do better."""
        words = super().explain_choice()
        entry = self.front_.of_size(self.n_leaves_)
        if entry.proved:
            kinds = " and ".join(["tests one feature at a time", *self._ways])
            words += (
                f"\nNo tree of {plural(entry.n_leaves, 'leaf', 'leaves')} that {kinds} gets fewer training rows wrong: "
                "that is proved."
            )
        if self._stops_at_the_limit:
            words += "\nIt is the largest size that was searched: with a larger max_leaves the error may be less."
        return words

    def plot_search(self, ax: Axes | None = None) -> Axes:
        """Draw the front at some moments of the search."""
        check_is_fitted(self)
        from clearwood.view.front_figure import plot_front_during

        return plot_front_during(self.history_, ax)

    def plot_history(self, ax: Axes | None = None) -> Axes:
        """Draw the hypervolume and the least error up to a few sizes against the generations."""
        check_is_fitted(self)
        sizes = [size for size in (2, 4, 8, 16, 32) if f"error_{size}" in self.history_]
        columns = {"hypervolume": "hypervolume"} | {f"error_{size}": f"error, {size} leaves" for size in sizes}
        return self.history_.plot(ax, columns=columns)
