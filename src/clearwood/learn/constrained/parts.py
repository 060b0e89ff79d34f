"""Parts: subtrees that obey a person's demands, of each size the one that gets least wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.conditions import Kind, Plane
from clearwood.constraints import Demand, ForcedTest
from clearwood.plane_sums import plane_sums
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

__all__ = ["Grow", "Part", "demanded_parts", "joined"]

Grow = Callable[[Table], Iterable[tuple[Tree, float]]]
"""What fills a free part: trees for some rows, each with the weight of the rows that it gets wrong."""


@dataclass(frozen=True, slots=True)
class Part:
    """A subtree that is not built yet."""

    n_leaves: int
    wrong: float
    """The weight of the training rows that it gets wrong."""
    add: Callable[[TreeBuilder, np.ndarray], int]
    """Adds its nodes, the top one with the bag that the test above it put there."""


def demanded_parts(demand: Demand, table: Table, grow: Grow, most: int | None, forbidden: frozenset[str]) -> list[Part]:
    """The parts that obey a demand, the smallest first, from the rows that come there.

    Parameters
    ----------
    demand : Demand
    table : Table
        Rows with a class and a weight.
    grow : callable
        Fills what is left free.
    most : int or None
        Parts with more leaves are of no use, unless there are no smaller ones.
    forbidden : frozenset of str
        Features that a demand above forbids.
    """
    forbidden |= frozenset(demand.forbid)
    if demand.test is not None:
        return _forced(demand, demand.test, table, grow, most, forbidden)
    allowed = [name for name in table.feature_names if name not in forbidden]
    if demand.leaf or not table.weights.sum() > 0 or not allowed:
        return [leaf_part(table)]
    found: dict[int, Part] = {}
    for tree, wrong in grow(table.select(allowed)):
        if tree.n_leaves not in found or wrong < found[tree.n_leaves].wrong:
            found[tree.n_leaves] = Part(tree.n_leaves, wrong, _graft(tree))
    return [found[size] for size in sorted(found)]


def leaf_part(table: Table) -> Part:
    """A leaf that says the most frequent class."""
    counts = _counts(table)
    return Part(1, float(counts.sum() - counts.max(initial=0.0)), lambda build, bag: build.leaf(counts, bag=bag))


def joined(children: Sequence[Sequence[Part]], most: int | None = None) -> list[tuple[Part, ...]]:
    """For each number of leaves together, one part for each child so that least is wrong.

    What the parts get wrong adds up, so the best of each size is found child by child: whatever the first children are,
    only how many leaves they have matters for the others.
    """
    least = [min(part.n_leaves for part in parts) for parts in children]
    limit = None if most is None else max(most, sum(least))
    best: dict[int, tuple[float, tuple[Part, ...]]] = {0: (0.0, ())}
    for i, parts in enumerate(children):
        room = None if limit is None else limit - sum(least[i + 1 :])
        longer: dict[int, tuple[float, tuple[Part, ...]]] = {}
        for size, (wrong, chosen) in best.items():
            for part in parts:
                total, sum_wrong = size + part.n_leaves, wrong + part.wrong
                if room is not None and total > room:
                    continue
                if total not in longer or sum_wrong < longer[total][0] - 1e-12:
                    longer[total] = (sum_wrong, (*chosen, part))
        best = longer
    return [best[size][1] for size in sorted(best)]


def _counts(table: Table) -> np.ndarray:
    return np.bincount(table.y, table.weights, minlength=len(table.classes))


def _forced(
    demand: Demand, test: ForcedTest, table: Table, grow: Grow, most: int | None, forbidden: frozenset[str]
) -> list[Part]:
    names = test.branch_names(table.columns)
    branch = _branches(test, table)
    direction = -1 if test.missing is None else names.index(test.missing)
    if direction >= 0:
        branch = np.where(branch < 0, direction, branch)
    weight = np.bincount(branch[branch >= 0], table.weights[branch >= 0], minlength=len(names))
    share = weight / weight.sum() if weight.sum() > 0 else np.zeros(len(names))
    children, bags = [], []
    for i, name in enumerate(names):
        here = np.where(branch == i, table.weights, np.where(branch < 0, table.weights * share[i], 0.0))
        rows = table.take(here > 0).with_weights(here[here > 0])
        bags.append(_counts(rows))
        children.append(demanded_parts(demand.branches.get(name, Demand()), rows, grow, most, forbidden))
    counts = _counts(table)

    def part(chosen: tuple[Part, ...]) -> Part:
        def add(build: TreeBuilder, bag: np.ndarray) -> int:
            numbers = [one.add(build, held) for one, held in zip(chosen, bags, strict=True)]
            return _add_test(build, test, numbers, missing=direction, counts=counts, bag=bag)

        return Part(sum(one.n_leaves for one in chosen), sum(one.wrong for one in chosen), add)

    return [part(chosen) for chosen in joined(children, most)]


def _add_test(build: TreeBuilder, test: ForcedTest, children: list[int], **more: Any) -> int:
    if test.weights is not None:
        weights = {name if value is None else (name, value): weight for name, weight, value in test.terms}
        return build.linear(weights, float(test.at_most or 0.0), children, **more)
    feature = str(test.feature)
    if test.each:
        return build.branches(feature, children, **more)
    if test.values is not None:
        return build.subset(feature, test.values, children, **more)
    return build.threshold(feature, float(test.at_most or 0.0), children, **more)


def _graft(tree: Tree) -> Callable[[TreeBuilder, np.ndarray], int]:
    """The nodes of a tree that the learner grew, with the bag that the forced test above put there."""

    def add(build: TreeBuilder, bag: np.ndarray) -> int:
        made: dict[int, int] = {}
        for node in range(tree.n_nodes - 1, -1, -1):
            held = bag if node == 0 else tree.bags[node]
            if tree.is_leaf(node):
                made[node] = build.leaf(tree.counts[node], bag=held)
                continue
            children = [made[child] for child in tree.children(node)]
            more = {"missing": int(tree.missing[node]), "counts": tree.counts[node], "bag": held}
            made[node] = _add_copy(build, tree, node, children, **more)
        return made[0]

    return add


def _add_copy(build: TreeBuilder, tree: Tree, node: int, children: list[int], **more: Any) -> int:
    kind = tree.kind[node]
    if kind == Kind.LINEAR:
        plane = tree.plane(node)
        terms = zip(plane.columns, plane.codes, plane.weights, strict=True)
        weights = {column.name if code < 0 else (column.name, code): weight for column, code, weight in terms}
        return build.linear(weights, float(tree.threshold[node]), children, **more)
    name = tree.columns[int(tree.feature[node])].name
    if kind == Kind.THRESHOLD:
        return build.threshold(name, float(tree.threshold[node]), children, **more)
    if kind == Kind.BRANCHES:
        return build.branches(name, children, **more)
    return build.subset(name, tree.subset(node), children, **more)


def _plane(test: ForcedTest, table: Table) -> Plane:
    """The sum of a forced test, by the columns of a table."""
    features = tuple(table.index(name) for name, _, _ in test.terms)
    columns = tuple(table.columns[feature] for feature in features)
    codes = tuple(
        -1 if value is None else (column.values or ()).index(value)
        for column, (_, _, value) in zip(columns, test.terms, strict=True)
    )
    return Plane(features, columns, tuple(weight for _, weight, _ in test.terms), codes=codes)


def _branches(test: ForcedTest, table: Table) -> np.ndarray:
    """The branch of each row; -1 where the tested value is missing."""
    if test.kind in (Kind.THRESHOLD, Kind.LINEAR):
        values = table.column(str(test.feature)) if test.weights is None else plane_sums(_plane(test, table), table)
        return np.where(np.isnan(values), -1, values > float(test.at_most or 0.0)).astype(np.intp)
    codes = table.column(str(test.feature))
    if test.each:
        return codes.astype(np.intp)
    declared = table.columns[table.index(str(test.feature))].values or ()
    inside = [declared.index(value) for value in test.values or ()]
    return np.where(codes < 0, -1, ~np.isin(codes, inside)).astype(np.intp)
