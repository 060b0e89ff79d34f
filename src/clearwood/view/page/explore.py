"""Explore: from a table to a page, with the best tree of every size beside the usual ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from clearwood.evaluate.fronts import Front, FrontEntry, entry_of
from clearwood.evaluate.intervals import Interval
from clearwood.evaluate.split_stability import split_returns
from clearwood.evaluate.structural_risk import choose_size, explain_choice
from clearwood.learn.bootstrap import bootstrap_counts
from clearwood.learn.checks import check_number
from clearwood.table import Table
from clearwood.threads import each
from clearwood.tree import Tree
from clearwood.view.page.document import Reference, Stability
from clearwood.view.page.page import Page
from clearwood.view.page.rows import sampled
from clearwood.wording import no_class_words

__all__ = ["explore"]

MOST_ROWS = 20_000  # trees are grown from a sample of a larger table
WORK = 2_000_000  # rows times features times generations that the search may take, so that it ends within a minute
COMPARED_ROWS = 1000  # rows by which splits are told to be the same
MOST_LEAVES = 10_000  # what the search takes
STABLE_LEAVES = 40  # larger trees are not resampled


def explore(
    table: Table,
    *,
    max_leaves: int = 20,
    cv: int = 10,
    resamples: int = 30,
    forest: int = 100,
    title: str = "",
    data: bool = True,
    max_rows: int = 5000,
    random_state: int = 0,
    n_jobs: int | None = None,
    say: Callable[[str], None] | None = None,
) -> Page:
    """Grow the best tree of every size, C4.5's and CART's, judge them, and put them into a page.

    Parameters
    ----------
    table : Table
        With its target; rows without a class are left out of the fitting.
    max_leaves : int
        The largest tree of the front.
    cv : int
        The folds by which all errors are estimated.
    resamples : int
        Bootstrap samples from which the chosen tree is grown again, to see which of its splits return; 0 for none.
    forest : int
        Bagged trees whose error is drawn as a line; 0 for none.
    title : str
        What the page is called.
    data, max_rows
        Whether rows go into the page, and how many at most; see :class:`Page`.
    random_state : int
        Where all randomness starts.
    n_jobs : int or None
        Threads; the page is the same for any number.
    say : callable or None
        Is told what is being done, in a line each.

    Returns
    -------
    Page
        The smallest tree within one standard error of the best is the chosen one.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import clearwood as cw
    >>> table = cw.read(load_iris(as_frame=True).frame, target="target")
    >>> page = cw.explore(table, max_leaves=5, cv=3, resamples=5, forest=10)
    >>> page.tree.n_leaves, len(page.front)
    (3, 6)
    """
    from clearwood.evolve.pareto.classifier import ParetoTreeClassifier
    from clearwood.learn.bagging import BaggedTreesClassifier
    from clearwood.learn.c45 import C45Classifier
    from clearwood.learn.cart import CARTClassifier

    check_number("max_leaves", max_leaves, 2, MOST_LEAVES, whole=True)
    check_number("cv", cv, 2, whole=True)
    check_number("resamples", resamples, 0, whole=True)
    check_number("forest", forest, 0, whole=True)
    check_number("max_rows", max_rows, 1, whole=True)
    tell = say or (lambda _: None)
    used = _used(table, tell)
    cv = max(2, min(cv, used.n_rows))
    generations = int(np.clip(WORK / max(used.n_rows * used.n_features, 1), 20, 100))
    search: dict[str, Any] = {
        "max_leaves": max_leaves, "random_state": random_state, "progress": False, "polish": False, "certify": False,
    }  # fmt: skip
    tell(f"searching the best tree of every size up to {max_leaves} leaves, with {cv} folds")
    pareto = ParetoTreeClassifier(generations=generations, cv=cv, selection="one_se", n_jobs=n_jobs, **search).fit(used)
    choice = choose_size(pareto.front_, "one_se")
    chosen = pareto.front_.of_size(choice.n_leaves).tree
    tell("growing and judging C4.5 and CART")
    greedy = [C45Classifier(n_jobs=n_jobs), CARTClassifier(random_state=random_state, n_jobs=n_jobs)]
    entries = [*pareto.front_, *(_judged(learner, used, cv, n_jobs) for learner in greedy)]
    references = []
    if forest:
        tell(f"judging {forest} bagged trees, which nobody can read")
        bagged = BaggedTreesClassifier(n_estimators=forest, random_state=random_state)
        references.append(_reference(f"{forest} bagged trees", bagged, used, cv, n_jobs))
    stability = []
    if resamples and 1 < chosen.n_leaves <= STABLE_LEAVES:
        tell(f"growing the chosen tree again from {resamples} samples of the rows")
        short = ParetoTreeClassifier(
            generations=max(generations // 3, 10),
            population_size=200,
            selection=chosen.n_leaves,
            **(search | {"max_leaves": chosen.n_leaves}),
        )
        shares = _returns(chosen, short, used, resamples, random_state, n_jobs)
        stability.append(Stability(chosen, resamples, shares))
    return Page(
        Front(entries),
        table,
        title=title,
        chosen=chosen,
        reason=explain_choice(pareto.front_, choice),
        references=references,
        facts=_facts(used, table, cv, generations, max_leaves, random_state, resamples if stability else 0),
        stability=stability,
        data=data,
        max_rows=max_rows,
    )


def _used(table: Table, tell: Callable[[str], None]) -> Table:
    """The rows to learn from: those with a class, and of very many a sample."""
    known = np.flatnonzero((table.y >= 0) & (table.weights > 0))
    if not (table.y >= 0).any():
        raise ValueError(no_class_words(table.target))
    if not len(known):
        raise ValueError("all rows with a class have weight 0; at least one row must count.")
    used = table if len(known) == table.n_rows else table.take(known)
    if used.n_rows > MOST_ROWS:
        tell(f"the table has {used.n_rows:,} rows: trees are grown from a sample of {MOST_ROWS:,}")
        used = used.take(sampled(used, MOST_ROWS))
    return used


def _error(learner: Any, table: Table, cv: int, n_jobs: int | None) -> Interval:
    from clearwood.evaluate import evaluate

    accuracy = evaluate(learner, table, cv=cv, repeats=1, n_jobs=n_jobs or 1).interval
    return Interval(1 - accuracy.mean, 1 - accuracy.high, 1 - accuracy.low, accuracy.confidence)


def _judged(learner: Any, table: Table, cv: int, n_jobs: int | None) -> FrontEntry:
    from dataclasses import replace

    error = _error(learner, table, cv, n_jobs)
    return replace(entry_of(learner.fit(table).tree_), cv_error=error.mean, cv_interval=error)


def _reference(name: str, learner: Any, table: Table, cv: int, n_jobs: int | None) -> Reference:
    error = _error(learner, table, cv, n_jobs)
    return Reference(name, error.mean, error.low, error.high)


def _returns(
    tree: Tree, learner: Any, table: Table, resamples: int, random_state: int, n_jobs: int | None
) -> np.ndarray:
    from sklearn.base import clone

    rng = np.random.default_rng(random_state)
    counts = [bootstrap_counts(table, table.n_rows, rng) for _ in range(resamples)]

    def grown(drawn: np.ndarray) -> Tree:
        part = table.take(np.repeat(np.arange(table.n_rows), drawn))
        found: Tree = clone(learner).fit(part).tree_
        return found

    return split_returns(tree, each(grown, counts, n_jobs), table.take(sampled(table, COMPARED_ROWS)))


def _facts(
    used: Table, table: Table, cv: int, generations: int, max_leaves: int, random_state: int, resamples: int
) -> list[tuple[str, str]]:
    facts = [
        ("search", f"ParetoTreeClassifier(generations={generations}, max_leaves={max_leaves}, cv={cv}, polish=False)"),
        ("errors", f"{cv}-fold cross-validation of each learner; 95 % intervals, corrected for the folds' overlap"),
        ("honesty", "the size was chosen by the same folds, so the error of the chosen tree is a little optimistic"),
        ("seed", str(random_state)),
    ]
    if resamples:
        facts.append(("stability", f"the chosen size grown again from {resamples} bootstrap samples"))
    if used.n_rows < table.n_rows:
        facts.append(("rows used", f"{used.n_rows} of {table.n_rows}"))
    return facts
