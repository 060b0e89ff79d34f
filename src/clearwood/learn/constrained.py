"""Constrained: a tree that obeys a person's demands and is grown by a learner where they leave it free."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from clearwood.conditions import Kind
from clearwood.constraints import Constraints, Demand, ForcedTest
from clearwood.learn.base import TreeClassifier
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

__all__ = ["OBEDIENT", "fit_constrained"]

OBEDIENT = ("c45", "cart")


def fit_constrained(learner: TreeClassifier, table: Table, constraints: Constraints) -> Tree:
    """Grow a tree under constraints.

    Forced tests stand where they are demanded, whatever the learner thinks of them. Each part that is left free is
    grown and pruned by the learner from the rows that come there, without the features forbidden there; rows without
    a tested value come with their share, as in C4.5. What is forced is never pruned.

    Parameters
    ----------
    learner : C45Classifier or CARTClassifier
        Not changed. Limits on leaves and depth hold for each free part by itself.
    table : Table
    constraints : Constraints
        Matched with the table by names.

    Returns
    -------
    Tree

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import clearwood as cw
    >>> from clearwood.constraints import Demand, ForcedTest
    >>> table = cw.read(load_iris(as_frame=True).frame, target="target")
    >>> wanted = Demand(ForcedTest("sepal length (cm)", 5.4), forbid=("petal width (cm)",))
    >>> tree = fit_constrained(cw.C45Classifier(), table, cw.Constraints(wanted))
    >>> str(tree.condition(0, 0)), "petal width (cm)" in tree.features
    ('sepal length (cm) <= 5.4', False)
    """
    if table.target is None:
        raise ValueError("the table has no target; read it with target='name of the class column'.")
    constraints.check(table.columns, table.target.name)
    known = table.take((table.y >= 0) & (table.weights > 0))
    if not known.n_rows:
        raise ValueError("no row has a class and a weight.")
    growth = _Growth(learner, known)
    tree = growth.build.build(growth.node(constraints.root, known, frozenset(), growth.counts(known)))
    return tree.by(f"constrained {growth.name}")


class _Growth:
    """One fit: the builder, and the learner that fills the free parts."""

    def __init__(self, learner: TreeClassifier, table: Table) -> None:
        self.learner = learner
        self.name = type(learner).__name__.removesuffix("Classifier")
        self.build = TreeBuilder(
            table.columns,
            table.classes,
            target=table.target.name if table.target else "class",
            laplace=bool(getattr(learner, "laplace", False)),
        )

    def _fitted(self, table: Table) -> Tree:
        from sklearn.base import clone

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of few rows and rare classes: the parts are small on purpose
            return clone(self.learner).fit(table).tree_

    def counts(self, table: Table) -> np.ndarray:
        return np.bincount(table.y, table.weights, minlength=len(table.classes))

    def node(self, demand: Demand, table: Table, forbidden: frozenset[str], bag: np.ndarray) -> int:
        """Add the node for a demand, and all below it, from the rows that come there."""
        forbidden |= frozenset(demand.forbid)
        counts = self.counts(table)
        if demand.test is not None:
            return self._forced(demand, table, forbidden, counts, bag)
        allowed = [name for name in table.feature_names if name not in forbidden]
        if demand.leaf or not counts.sum() > 0 or not allowed:
            return self.build.leaf(counts, bag=bag)
        grown = self._fitted(table.select(allowed))
        self.name = grown.learner
        return self._graft(grown, bag)

    def _forced(
        self, demand: Demand, table: Table, forbidden: frozenset[str], counts: np.ndarray, bag: np.ndarray
    ) -> int:
        test = demand.test
        assert test is not None
        names = test.branch_names(table.columns)
        branch = _branches(test, table)
        direction = -1 if test.missing is None else names.index(test.missing)
        if direction >= 0:
            branch = np.where(branch < 0, direction, branch)
        weight = np.bincount(branch[branch >= 0], table.weights[branch >= 0], minlength=len(names))
        share = weight / weight.sum() if weight.sum() > 0 else np.zeros(len(names))
        children = []
        for i, name in enumerate(names):
            here = np.where(branch == i, table.weights, np.where(branch < 0, table.weights * share[i], 0.0))
            part = table.take(here > 0).with_weights(here[here > 0])
            held = self.counts(part)
            children.append(self.node(demand.branches.get(name, Demand()), part, forbidden, held))
        return self._added(test, children, direction, counts, bag)

    def _added(self, test: ForcedTest, children: list[int], missing: int, counts: np.ndarray, bag: np.ndarray) -> int:
        more: dict[str, Any] = {"missing": missing, "counts": counts, "bag": bag}
        if test.weights is not None:
            return self.build.linear(dict(test.weights), float(test.at_most or 0.0), children, **more)
        feature = str(test.feature)
        if test.each:
            return self.build.branches(feature, children, **more)
        if test.values is not None:
            return self.build.subset(feature, test.values, children, **more)
        return self.build.threshold(feature, float(test.at_most or 0.0), children, **more)

    def _graft(self, tree: Tree, bag: np.ndarray) -> int:
        """The nodes of a tree that the learner grew, with the bag that the forced test above put there."""
        made: dict[int, int] = {}
        for node in range(tree.n_nodes - 1, -1, -1):
            held = bag if node == 0 else tree.bags[node]
            if tree.is_leaf(node):
                made[node] = self.build.leaf(tree.counts[node], bag=held)
                continue
            children = [made[child] for child in tree.children(node)]
            more: dict[str, Any] = {"missing": int(tree.missing[node]), "counts": tree.counts[node], "bag": held}
            made[node] = self._copied(tree, node, children, more)
        return made[0]

    def _copied(self, tree: Tree, node: int, children: list[int], more: dict[str, Any]) -> int:
        kind = tree.kind[node]
        if kind == Kind.LINEAR:
            plane = tree.plane(node)
            weights: Mapping[Any, float] = {c.name: w for c, w in zip(plane.columns, plane.weights, strict=True)}
            return self.build.linear(weights, float(tree.threshold[node]), children, **more)
        name = tree.columns[int(tree.feature[node])].name
        if kind == Kind.THRESHOLD:
            return self.build.threshold(name, float(tree.threshold[node]), children, **more)
        if kind == Kind.BRANCHES:
            return self.build.branches(name, children, **more)
        return self.build.subset(name, tree.subset(node), children, **more)


def _branches(test: ForcedTest, table: Table) -> np.ndarray:
    """The branch of each row; -1 where the tested value is missing."""
    if test.kind in (Kind.THRESHOLD, Kind.LINEAR):
        values = np.zeros(table.n_rows)
        terms = test.weights if test.weights is not None else ((str(test.feature), 1.0),)
        for name, weight in terms:
            values = values + weight * table.column(name)
        return np.where(np.isnan(values), -1, values > float(test.at_most or 0.0)).astype(np.intp)
    codes = table.column(str(test.feature))
    if test.each:
        return codes.astype(np.intp)
    declared = table.columns[table.index(str(test.feature))].values or ()
    inside = [declared.index(value) for value in test.values or ()]
    return np.where(codes < 0, -1, ~np.isin(codes, inside)).astype(np.intp)
