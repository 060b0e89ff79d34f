"""Front: the best tree of every size under constraints."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from clearwood.constraints import Constraints, Demand
from clearwood.evaluate.fronts import Front, FrontEntry, cross_validated, error_on
from clearwood.learn.confidence_level import counted_folds
from clearwood.learn.constrained.growth import obeying_trees, prepared
from clearwood.learn.constrained.parts import Grow
from clearwood.learn.randomness import generator
from clearwood.table import Table
from clearwood.threads import each
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

__all__ = ["constrained_front", "has_fronts"]


def has_fronts(learner: Any) -> bool:
    """Whether it looks for the best tree of every size."""
    return hasattr(learner, "selection") and hasattr(learner, "improvements")


def constrained_front(learner: Any, table: Table, constraints: Constraints) -> Front:
    """The best tree of every size that obeys the constraints.

    Each free part is searched by itself. Of the parts' fronts the trees are put together that get least wrong for
    their number of leaves in all, so a leaf goes where it helps most. Unless ``selection`` is a number, the sizes are
    cross-validated, each fold with searches of its own. Nothing is proved of them, whatever ``certify`` says.

    Parameters
    ----------
    learner : ParetoTreeClassifier
        Not changed. Its ``objectives`` must be leaves and error, ``seeds`` may only be names of learners, and there is
        no ``checkpoint``.
    table, constraints
        As in :func:`fit_constrained`.

    Returns
    -------
    Front

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import clearwood as cw
    >>> from clearwood.constraints import Demand, ForcedTest
    >>> table = cw.read(load_iris(as_frame=True).frame, target="target")
    >>> search = cw.ParetoTreeClassifier(generations=20, max_leaves=6, selection=4, random_state=0)
    >>> wanted = cw.Constraints(Demand(ForcedTest("sepal length (cm)", 5.4), forbid=("petal width (cm)",)))
    >>> front = constrained_front(search, table, wanted)
    >>> front.sizes, {str(entry.tree.condition(0, 0)) for entry in front}
    ((2, 3, 4, 5, 6), {'sepal length (cm) ≤ 5.4'})
    """
    if not has_fronts(learner):
        raise ValueError(f"{type(learner).__name__} finds one tree; ParetoTreeClassifier finds one of every size.")
    known = prepared(learner, table, constraints)
    rng = generator(learner.random_state)
    seed, deal = int(rng.integers(2**62)), rng.spawn(1)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few rows and rare classes: the parts are small on purpose
        trees = _searched(learner, constraints.root, known, seed)
        entries = [
            FrontEntry(t.n_leaves, t, error_on(t, known), n_features=len(t.features), learner=t.learner) for t in trees
        ]
        if not isinstance(learner.selection, str):
            return Front(entries)
        return _cross_validated(learner, entries, known, constraints.root, deal)


def _cross_validated(
    learner: Any, entries: list[FrontEntry], table: Table, root: Demand, deal: np.random.Generator
) -> Front:
    def errors(run: tuple[np.ndarray, int, int]) -> list[float]:
        """The errors of the entries' sizes; where the fold has no tree of a size, the next smaller one is tested."""
        numbers, fold, seed = run
        trees = _searched(learner, root, table.take(numbers != fold), seed)
        error = {tree.n_leaves: error_on(tree, table.take(numbers == fold)) for tree in trees}
        return [error[max((n for n in error if n <= entry.n_leaves), default=min(error))] for entry in entries]

    deals = [counted_folds(table, learner.cv, deal)[1] for _ in range(learner.cv_repeats)]
    if deals[0].max(initial=0) < 1:
        return Front(entries)
    runs = [(numbers, fold, int(deal.integers(2**62))) for numbers in deals for fold in range(int(numbers.max()) + 1)]
    return cross_validated(entries, np.array(each(errors, runs, learner.n_jobs)), 1 / int(deals[0].max()))


def _searched(learner: Any, root: Demand, table: Table, seed: int) -> list[Tree]:
    return obeying_trees(
        learner, root, table, _front_of_parts(learner, np.random.default_rng(seed)), learner.max_leaves
    )


def _front_of_parts(learner: Any, rng: np.random.Generator) -> Grow:
    from sklearn.base import clone

    def grow(table: Table) -> Iterable[tuple[Tree, float]]:
        counts = np.bincount(table.y, table.weights, minlength=len(table.classes))
        build = TreeBuilder(table.columns, table.classes)
        yield build.build(build.leaf(counts)), float(counts.sum() - counts.max())
        seed = int(rng.integers(2**62))
        options = {"selection": learner.max_leaves, "random_state": seed, "class_weight": None, "certify": False}
        search = clone(learner).set_params(**options, n_jobs=1, progress=False).fit(table)
        if search.interrupted_:
            raise KeyboardInterrupt
        for entry in search.front_:
            yield entry.tree, entry.training_error * float(table.weights.sum())

    return grow
