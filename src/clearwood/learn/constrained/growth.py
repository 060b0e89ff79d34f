"""Growth: trees under constraints, of one learner and one table."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from clearwood.constraints import Constraints, Demand
from clearwood.learn.constrained.parts import Grow, demanded_parts
from clearwood.learn.inputs import weighted_by_class
from clearwood.learn.registry import LEARNERS
from clearwood.table import Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder

__all__ = ["OBEDIENT", "obeying_trees", "prepared"]

OBEDIENT = ("c45", "cart", "distilled", "ism", "pareto")


def prepared(learner: Any, table: Table, constraints: Constraints) -> Table:
    """The rows that count, by the weights of their classes, once all is checked."""
    if type(learner).__name__ not in {LEARNERS[name].partition(":")[2] for name in OBEDIENT}:
        raise ValueError(f"constraints are obeyed by {', '.join(OBEDIENT)}, not by {type(learner).__name__}.")
    learner._check_parameters()
    if getattr(learner, "checkpoint", None) is not None:
        raise ValueError(f"checkpoint must be None under constraints, got {learner.checkpoint!r}.")
    if tuple(getattr(learner, "objectives", ("leaves", "error"))) != ("leaves", "error"):
        raise ValueError(
            f"objectives must be leaves and error under constraints, got {learner.objectives!r}: "
            "others do not add up over the parts of a tree."
        )
    if not isinstance(getattr(learner, "cv", None), numbers.Integral | None):
        raise ValueError(f"cv must be a number of folds under constraints, got {learner.cv!r}.")
    seeds = getattr(learner, "seeds", None)
    named = isinstance(seeds, str) or (isinstance(seeds, list | tuple) and all(isinstance(one, str) for one in seeds))
    if seeds is not None and not named:
        raise ValueError(f"seeds must be names of learners under constraints, got {seeds!r}.")
    given = [name for name in ("ensemble", "teacher", "unlabelled") if getattr(learner, name, None) is not None]
    if given:
        raise ValueError(f"{given[0]} must be None under constraints: each part is grown from its own rows.")
    if table.target is None:
        raise ValueError("the table has no target; read it with target='name of the class column'.")
    constraints.check(table.columns, table.target.name)
    if getattr(learner, "class_weight", None) is not None:
        table = weighted_by_class(table, table.classes, learner.class_weight)
    known = table.take((table.y >= 0) & (table.weights > 0))
    if not known.n_rows:
        raise ValueError("no row has a class and a weight.")
    return known


def obeying_trees(learner: Any, root: Demand, table: Table, grow: Grow, most: int | None) -> list[Tree]:
    """The trees that obey, the smallest first."""
    names = [type(learner).__name__.removesuffix("Classifier").removesuffix("Tree")]

    def named(rows: Table) -> Iterable[tuple[Tree, float]]:
        for tree, wrong in grow(rows):
            names[0] = tree.learner or names[0]
            yield tree, wrong

    found = []
    bag = np.bincount(table.y, table.weights, minlength=len(table.classes))
    for part in demanded_parts(root, table, named, most, frozenset()):
        build = TreeBuilder(
            table.columns,
            table.classes,
            target=table.target.name if table.target else "class",
            laplace=bool(getattr(learner, "laplace", False)),
        )
        found.append(build.build(part.add(build, bag)).by(f"constrained {names[0]}"))
    return found
