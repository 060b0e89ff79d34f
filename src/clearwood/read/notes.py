"""Warnings that point at the caller's line, wherever inside the package they arise."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable

__all__ = ["name_some", "quoted", "warn"]

_PACKAGE = __name__.partition(".")[0]


def warn(message: str) -> None:
    """Issue a UserWarning at the first caller outside this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame = frame.f_back
        level += 1
    warnings.warn(message, UserWarning, stacklevel=level)


def quoted(text: str, most: int = 40) -> str:
    """A text in quotes, cut where it is long: a cell may hold a whole book.

    >>> quoted("x" * 10_000, 4)
    "'xxx…'"
    """
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def name_some(names: Iterable[object], most: int = 8) -> str:
    """The first names in quotes, and how many more there are.

    >>> name_some(["a", "b", "c"], 2)
    "'a', 'b' and 1 more"
    """
    listed = [str(n) for n in names]
    shown = ", ".join(quoted(n) for n in listed[:most])
    return f"{shown} and {len(listed) - most} more" if len(listed) > most else shown
