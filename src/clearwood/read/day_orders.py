"""Day orders: dates such as 31/12/2020, and whether day or month comes first in a column of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from clearwood.moments import milliseconds

__all__ = ["ORDERS", "check_order", "fitting_orders", "parse_in_order"]

ORDERS = ("DMY", "MDY", "YMD")
"""What comes first, second and third: D the day, M the month, Y the year."""

_YEAR_LAST = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})([/.])(\d{1,2})\2(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?", re.ASCII)


def check_order(order: str | None) -> str | None:
    """The order, unless it is none that has to be stated: where the year comes first, the month follows."""
    if order in (None, "DMY", "MDY"):
        return order
    raise ValueError(f"dates must be 'DMY' or 'MDY': whether the day or the month comes first, got {order!r}.")


def parse_in_order(text: str, order: str) -> float:
    """The moment that a text names, in milliseconds since 1970, if its parts come in this order; else ValueError.

    >>> parse_in_order("02/01/1970", "DMY"), parse_in_order("1.2.1970 00:30", "MDY")
    (86400000.0, 88200000.0)
    """
    found = (_YEAR_FIRST if order == "YMD" else _YEAR_LAST).fullmatch(text)
    if found is None:
        raise ValueError(f"not a date in the order {order}: {text!r}")
    part = dict(zip(order, (int(found[group]) for group in (1, 3, 4)), strict=True))
    hour, minute, second = (int(group or 0) for group in found.groups()[4:])
    return milliseconds(datetime(part["Y"], part["M"], part["D"], hour, minute, second))


def fitting_orders(texts: Sequence[str]) -> dict[str, list[float]]:
    """For each order in which all texts are dates their moments: none, one, or two that cannot be told apart.

    >>> sorted(fitting_orders(["31/12/2020", "01/02/2020"])), sorted(fitting_orders(["01/02/2020"]))
    (['DMY'], ['DMY', 'MDY'])
    """
    fitting = {}
    for order in ORDERS if texts else ():
        try:
            fitting[order] = [parse_in_order(text, order) for text in texts]
        except ValueError:
            continue
    return fitting
