"""Unknown values: what a tested column holds that the tree has never met, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

import numpy as np

from clearwood.alignment import translation
from clearwood.read.notes import name_some, warn
from clearwood.table import Column, Table

__all__ = ["UnknownValues", "align_known", "report_unknown", "tested_columns", "unknown_values"]

NEARLY_ALL = 0.9
"""From this share of the rows that hold a value, unknown values are an error: another spelling, or another column."""

FEWEST_ROWS = 3
"""In fewer rows than this, unknown values are a warning whatever their share: a new case may have a new value."""


class Model(Protocol):
    """What predicts: a tree or several, with the columns that it knows and the names of those that it tests."""

    @property
    def columns(self) -> Sequence[Column]: ...

    @property
    def features(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class UnknownValues:
    """The values of one tested column that a model does not know.

    Attributes
    ----------
    column : str
        The column's name.
    values : dict
        For each unknown value how many rows hold it, the most frequent first.
    present : int
        How many rows hold a value at all.
    known : tuple of str
        The values that the model knows.
    """

    column: str
    values: dict[str, int]
    present: int
    known: tuple[str, ...]

    @property
    def rows(self) -> int:
        """How many rows hold an unknown value."""
        return sum(self.values.values())

    @property
    def nearly_all(self) -> bool:
        return self.present >= FEWEST_ROWS and self.rows >= NEARLY_ALL * self.present

    def __str__(self) -> str:
        held = f"{self.rows} of {self.present} rows hold" if self.present != 1 else "the row holds"
        noun = "a value" if len(self.values) == 1 else f"{len(self.values)} values"
        return f"column {self.column!r}: {held} {noun} that the tree does not know: {name_some(self.values, 5)}"

    def nearest(self) -> str:
        """The known values that are spelled most like the unknown ones, else the first of all, for a message."""
        folded = {value.strip().lower(): value for value in reversed(self.known)}
        near: dict[str, None] = {}
        for value in list(self.values)[:5]:
            near |= dict.fromkeys(folded[text] for text in get_close_matches(value.strip().lower(), folded, n=1))
        if near:
            return f"the nearest that it knows: {name_some(near, 5)}"
        return f"it knows {name_some(self.known, 5) or 'none'}"

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {"column": self.column, "rows": self.rows, "values": self.values}


def tested_columns(model: Model) -> list[Column]:
    """The columns that a model tests, as it knows them."""
    tested = set(model.features)
    return [column for column in model.columns if column.name in tested]


def align_known(model: Model, table: Table, *, allow_unknown: bool = False) -> Table:
    """The table in the model's columns, of which it needs the tested ones; unknown values are reported and missing."""
    if table.columns == tuple(model.columns):
        return table
    tested = model.features
    aligned = table.align(model.columns, tested)
    report_unknown(unknown_values(model, table), allow_unknown)
    return aligned


def unknown_values(model: Model, table: Table) -> list[UnknownValues]:
    """What the tested columns of a table hold that the model does not know, a column at a time."""
    tested, found = set(model.features), []
    here = {column.name: i for i, column in enumerate(table.columns)}
    for wanted in model.columns:
        known = wanted.declared
        if wanted.name not in tested or known is None or wanted.name not in here:
            continue
        given = table.columns[here[wanted.name]].declared
        if given is None or given == known:
            continue
        unknown = np.flatnonzero(translation(given, known)[:-1] < 0)
        if len(unknown) == 0:
            continue
        cells = table.column(here[wanted.name])
        counts = np.bincount(cells[cells >= 0].astype(np.intp), minlength=len(given))
        order = unknown[np.argsort(-counts[unknown], kind="stable")]
        held = {given[code]: int(counts[code]) for code in order.tolist() if counts[code]}
        if held:
            found.append(UnknownValues(wanted.name, held, int(counts.sum()), known))
    return found


def report_unknown(found: Sequence[UnknownValues], allow_unknown: bool = False) -> None:
    """Warn of unknown values once for all columns; where nearly all rows of one hold such values, raise ValueError.

    With ``allow_unknown`` it is a warning there too.
    """
    if not found:
        return
    severe = [unknown for unknown in found if unknown.nearly_all]
    if severe and not allow_unknown:
        told = "; ".join(f"{unknown}; {unknown.nearest()}" for unknown in severe)
        raise ValueError(
            f"{told}. Give the values the tree's spelling; allow_unknown=True (--allow-unknown) counts them as missing."
        )
    told = "; ".join(str(unknown) for unknown in found)
    warn(f"{told}. {'They count' if sum(unknown.rows for unknown in found) > 1 else 'It counts'} as missing.")
