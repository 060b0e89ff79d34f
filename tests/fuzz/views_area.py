"""Everything that shows a tree to people, for random trees of odd names."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from random_trees import random_table, random_tree
from sql_area import NAMES

from clearwood.table import Column
from clearwood.wording import visible

__all__ = ["case"]


def case(rng: np.random.Generator, folder: Path) -> str:
    """Print, draw and explain a tree in one of the ways; each must speak of all leaves and add up."""
    names = rng.choice(NAMES, size=4, replace=False).tolist()
    values = tuple(rng.choice(NAMES, size=int(rng.integers(1, 8)), replace=False).tolist())
    columns = [Column(names[0]), Column(names[1], values), Column(names[2]), Column(names[3])]
    classes = rng.choice(NAMES, size=int(rng.integers(1, 5)), replace=False).tolist()
    shape = str(rng.choice(["bushy", "chain"]))
    tree = random_tree(
        rng, int(rng.integers(1, 30)), columns, len(classes), classes=classes, shape=shape, nominal_terms=0.3
    )
    table = random_table(rng, tree, 5)
    way = int(rng.integers(6))
    if way == 0:
        text = tree.to_text()
        assert text.count("\n") >= tree.n_leaves - 1
        return "text"
    if way == 1:
        assert f"Number of Leaves  : \t{tree.n_leaves}" in tree.to_text("weka")
        return "weka"
    if way == 2:
        dot = tree.to_dot()
        assert dot.count("->") == tree.n_nodes - 1 and dot.count("{") >= 1
        return "dot"
    if way == 3:
        rules = tree.rules(include_empty=True)
        assert len(rules) == tree.n_leaves and all(str(rule) for rule in rules)
        return "rules"
    if way == 4:
        for row in range(table.n_rows):
            code = int(tree.predict(table.take([row]))[0])
            assert f"So {visible(tree.target)} is {visible(tree.classes[code])}" in tree.explain(table, row)
        total = sum(tree.importances().values())
        assert total == 0 or math.isclose(total, 1.0)
        return "words"
    ax = tree.plot()
    ax.figure.canvas.draw() if tree.n_leaves < 12 else None
    return "picture"
