"""Identifiers: columns that name the rows, from which a tree learns nothing that holds for others."""

from __future__ import annotations

import numpy as np

from clearwood.read.notes import name_some, warn
from clearwood.read.units import have_units
from clearwood.table import Column, Table

__all__ = ["identifiers", "looks_like_identifier", "warn_of_identifiers"]

FEWEST_VALUES = 20
"""In a handful of rows, different values mean nothing."""

COUNTED = 0.8
"""The share of equal steps from row to row that counting has; the rest are gaps where rows were taken out."""


def looks_like_identifier(column: Column, cells: np.ndarray) -> bool:
    """Whether more than half of the values of a nominal column occur once, or a numeric one counts its rows upwards.

    Values that are digits with a unit, such as $5, name nothing. Numbers by which a file is sorted ascend too, so
    counting is to go up by one step nearly always.

    >>> looks_like_identifier(Column("row"), np.arange(30.0)), looks_like_identifier(Column("age"), np.ones(30))
    (True, False)
    """
    if column.kind in ("date", "ordered"):
        return False
    if not column.is_nominal and np.any(np.diff(cells[:FEWEST_VALUES]) <= 0):  # as nearly all do, seen at once
        return False
    present = cells[cells >= 0] if column.is_nominal else cells[~np.isnan(cells)]
    if len(present) < FEWEST_VALUES:
        return False
    if column.is_nominal:
        distinct = np.count_nonzero(np.bincount(present))
        several = distinct >= FEWEST_VALUES and distinct > 0.5 * len(present)
        return bool(several and not have_units(column.values or ()))
    steps = np.diff(present)
    if np.any(steps <= 0) or np.any(present != np.floor(present)):
        return False
    return bool(np.mean(steps == steps.min()) >= COUNTED)


def identifiers(table: Table) -> list[str]:
    """The names of the columns that look like identifiers."""
    return [c.name for i, c in enumerate(table.columns) if looks_like_identifier(c, table.column(i))]


def warn_of_identifiers(table: Table, name: str = "") -> None:
    """Say which columns look like identifiers and how to leave them out; ``name`` stands before what is said.

    What was said of a table is not said again of its parts, such as the folds of a cross-validation.
    """
    whole = table.whole
    if whole is not table and whole.__dict__.get("_identifiers_told"):
        return
    whole.__dict__["_identifiers_told"] = True
    found = identifiers(table)
    if not found:
        return
    what, them = ("column {} looks like an identifier", "it")
    if len(found) > 1:
        what, them = ("columns {} look like identifiers", "them")
    warn(
        f"{name + ': ' if name else ''}{what.format(name_some(found))}, from which a tree only memorises; leave {them} "
        f"out with ignore={found[:8]!r} where the table is read (--ignore), or drop {them} from the frame."
    )
