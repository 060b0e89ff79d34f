"""Candidates: trees of every learner in every size, grown from the same rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from clearwood.best.plan import Effort
from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["STAGES", "Grown", "Key", "complexity", "grow_stage"]

OWN = 0  # the size of a learner's own choosing


class Key(NamedTuple):
    """Which candidate: the learner, and the most leaves that it was asked for (0 for its own choice)."""

    learner: str
    size: int


class Grown(NamedTuple):
    """What a stage has grown from some rows: trees by key, and what no one can read, by name."""

    trees: dict[Key, Tree]
    yardsticks: dict[str, Callable[[Table], np.ndarray]]


Found = Iterator[tuple[Key, Tree]]


def complexity(tree: Tree) -> int:
    """The size by which trees are compared: leaves, and in weighted sums half a leaf for each term beyond one.

    Each value that a sum asks of a nominal column is a term: each must be read.

    >>> from clearwood import LinearTreeClassifier, artificial
    >>> tree = LinearTreeClassifier(generations=200, random_state=0).fit(artificial.ls2(300, random_state=0)).tree_
    >>> tree.n_leaves, complexity(tree)
    (2, 3)
    """
    terms = np.diff(tree.weight_start)
    return tree.n_leaves + (int((terms[terms > 0] - 1).sum()) + 1) // 2


def grow_stage(stage: str, table: Table, effort: Effort, seed: int, judging: bool) -> Grown:
    """Grow the candidates of a stage.

    Parameters
    ----------
    stage : str
        One of ``STAGES``.
    table : Table
        The rows; each has a class, and weights that say what its errors cost.
    effort : Effort
        How long learners may search.
    seed : int
        Of all that is random in it.
    judging : bool
        Whether yardsticks are wanted.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is odd about the data has been said, once and not for every fit
        return STAGES[stage](table, effort, seed, judging)


# -- greedy ---------------------------------------------------------------------------------------


def _greedy(table: Table, effort: Effort, seed: int, judging: bool) -> Grown:
    from clearwood.learn.c45 import C45Classifier
    from clearwood.learn.cart import CARTClassifier
    from clearwood.learn.distilled.trees import single_leaf

    part = _sample(table, effort.greedy_rows, seed)
    trees = {Key("majority", OWN): single_leaf(table, table.classes, "majority")}
    c45 = C45Classifier(min_gap=0)._grow(part, part.classes)
    trees[Key("C4.5", OWN)] = c45
    trees.update(_cuts("C4.5", c45, effort))
    if any(column.is_nominal for column in part.columns):
        two_way = C45Classifier(min_gap=0, binary_splits=True)._grow(part, part.classes).by("C4.5, two-way splits")
        trees[Key("C4.5, two-way splits", OWN)] = two_way
        trees.update(_cuts("C4.5, two-way splits", two_way, effort))
    cart = CARTClassifier(pruning=None, min_leaf=effort.cart_leaf)
    trees.update(_cuts("CART", cart._grow(part, part.classes), effort))
    return Grown(trees, {})


def _cuts(name: str, tree: Tree, effort: Effort) -> Found:
    """A tree cut back to each size of the ladder, the largest first, since a smaller one is a part of it."""
    from clearwood.learn.weakest_links import cut_to_size

    for size in reversed(effort.greedy_sizes):
        tree = cut_to_size(tree, size)
        yield Key(name, size), tree


# -- distilled ------------------------------------------------------------------------------------


def _distilled(table: Table, effort: Effort, seed: int, judging: bool) -> Grown:
    """Axis-parallel and sparse trees of one teacher, a forest, which is a yardstick besides."""
    from clearwood.learn.coded_cells import coded_cells
    from clearwood.learn.distilled.targets import drawn_cells, drawn_table, soft_rows
    from clearwood.learn.distilled.value_terms import value_terms
    from clearwood.learn.forest import ForestClassifier

    part = _sample(table, effort.search_rows, seed)
    if len(np.unique(part.y)) < 2 or not part.n_features:
        return Grown({}, {})
    rng = np.random.default_rng(seed)
    teacher = ForestClassifier(n_estimators=effort.forest_trees, random_state=int(rng.integers(2**31)), n_jobs=1)
    teacher._grow(part, part.classes)
    source = drawn_cells(part, effort.synthetic, rng)
    drawn = teacher.forest_.predict_proba(drawn_table(part, source), 1)
    cells = coded_cells(part)
    terms = value_terms(part, cells)
    targets = part, cells, teacher.oob_decision_function_, source, drawn
    trees: dict[Key, Tree] = {}
    forms = [("distilled", 1)]
    if len(part.numeric) + len(terms.code) > 1:
        forms.append(("distilled, sparse tests", 3))
    for name, max_terms in forms:
        sizes = effort.distilled_sizes if max_terms == 1 else effort.sparse_sizes
        if sizes:
            weighed = None if max_terms == 1 else terms
            rows = soft_rows(*targets, terms=weighed)
            trees.update(_distilled_sizes(name, max_terms, rows, cells, weighed, part, sizes))
    yardsticks = {"forest": _forest(teacher, part)} if judging else {}
    return Grown(trees, yardsticks)


def _distilled_sizes(
    name: str, max_terms: int, rows: Any, cells: Any, terms: Any, table: Table, sizes: tuple[int, ...]
) -> Found:
    from clearwood.learn.distilled.sizes import Form, search_sizes
    from clearwood.learn.distilled.trees import found_tree

    searched = search_sizes(rows, list(sizes), Form(max_terms, False))
    for size, search in zip(sizes, searched, strict=True):
        search.refresh()
        yield Key(name, size), found_tree(search, cells, table, table.classes, name, terms)


def _forest(teacher: Any, part: Table) -> Callable[[Table], np.ndarray]:
    def asked(table: Table) -> np.ndarray:
        found: np.ndarray = teacher.forest_.predict_proba(table.align(part.columns), 1)
        return found

    return asked


# -- searches -------------------------------------------------------------------------------------


def _pareto(table: Table, effort: Effort, seed: int, judging: bool) -> Grown:
    from clearwood.evolve.pareto.classifier import ParetoTreeClassifier

    part = _sample(table, effort.search_rows, seed)
    largest = effort.pareto_sizes[-1]
    search = ParetoTreeClassifier(
        polish=False, certify=False,
        generations=effort.generations, population_size=200, max_leaves=largest, selection=2, random_state=seed,
        n_jobs=1, progress=False,
    )  # fmt: skip
    search.tree_ = search._grow(part, part.classes)
    _refuse_half(search)
    trees = {}
    for size in effort.pareto_sizes:
        within = [entry for entry in search.front_ if entry.n_leaves <= size]
        if within:
            trees[Key("Pareto front", size)] = min(within, key=lambda e: (e.training_error, e.n_leaves)).tree
    return Grown(trees, {})


def _setgen(table: Table, effort: Effort, seed: int, judging: bool) -> Grown:
    from clearwood.evolve.setgen.classifier import SetGenClassifier

    part = _sample(table, effort.setgen_rows, seed)
    if part.n_rows < 4 or not part.n_features:
        return Grown({}, {})
    search = SetGenClassifier(
        evaluations=effort.evaluations, population_size=40, cv=5, confidence=0.25, random_state=seed, n_jobs=1,
        progress=False,
    )  # fmt: skip
    tree = search._grow(part, part.classes)
    _refuse_half(search)
    trees = {Key("SET-GEN", OWN): tree}
    trees.update(_cuts("SET-GEN", tree, effort))
    return Grown(trees, {})


def _linear(table: Table, effort: Effort, seed: int, judging: bool) -> Grown:
    from clearwood.evolve.linear.classifier import LinearTreeClassifier

    part = _sample(table, effort.linear_rows, seed)
    if not len(part.numeric):
        return Grown({}, {})
    search = LinearTreeClassifier(
        tests="mixed" if len(part.nominal) else "linear", generations=effort.linear_generations, population_size=50,
        patience=max(100, effort.linear_generations // 3), random_state=seed, n_jobs=1, progress=False,
    )  # fmt: skip
    tree = search._grow(part, part.classes)
    _refuse_half(search)
    return Grown({Key("linear", OWN): tree.by("linear")}, {})


def _refuse_half(search: Any) -> None:
    if search.interrupted_:  # half a search is no result of the learner
        raise KeyboardInterrupt


# -- a yardstick ----------------------------------------------------------------------------------


def _boosting(table: Table, effort: Effort, seed: int, judging: bool) -> Grown:
    """Gradient boosting by scikit-learn, where it is judged: it never is a candidate."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    from clearwood.evaluate.models import fit_model

    if not judging or len(np.unique(table.y)) < 2:
        return Grown({}, {})
    part = _sample(table, effort.search_rows, seed)
    learner = HistGradientBoostingClassifier(
        max_iter=effort.boosting_rounds, early_stopping=False, random_state=seed % 2**32
    )
    with threadpool_limits(1):  # sums of several threads differ in their last bits
        model = fit_model(learner, part)[0]

    def asked(rows: Table) -> np.ndarray:
        with threadpool_limits(1):
            found = model.probabilities(rows)
        assert found is not None
        return found

    return Grown({}, {"boosting": asked})


STAGES: dict[str, Callable[[Table, Effort, int, bool], Grown]] = {
    "greedy": _greedy,
    "distilled": _distilled,
    "pareto": _pareto,
    "setgen": _setgen,
    "linear": _linear,
    "boosting": _boosting,
}
"""Quick ones first: what is finished stays when the rest is interrupted."""


def _sample(table: Table, most: int, seed: int) -> Table:
    if table.n_rows <= most:
        return table
    rows = np.random.default_rng([seed, table.n_rows]).choice(table.n_rows, most, replace=False)
    return table.take(np.sort(rows))
