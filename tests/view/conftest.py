"""Random trees with awkward names, for pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import matplotlib
import numpy as np
import pytest
import random_trees

from clearwood.table import Column
from clearwood.tree import Tree

NAMES = [
    "x",
    "petal width (cm)",
    "$cost_of$ <a> very long column name, indeed",
    "line\nend",
    "größe",
    "a_b^c",
    "%",
    "|",
]
VALUES = ["no", "yes", "value with a long name number 1", "value with a long name number 2", "$", "é", "", "9"]


def _random_tree(rng: np.random.Generator, n_leaves: int, n_classes: int = 3, **options: float) -> Tree:
    """A tree with tests of every kind, up to eight branches, leaves without rows, one column with a single value."""
    columns = [Column(name, tuple(VALUES[: 2 + i]) if i % 2 else None) for i, name in enumerate(NAMES)]
    columns[4] = Column("always", ("the same",))
    classes = [
        f"class {k}" if k % 3 else f"$a class_{k}$ whose name is long enough to be cut" for k in range(n_classes)
    ]
    names = {"classes": classes, "target": "the $target$"}
    return random_trees.random_tree(rng, n_leaves, columns, n_classes, **names, **options)


@pytest.fixture
def random_tree() -> Callable[..., Tree]:
    return _random_tree


@pytest.fixture(autouse=True)
def off_screen() -> Iterator[None]:
    """Draw without a window, and forget the figures."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    yield
    plt.close("all")
