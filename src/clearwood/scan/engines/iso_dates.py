"""ISO dates: SQL of DuckDB for the moment that a text names, by the rules of clearwood.moments."""

from __future__ import annotations

from clearwood.read.duck import literal

__all__ = ["iso_moment"]

_TIME = r"([01][0-9]|2[0-3]):[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?"
_UTC = rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}([T ]{_TIME}( ?(Z|UTC))?)?"
_ZONED = rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ]{_TIME}[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?"


def iso_moment(text: str) -> str:
    """SQL for milliseconds since 1970; NULL for a text that is no ISO date, or has its zone written in an odd way."""
    known = f"NOT starts_with({text}, '0000')"  # years begin with 1 in Python
    return (
        f"CASE WHEN regexp_full_match({text}, {literal(_UTC)}) AND {known} "
        f"THEN epoch_us(TRY_CAST({text} AS TIMESTAMP)) / 1000.0 "
        f"WHEN regexp_full_match({text}, {literal(_ZONED)}) AND {known} "  # a TIMESTAMP would overlook the zone
        f"THEN epoch_us(TRY_CAST({text} AS TIMESTAMPTZ)) / 1000.0 END"
    )
