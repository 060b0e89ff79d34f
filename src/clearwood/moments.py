"""Moments: dates and times as numbers, milliseconds since 1970 in UTC, and as ISO text."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

__all__ = ["milliseconds", "moment_text", "parse_moment", "parse_moments"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ISO = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d{2}(?::?\d{2})?))?)?",
)


def milliseconds(moment: datetime) -> float:
    """Milliseconds since 1970; a moment without time zone is taken as UTC."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return float((moment - _EPOCH) / timedelta(milliseconds=1))


def moment_text(number: float) -> str:
    """A moment as ISO text, as short as says it all, to the microsecond.

    >>> moment_text(0.0), moment_text(43_200_000.0), moment_text(1500.5)
    ('1970-01-01', '1970-01-01 12:00', '1970-01-01 00:00:01.5005')
    """
    try:
        whole = math.floor(number)  # apart from the rest: microseconds of far days are more than a double holds
        moment = _EPOCH + timedelta(milliseconds=whole, microseconds=round((number - whole) * 1000))
    except (OverflowError, ValueError):  # beyond the years 1 to 9999
        return f"{number:.15g} ms"
    if moment.microsecond:
        return f"{_day(moment)} " + f"{moment:%H:%M:%S.%f}".rstrip("0")
    if moment.second:
        return f"{_day(moment)} {moment:%H:%M:%S}"
    return f"{_day(moment)} {moment:%H:%M}" if moment.hour or moment.minute else _day(moment)


def _day(moment: datetime) -> str:
    return moment.date().isoformat()


def parse_moment(text: str) -> float:
    """The moment that an ISO text names; ValueError for any other text. Digits beyond the microsecond are cut off.

    >>> parse_moment("1970-01-02"), parse_moment("1970-01-01T01:00:00.5+01:00")
    (86400000.0, 500.0)
    """
    if _ISO.fullmatch(text) is None:
        raise ValueError(f"not an ISO date: {text!r}")
    return milliseconds(datetime.fromisoformat(text.replace(" UTC", "Z").replace("UTC", "Z").replace(" Z", "Z")))


def parse_moments(texts: Sequence[str]) -> list[float] | None:
    """The moments of some texts; None if there are none, or one of them is no ISO date.

    >>> parse_moments(["1970-01-01", "soon"]) is None
    True
    """
    try:
        return [parse_moment(text) for text in texts] or None
    except ValueError:
        return None
