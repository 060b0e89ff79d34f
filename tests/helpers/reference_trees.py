"""Reference trees: what the plain twins grow, as ``clearwood.Tree`` values, which the twins know nothing of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from small_tables import random_small_table

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


LEARNERS = {
    "cart": reference.grow_cart,
    "id3": reference.grow_id3,  # many branches, empty leaves
    "c45": lambda table: reference.c45_tree(table, reference.C45Options(prune=False, collapse=False, min_leaf=1)),
}


def grown_trees(learner: str, n: int, seed: int = 0) -> Iterator[tuple[Tree, Table]]:
    """Trees with something to cut, and the tables they were grown from."""
    rng = np.random.default_rng(seed)
    found = 0
    while found < n:
        table = random_small_table(rng)
        if not table.weights[table.y >= 0].sum() > 0:
            continue
        tree = to_tree(LEARNERS[learner](table), table)
        if tree.n_leaves > 2:
            found += 1
            yield tree, table
