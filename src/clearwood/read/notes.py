"""Warnings that point at the caller's line, wherever inside the package they arise."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable

__all__ = ["name_some", "warn"]

_PACKAGE = __name__.partition(".")[0]


def warn(message: str) -> None:
    """Issue a UserWarning at the first caller outside this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame = frame.f_back
        level += 1
    warnings.warn(message, UserWarning, stacklevel=level)


def name_some(names: Iterable[object], most: int = 8) -> str:
    """The first names in quotes, and how many more there are.

    >>> name_some(["a", "b", "c"], 2)
    "'a', 'b' and 1 more"
    """
    listed = [str(n) for n in names]
    shown = ", ".join(repr(n if len(n) <= 40 else n[:39] + "…") for n in listed[:most])
    return f"{shown} and {len(listed) - most} more" if len(listed) > most else shown
