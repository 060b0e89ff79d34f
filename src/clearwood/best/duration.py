"""Duration: a time as people type it, and what an option means that may be a time or a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clearwood.spelling import did_you_mean

__all__ = ["parse_duration", "seconds_or_column", "typed_budget"]

_UNITS = {"": 1.0, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_duration(text: str) -> float | None:
    """Seconds from ``60``, ``60s``, ``2min`` or ``1h``; None from anything else.

    >>> parse_duration("60s"), parse_duration("1.5 min"), parse_duration("month")
    (60.0, 90.0, None)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if found is None or found[2] not in _UNITS:
        return None
    seconds = float(found[1]) * _UNITS[found[2]]
    return seconds if seconds > 0 else None


def typed_budget(text: str | None) -> float | None:
    """The seconds of a budget, None for none; what is no time raises ValueError."""
    if text is None:
        return None
    seconds = parse_duration(text)
    if seconds is None:
        raise ValueError(f"--budget must be a time such as 60s, 5min or 1h, got {text!r}.")
    return seconds


def seconds_or_column(text: str, columns: Sequence[str]) -> tuple[float | str, str]:
    """What ``--time`` means: seconds, or the column of that name; and a note where it could be both.

    >>> seconds_or_column("60s", ["age"]), seconds_or_column("age", ["age"])
    ((60.0, ''), ('age', ''))
    """
    seconds = parse_duration(text)
    if text in columns:
        both = "" if seconds is None else f"--time {text} is taken for the column; --budget {text} is the time."
        return text, both
    if seconds is None:
        guess = did_you_mean(text, columns)
        raise ValueError(f"--time must be a time such as 60s or 5min, or a column, got {text!r}{guess}")
    return seconds, ""
