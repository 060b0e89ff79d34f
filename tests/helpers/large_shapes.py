"""Large shapes: tables from which trees grow that are very deep, or very wide."""

from __future__ import annotations

import numpy as np

from clearwood.table import Column, Table

TARGET = Column("class", ("a", "b"))


def chain(n_values: int, *, missing: float = 0.0) -> Table:
    """Each value has a class of its own: a two-way test takes off one value at a time, so the tree is a chain."""
    codes = np.repeat(np.arange(n_values), 3)
    y = codes % 2
    codes[np.random.default_rng(0).random(len(codes)) < missing] = -1
    return Table([Column("x", tuple(f"v{i}" for i in range(n_values)))], [codes], target=TARGET, y=y)


def many_values(n_values: int, *, rows_each: int = 6, missing: float = 0.0, seed: int = 0) -> Table:
    """Nominal columns of very many values, which tell a little of the class."""
    rng = np.random.default_rng(seed)
    n_rows = n_values * rows_each
    first, second = (rng.permutation(n_rows) % n_values for _ in range(2))
    likely = np.where(first % 3 == 0, 0.9, 0.2)
    likely[second % 5 == 0] = 0.5
    y = (rng.random(n_rows) < likely).astype(int)
    for codes in (first, second):
        codes[rng.random(n_rows) < missing] = -1
    values = tuple(f"v{i}" for i in range(n_values))
    return Table([Column("first", values), Column("second", values)], [first, second], target=TARGET, y=y)


def wide_below_a_branch(n_values: int) -> Table:
    """A side that tells one class from two others, and below the larger side a column of many values that tells those.

    Whether that branch should be raised is found out by sending the rows of the other side through all its values.
    """
    value = np.concatenate([np.repeat(np.arange(n_values), 3), np.repeat(np.arange(n_values), 2)])
    side = np.repeat([0, 1], [3 * n_values, 2 * n_values])
    y = np.where(side == 0, value % 2, 2)
    values = tuple(f"v{i}" for i in range(n_values))
    columns = [Column("side", ("left", "right")), Column("value", values)]
    return Table(columns, [side, value], target=Column("class", ("a", "b", "c")), y=y)
