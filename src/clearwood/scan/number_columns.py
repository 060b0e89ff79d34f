"""Number columns: which columns of a text file hold only numbers, by the rules of clearwood.read, in few looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clearwood.read.duck import Source, is_word
from clearwood.scan.engines.engine import Engine

__all__ = ["find_number_columns"]

FIRST_ROWS = 2000
"""Most columns of words show one in so many rows."""

_AT_ONCE = 200  # columns in one statement: DuckDB's planner slows down with the square of a wide one


def find_number_columns(engine: Engine, sources: Sequence[Source]) -> dict[str, bool]:
    """The names of those in which every cell that is not missing is a number; a column without any cell is one.

    With each comes whether it is plain: without any text, not even one that means missing.
    """
    some_rows = f"(SELECT * FROM {engine.relation} LIMIT {FIRST_ROWS}) AS some_rows"
    words = _asked(engine, sources, some_rows, _has_words)
    left = [source for source in sources if not words[source.name]]
    plain = _asked(engine, left, engine.relation, lambda source: f"count({source.cell}) = count({source.number})")
    # a second look for signs that mean missing: to trim and compare each cell is the slow part
    left = [source for source in left if not plain[source.name]]
    words = _asked(engine, left, engine.relation, _has_words)
    return {name: is_plain for name, is_plain in plain.items() if is_plain or not words[name]}


def _has_words(source: Source) -> str:
    return f"coalesce(bool_or({is_word(source)}), false)"


def _asked(engine: Engine, sources: Sequence[Source], rows: str, ask: Callable[[Source], str]) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for first in range(0, len(sources), _AT_ONCE):
        batch = sources[first : first + _AT_ONCE]
        items = ", ".join(f"{ask(source)} AS a{place}" for place, source in enumerate(batch))
        (answers,) = engine.texts(f"SELECT {items} FROM {rows}")
        found |= {source.name: bool(answer) for source, answer in zip(batch, answers, strict=True)}
    return found
