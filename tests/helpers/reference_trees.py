"""Reference trees: what the plain twins grow, as ``clearwood.Tree`` values."""

from __future__ import annotations

from typing import Any

from clearwood.kernels import reference
from clearwood.table import Table
from clearwood.tree import Tree


def to_tree(root: reference.Node, table: Table, *, laplace: bool = False, learner: str = "reference") -> Tree:
    """A grown twin as a Tree, its nodes numbered level by level."""
    return Tree(
        columns=table.columns,
        classes=table.classes,
        target=table.target.name if table.target else "class",
        laplace=laplace,
        learner=learner,
        **reference.to_arrays(root),
    )


def c45_reference(table: Table, **params: Any) -> Tree:
    """The tree that the plain C4.5 learns, with ``C45Classifier``'s parameters."""
    options = reference.C45Options(**params)
    return to_tree(reference.c45_tree(table, options), table, laplace=options.laplace)
