"""LinearTreeClassifier: trees with hyper-planes, evolved as a whole."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from clearwood.evaluate.resampling import check_cv_parameter
from clearwood.evolve.base import EvolvedClassifier
from clearwood.evolve.linear.islands import IslandSearch
from clearwood.evolve.linear.leaf_price import PAPER_PRICE, PRICES, LeafPriceSearch, priced
from clearwood.evolve.linear.nodes import linear_tree
from clearwood.evolve.linear.scaling import scale
from clearwood.evolve.linear.search import FIRST_TREES, TESTS, LinearSearch, Settings
from clearwood.evolve.run import run
from clearwood.learn.checks import check_choice, check_number
from clearwood.learn.confidence_level import counted_folds
from clearwood.learn.randomness import generator
from clearwood.learn.rare_values import RareValues
from clearwood.table import Table
from clearwood.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["LinearTreeClassifier"]


class LinearTreeClassifier(EvolvedClassifier):
    """A tree whose tests are hyper-planes, found by evolution of whole trees (GDT of Krętowski and Grześ, 2006).

    A population of trees is mutated, crossed and selected. A tree's fitness is its accuracy on the training rows less
    ``alpha`` times its complexity, which counts leaves and tests, a test the more the more features it has. So small
    trees with few features in each test win, and features that tell nothing are left out.

    Parameters
    ----------
    alpha : float or "cv"
        The price of a unit of complexity; larger values give smaller trees. ``"cv"`` takes the one of 0.01, 0.005,
        0.0025, 0.001 and 0.0004 whose trees err least in cross-validation, of equals the dearest, for the time of
        twenty-five more searches. Where ``min_leaf`` is None, the smallest leaf goes down with a price below the
        paper's 0.005, to 2 rows at least.
    beta : float between 0 and 1
        How much of a test's complexity depends on its number of features.
    tests : {"linear", "univariate", "mixed"}
        Hyper-planes; tests of one feature, which may be nominal; or both in the same tree.
    max_terms : int or None
        The features of one test, at most; None sets no limit but that of ``objects_per_weight``.
    first_trees : {"logistic", "dipolar"}
        Where the search begins. Tests of the first trees part two rows of different classes ("dipolar", as in the
        paper); with "logistic" some of the first trees are one plane, that of a logistic regression of a class against
        the others, so the result is never less fit than those, as far as its node has rows enough for their weights.
    mutation_rate : float between 0 and 1
        How often a tree is mutated in a generation; with ``mutation="nodes"`` how often each node is.
    mutation : {"tree", "nodes"}
        Mutate one node of a tree, chosen by rank, or each node with a small chance (0.05, say), as was done before.
    crossover_rate : float between 0 and 1
        How often a pair of trees exchanges parts.
    objects_per_weight : float
        A test has at most one weight for so many training rows at its node.
    min_leaf : float or None
        Nodes with fewer rows are removed. None is a twentieth of the rows, but at least 5 and at most 15.
    min_value_rows : int
        In a nominal column of more than ten values, those with fewer training rows are not told apart, so that a column
        of names cannot divide the rows at will; 1 allows every set.
    max_leaves : int
        The most leaves that a tree may have.
    cv : int or splits
        The folds by which ``alpha="cv"`` chooses.
    population_size : int
        How many trees there are.
    generations : int
        The most generations.
    patience : int
        The search ends after so many generations without a better tree.
    islands : int
        Populations that evolve apart, each of ``population_size``, and hand their best tree to the next one now and
        then: another search, for many cores or several machines.
    migration_every : int
        After how many generations they do.
    class_weight : dict, "balanced" or None
        Factors for the weights of the classes' rows.
    random_state : int, generator or None
        Where all randomness starts.
    n_jobs : int or None
        Threads that share the trees; the result is the same for any number. With several islands joblib's workers, each
        with islands of its own: threads, or what ``joblib.parallel_config`` names (processes, Dask, Ray).
    checkpoint : path or None
        A file that keeps the state of the search. A run that finds it there goes on from it.
    progress : callable, bool or None
        None shows a bar on a terminal, True always, False never; a function is called as
        ``progress(done, total, row)``.

    Attributes
    ----------
    tree_ : Tree
        The best tree, in the units of the data.
    fitness_ : float
        Its fitness in the search.
    alpha_ : float
        The price that was used.
    alpha_errors_ : dict of float or None
        With ``alpha="cv"`` the cross-validated error of each price.
    history_ : History
        Columns ``generation``, ``best_fitness``, ``mean_fitness``, ``leaves`` of the best; since the line before the
        ``mutations``, which are trees that were changed, and the ``gains``, which are those that became fitter by it;
        and the same by node, ``node_mutations`` and ``node_gains``. With ``mutation="tree"`` one node of a tree is
        changed, and both are the same.
    interrupted_ : bool
        Whether Ctrl-C ended the search early; the tree is then the best so far.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from clearwood import LinearTreeClassifier, artificial
    >>> table = artificial.ls2(300, noise=0.5, random_state=0)
    >>> clf = LinearTreeClassifier(generations=200, random_state=0).fit(table)
    >>> clf.tree_.n_leaves, clf.tree_.features
    (2, ('x1', 'x2'))
    """

    fitness_: float
    alpha_: float
    alpha_errors_: dict[float, float] | None
    _drops_weightless = False  # the splits of cv count all rows

    def __init__(
        self,
        *,
        alpha: float | str = PAPER_PRICE,
        beta: float = 0.5,
        tests: str = "linear",
        max_terms: int | None = None,
        first_trees: str = "logistic",
        mutation_rate: float = 0.5,
        mutation: str = "tree",
        crossover_rate: float = 0.2,
        objects_per_weight: float = 5,
        min_leaf: float | None = None,
        min_value_rows: int = 10,
        max_leaves: int = 64,
        cv: Any = 5,
        population_size: int = 100,
        generations: int = 5000,
        patience: int = 500,
        islands: int = 1,
        migration_every: int = 50,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        checkpoint: Any = None,
        progress: Any = None,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.tests = tests
        self.max_terms = max_terms
        self.first_trees = first_trees
        self.mutation_rate = mutation_rate
        self.mutation = mutation
        self.crossover_rate = crossover_rate
        self.objects_per_weight = objects_per_weight
        self.min_leaf = min_leaf
        self.min_value_rows = min_value_rows
        self.max_leaves = max_leaves
        self.cv = cv
        self.population_size = population_size
        self.generations = generations
        self.patience = patience
        self.islands = islands
        self.migration_every = migration_every
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.progress = progress

    def _check_parameters(self) -> None:
        if isinstance(self.alpha, str):
            if self.alpha != "cv":
                raise ValueError(f"alpha must be 'cv' or a number of at least 0, got {self.alpha!r}.")
        else:
            check_number("alpha", self.alpha, 0)
            if self.alpha == float("inf"):
                raise ValueError(f"alpha must be finite, got {self.alpha!r}; with 1 the tree is a leaf already.")
        check_cv_parameter(self.cv)
        for name in ("beta", "mutation_rate", "crossover_rate"):
            check_number(name, getattr(self, name), 0, 1)
        check_choice("tests", self.tests, TESTS)
        check_number("max_terms", self.max_terms, 1, whole=True, none=True)
        check_choice("first_trees", self.first_trees, FIRST_TREES)
        check_choice("mutation", self.mutation, ("tree", "nodes"))
        check_number("objects_per_weight", self.objects_per_weight, 0, open_ends=True)
        check_number("min_leaf", self.min_leaf, 1, none=True)
        check_number("min_value_rows", self.min_value_rows, 1, whole=True)
        check_number("max_leaves", self.max_leaves, 1, 1_000_000, whole=True)
        check_number("population_size", self.population_size, 2, 1_000_000, whole=True)
        check_number("generations", self.generations, 1, whole=True)
        check_number("patience", self.patience, 1, whole=True)
        check_number("islands", self.islands, 1, whole=True)
        check_number("migration_every", self.migration_every, 1, whole=True)
        self._check_search()

    def _grow(self, table: Table, labels: tuple[Any, ...]) -> Tree:
        self._check_columns(table)
        rare = RareValues(table, self.min_value_rows)
        table = rare.table
        scaled = scale(table)
        given = Settings(**{name: getattr(self, name) for name in Settings.__slots__})
        rng = generator(self.random_state)
        seed = int(rng.integers(2**63))
        self.alpha_, self.alpha_errors_ = self._choose_price(given, table, rng)
        settings = priced(given, self.alpha_, len(scaled.rows), chosen=self.alpha == "cv")
        search: LinearSearch | IslandSearch
        if self.islands == 1:
            search = LinearSearch(settings, scaled, seed, self.n_jobs)
        else:
            seeds = [seed, *(int(number) for number in rng.integers(2**63, size=self.islands - 1))]
            search = IslandSearch(settings, table, seeds, self.migration_every, self.n_jobs)
        self._run(search, table)
        self.fitness_ = search.best_fitness
        return rare.spread(linear_tree(search.best_tests, scaled, table, labels, self._described()))

    def _choose_price(
        self, given: Settings, table: Table, rng: np.random.Generator
    ) -> tuple[float, dict[float, float] | None]:
        """The price to use, and the error of each price where it was chosen."""
        if self.alpha != "cv":
            return float(self.alpha), None
        counted, folds = counted_folds(table, self.cv, rng)
        n_folds = int(folds.max(initial=0)) + 1
        if n_folds < 2:
            return PAPER_PRICE, None  # one row: nothing to choose by
        search = LeafPriceSearch(given, counted, folds, [int(rng.integers(2**63)) for _ in range(n_folds)], self.n_jobs)
        run(
            search,
            title=f"{type(self).__name__}, price of a leaf",
            progress=self.progress,
            checkpoint=None if self.checkpoint is None else f"{os.fspath(self.checkpoint)}.prices",
            fingerprint=self._fingerprint(table),
            following=1 / search.errors.size,
        )
        return search.best, dict(zip(PRICES, search.errors.mean(axis=1).tolist(), strict=True))

    def _check_columns(self, table: Table) -> None:
        nominal = [column.name for column in table.columns if column.is_nominal]
        if self.tests != "linear" or not nominal:
            return
        if len(nominal) == table.n_features:
            raise ValueError(
                "tests='linear' needs numeric columns for its hyper-planes, but all columns are nominal; "
                "pass tests='mixed', which tests nominal columns too."
            )
        warnings.warn(
            f"tests='linear' does not use the nominal columns ({', '.join(map(repr, nominal[:5]))}); "
            "pass tests='mixed' to use them.",
            UserWarning,
            stacklevel=4,
        )

    def _described(self) -> str:
        return {"linear": "Linear", "univariate": "Evolved univariate", "mixed": "Mixed linear"}[self.tests]

    def plot_history(self, ax: Axes | None = None) -> Axes:
        """Draw the best and the mean fitness against the generations."""
        check_is_fitted(self)
        return self.history_.plot(ax, columns={"best_fitness": "best fitness", "mean_fitness": "mean fitness"})
