"""Distil: grow one tree that stands for an ensemble, by ISM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from clearwood.conditions import Kind
from clearwood.kernels.common.team import Team
from clearwood.kernels.ism.best_first_grower import BestFirstGrower
from clearwood.kernels.ism.grown_nodes import add_up_children
from clearwood.kernels.ism.split_selector import Estimate
from clearwood.learn.ensemble import Ensemble, labels_of
from clearwood.learn.ism_candidates import Candidates
from clearwood.learn.ism_forest import forest_of
from clearwood.learn.node_order import breadth_first
from clearwood.learn.weakest_links import prune_nodes
from clearwood.table import Table
from clearwood.threads import Crew, count_threads, if_worth
from clearwood.tree import Tree

ESTIMATES = {"trees": Estimate.FROM_TREES, "mixed": Estimate.MIXED, "data": Estimate.FROM_DATA}
STOPS = ("labels", "exact")
GAINS = ("mixture", "path")
CRITERIA = ("gain", "gain_ratio")
CHUNK = 64  # splits between two looks at the keyboard
TOGETHER = 4  # the same for threads, which split many nodes at a time
WORTH_SHARING = 2_000  # nodes of the ensemble: with fewer, a node is examined in less time than threads need to meet
UNSEEN = 1e-3  # the weight of a leaf that no row reaches: its class probabilities are the trees'


@dataclass(frozen=True, eq=False)
class Distilled:
    """A tree grown by ISM, and what became of the ensemble's labels as it grew."""

    tree: Tree
    sizes: np.ndarray
    """Numbers of leaves: 1, 2, and so on."""
    fidelities: np.ndarray
    """The share of the rows, by weight, that a tree of each size labels as the ensemble does."""
    labels: np.ndarray
    """The ensemble's label for each row."""


def distil(
    ensemble: Ensemble,
    table: Table,
    *,
    estimate: str,
    stop: str,
    max_leaves: int | None,
    gain: str = "mixture",
    criterion: str = "gain",
    must_part: bool | None = None,
    learner: str = "ISM",
    n_jobs: int | None = None,
) -> Distilled:
    """Grow the tree from the rows of a table, labelled or not: only the ensemble's labels count."""
    candidates = Candidates(ensemble)
    forest = forest_of(ensemble, candidates)
    probability = ensemble.predict_proba(table, n_jobs=n_jobs)
    labels = labels_of(probability)
    weights = np.array(table.weights)
    n_threads = count_threads(if_worth(n_jobs, forest.size, WORTH_SHARING))
    grower = BestFirstGrower(
        forest,
        estimate=ESTIMATES[estimate],
        mixture=gain == "mixture",
        must_part=estimate != "trees" if must_part is None else must_part,
        ratio=criterion == "gain_ratio",
        exact=stop == "exact",
        max_leaves=0 if max_leaves is None else min(max_leaves, 2**31 - 1),
        cells=candidates.cells(table),
        labels=labels,
        probability=probability,
        weights=weights,
        guess=sum(w * t.node_proba[0] for t, w in zip(ensemble.trees, ensemble.weights, strict=True)),
        n_threads=n_threads,
    )
    _grow(grower, n_threads)
    found = grower.arrays()
    agreement = found["agreement"]
    total = weights.sum()
    tree = _to_tree(found, candidates, ensemble, learner)
    return Distilled(
        _without_idle_tests(tree) if stop == "exact" else tree,
        np.arange(1, len(agreement) + 1),
        np.divide(agreement, total, out=np.full(len(agreement), np.nan), where=total > 0),
        labels,
    )


def _grow(grower: BestFirstGrower, n_threads: int) -> None:
    """Let a tree grow to its end."""
    if n_threads == 1:
        while grower.advance(CHUNK):
            pass
        return
    crew, more = Crew(n_threads), True
    while more:
        team = Team(n_threads)
        more = crew.run(partial(_advance, grower, team), team.break_up)[0]


def _advance(grower: BestFirstGrower, team: Team, member: int) -> bool:
    """A thread's part of some growth; whether more is to come."""
    return bool(grower.advance_together(member, team, TOGETHER))


def _to_tree(found: dict[str, np.ndarray], candidates: Candidates, ensemble: Ensemble, learner: str) -> Tree:
    """The kernel's nodes as a Tree, breadth first; tests that were chosen but never applied are forgotten."""
    left = found["first_child"]
    order, first = breadth_first(left, left + 1)
    n = len(order)
    counts = found["counts"][order]
    label = found["label"][order]
    inner = first >= 0
    weight = counts.sum(axis=1)
    candidate = np.where(inner, found["candidate"][order], 0)
    feature = np.where(inner, np.searchsorted(candidates.first, candidate, side="right") - 1, -1).astype(np.int32)
    rank = candidate - candidates.first[feature]
    nominal = np.array([*(column.is_nominal for column in candidates.columns), False])[feature]  # the last: leaves
    kind = np.where(inner, np.where(nominal, Kind.SUBSET, Kind.THRESHOLD), Kind.LEAF).astype(np.int8)
    threshold = np.full(n, np.nan)
    for f, cuts in enumerate(candidates.cuts):
        here = (feature == f) & ~nominal
        threshold[here] = cuts[rank[here]]
    by_number = [list(s) for s in candidates.sets]
    sets = {node: by_number[feature[node]][rank[node]] for node in np.flatnonzero(nominal).tolist()}
    set_length = np.zeros(n, dtype=np.int32)
    set_length[list(sets)] = [len(values) for values in sets.values()]
    # leaves without rows, and leaves of an exact tree whose rows lack values, speak with the trees' probabilities
    guessed = ~inner & ((weight <= 0) | (labels_of(counts / np.maximum(weight, UNSEEN)[:, None]) != label))
    guess = np.maximum(found["guess"][order[guessed]], 0.0)  # a difference, which rounding may leave below 0
    counts[guessed] = guess / np.maximum(guess.sum(axis=1, keepdims=True), UNSEEN)
    counts[guessed] *= np.maximum(weight[guessed], UNSEEN)[:, None]
    add_up_children(first, counts)
    return Tree(
        columns=ensemble.columns,
        classes=ensemble.classes,
        target=ensemble.target,
        learner=learner,
        kind=kind,
        feature=feature,
        threshold=threshold,
        first_child=first,
        n_children=np.where(inner, 2, 0),
        empty=np.zeros(n, dtype=bool),
        set_start=np.concatenate([[0], np.cumsum(set_length)]),
        set_values=np.array([v for values in sets.values() for v in values], dtype=np.int32),
        counts=counts,
        missing=np.where(inner, found["lacking"][order], -1),
    )


def _without_idle_tests(tree: Tree) -> Tree:
    """The tree without tests below which all leaves predict the same: it predicts what it did."""
    leaf_class, idle = tree.leaf_class, tree.kind == Kind.LEAF
    for node in np.flatnonzero(tree.kind != Kind.LEAF)[::-1].tolist():
        children = list(tree.children(node))
        idle[node] = bool(idle[children].all()) and len(set(leaf_class[[*children, node]].tolist())) == 1
    return prune_nodes(tree, np.flatnonzero(idle & (tree.kind != Kind.LEAF)))
