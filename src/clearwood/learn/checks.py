"""Check parameters: every error names the parameter, the value and what would do."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

from clearwood.spelling import did_you_mean


def check_number(
    name: str,
    value: Any,
    low: float | None = None,
    high: float | None = None,
    *,
    open_ends: bool = False,
    none: bool = False,
    whole: bool = False,
) -> None:
    """Refuse a value that is not a (whole) number within the bounds; ``open_ends`` leaves the bounds themselves out.

    >>> check_number("max_depth", 0, 1, whole=True)
    Traceback (most recent call last):
    ...
    ValueError: max_depth must be a whole number of at least 1, got 0.
    """
    if none and value is None:
        return
    kind = numbers.Integral if whole else numbers.Real
    good = isinstance(value, kind) and not isinstance(value, bool) and value == value
    if good and low is not None:
        good = value > low if open_ends else value >= low
    if good and high is not None:
        good = value < high if open_ends else value <= high
    if good:
        return
    what = "a whole number" if whole else "a number"
    if low is not None and high is not None:
        what += f" between {low} and {high}" + (" (both excluded)" if open_ends else "")
    elif low is not None:
        what += f" above {low}" if open_ends else f" of at least {low}"
    what += " or None" if none else ""
    error = ValueError if isinstance(value, numbers.Real) and not isinstance(value, bool) else TypeError
    raise error(f"{name} must be {what}, got {value!r}.")


def check_choice(name: str, value: Any, choices: Iterable[str]) -> None:
    """Refuse a value that is not one of the choices, and suggest the nearest."""
    known = list(choices)
    if isinstance(value, str) and value in known:
        return
    raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {value!r}{did_you_mean(value, known)}")


def check_flag(name: str, value: Any) -> None:
    """Refuse a value that is not True or False."""
    if not (isinstance(value, bool) or type(value).__name__ == "bool_" or type(value).__name__ == "bool"):
        raise TypeError(f"{name} must be True or False, got {value!r}.")
