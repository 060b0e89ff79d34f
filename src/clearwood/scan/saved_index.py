"""Saved index: a column of a text file that only counts the rows, and is left out as clearwood.read leaves it out."""

from __future__ import annotations

from collections.abc import Iterable

from clearwood.read.assemble import INDEX_NAMES, warn_of_index
from clearwood.scan.engines.engine import Engine, Field

__all__ = ["find_saved_index"]


def find_saved_index(engine: Engine, fields: Iterable[Field], source: str) -> str | None:
    """The name of such a column, with a warning; it has one of the names that an index without a name gets."""
    for field in fields:
        if field.name in INDEX_NAMES and field.written and field.kind == "number" and _counts(engine, field):
            warn_of_index(field.name, source)
            return field.name
    return None


def _counts(engine: Engine, field: Field) -> bool:
    engine.keep_order()
    numbered = f"SELECT {field.number} AS cell, {engine.row_number} AS place FROM {engine.relation}"
    asked = "count(*) AS n, count(cell) AS known, min(cell - place) AS low, max(cell - place) AS high"
    n, known, low, high = (float(found[0]) for found in engine.numbers(f"SELECT {asked} FROM ({numbered}) AS numbered"))
    return n >= 2 and known == n and low == high and low in (-1, 0)
