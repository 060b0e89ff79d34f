"""Page sums: trees whose weighted sums ask for values of nominal columns, and tables that try them on a page."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import clearwood as cw

__all__ = [
    "CLASSES", "COLUMNS", "EVIL", "SKY", "TOWN", "random_sum_table", "random_sum_tree", "sum_cells", "sum_tree",
]  # fmt: skip

EVIL = "</script><script>alert(1)</script>"
SKY = cw.Column("sky", ("sun", "rain", "fog"))
TOWN = cw.Column(
    'the "town" <i>\n', ("it's", 'a "quote"', "back\\slash", "two\nlines", EVIL, "", "<img src=x onerror=alert(2)>")
)
COLUMNS = (cw.Column("wind"), SKY, cw.Column("heat"), TOWN)
CLASSES = ("stay", "go's", 'out "side"')


def _random_sum(rng: np.random.Generator) -> dict[Any, float]:
    """Up to two numbers and up to four values, of one nominal column or several, in any order; at least one term."""
    names = [(column.name, value) for column in (SKY, TOWN) for value in column.values]
    chosen = [names[i] for i in rng.choice(len(names), int(rng.integers(0, 5)), replace=False)]
    chosen += list(rng.choice(["wind", "heat"], int(rng.integers(0 if chosen else 1, 3)), replace=False))
    weights = rng.normal(size=len(chosen)) if rng.random() < 0.5 else rng.choice([-3, -1, -0.2, 0.1, 1, 2], len(chosen))
    return {chosen[i]: float(weights[i]) for i in rng.permutation(len(chosen))}


def random_sum_tree(rng: np.random.Generator, depth: int = 5) -> cw.Tree:
    """Sums at most nodes, tests of every other kind at the rest, with every direction for missing values."""
    build = cw.TreeBuilder(COLUMNS, CLASSES, target="day's\nplan", laplace=bool(rng.integers(2)), learner="by hand")

    def grown(depth: int) -> int:
        if not depth or (depth < 5 and rng.random() < 0.2):
            return build.leaf(rng.integers(0, 9, 3) + np.eye(3, dtype=int)[rng.integers(3)])
        kind = rng.choice(["sum", "sum", "sum", "cut", "each", "set"])
        children = [grown(depth - 1) for _ in range(3 if kind == "each" else 2)]
        missing = {"missing": int(rng.integers(-1, 2))}
        cut = float(rng.choice([-1, -0.2, 0, 0.1, 0.5, 1, 2]))  # many a sum is just that
        if kind == "sum":
            return build.linear(_random_sum(rng), cut, children, **missing)
        if kind == "each":
            return build.branches("sky", children, **missing)
        if kind == "set":
            return build.subset(TOWN.name, TOWN.values[: int(rng.integers(1, 6))], children, **missing)
        return build.threshold("heat", cut, children, **missing)

    return build.build(grown(depth))


def random_sum_table(rng: np.random.Generator, n_rows: int = 150, missing: float = 0.15) -> cw.Table:
    """Ties with the cuts, missing numbers, missing values, and values of the sky that no tree knows."""
    gaps = rng.random((4, n_rows)) < missing
    sky = cw.Column("sky", ("hail", *SKY.values, "storm"))
    numbers = [np.where(gaps[i], math.nan, rng.integers(-5, 6, n_rows) / 2) for i in (0, 2)]
    codes = [np.where(gap, -1, rng.integers(0, c.n_values, n_rows)) for gap, c in ((gaps[1], sky), (gaps[3], TOWN))]
    columns, cells = (COLUMNS[0], sky, COLUMNS[2], TOWN), (numbers[0], codes[0], numbers[1], codes[1])
    return cw.Table(columns, cells, target=cw.Column("day's\nplan", CLASSES), y=rng.integers(0, 3, n_rows))


def sum_cells(table: cw.Table) -> list[list[Any]]:
    """Each row as the cells that a tree sees, None where one is missing or unknown."""
    aligned = table.align(COLUMNS)
    cells = [aligned.column(i).tolist() for i in range(4)]
    known = [
        [None if math.isnan(cell) or cell == (None, -1, None, -1)[i] else cell for cell in cells[i]] for i in range(4)
    ]
    return [list(row) for row in zip(*known, strict=True)]


def sum_tree(missing: int = 1) -> cw.Tree:
    """A sum of a number and two values above one of values alone."""
    build = cw.TreeBuilder(COLUMNS, CLASSES, target="plan")
    ends = [build.leaf([30, 1, 4]), build.leaf([5, 40, 2])]
    named = build.linear({("sky", "sun"): 1.0, ("sky", "rain"): -1.0}, 0.5, ends, missing=missing)
    weights = {("sky", "rain"): 2.0, "wind": 0.1, ("sky", "fog"): -1.0}
    return build.build(build.linear(weights, 0.5, [named, build.leaf([3, 7, 50])], missing=missing))
