"""Units: numbers with a sign of money or per cent before or behind them."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["UNIT", "common_unit", "have_units", "split_unit"]

_SIGNS = ("%", "‰", "US$", "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "zł", "Kč", "kr.", "kr", "Fr.", "Rs.", "R$")
_CODES = ("AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "Euro", "GBP", "HUF", "INR", "JPY", "MXN", "NOK")
_MORE = ("NZD", "PLN", "RUB", "SEK", "TRY", "USD", "ZAR")

UNIT = "|".join(re.escape(unit) for unit in (*_SIGNS, *_CODES, *_MORE))
"""A regular expression for a unit."""

NEARLY_ALL = 0.9
_FEW = 100
_BEFORE = re.compile(rf"([+-]?)\s*({UNIT})\s*([+-]?[\d.,].*)", re.IGNORECASE)
_BEHIND = re.compile(rf"([+-]?[\d.,].*?)\s*({UNIT})", re.IGNORECASE)


def split_unit(text: str) -> tuple[str, str] | None:
    """The unit of a text, in lower case, and what is left of the text; None where there is no unit beside digits.

    >>> split_unit("-$1,234.50"), split_unit("0.6 %"), split_unit("5 apples")
    (('$', '-1,234.50'), ('%', '0.6'), None)
    """
    found = _BEFORE.fullmatch(text.strip())
    if found is not None:
        return found[2].lower(), found[1] + found[3]
    found = _BEHIND.fullmatch(text.strip())
    return None if found is None else (found[2].lower(), found[1])


def common_unit(texts: Sequence[str]) -> tuple[str, list[str]] | None:
    """The unit that all texts have, and what is left of each; None if there is no such unit.

    >>> common_unit(["5%", "7 %"]), common_unit(["5%", "$7"]), common_unit(["5%", "7"])
    (('%', ['5', '7']), None, None)
    """
    unit, bare = None, []
    for text in texts:  # most columns of words end here at the first of them
        parts = split_unit(text)
        if parts is None or parts[0] != (unit or parts[0]):
            return None
        unit = parts[0]
        bare.append(parts[1])
    return None if unit is None else (unit, bare)


def have_units(texts: Sequence[str]) -> bool:
    """Whether nearly all texts are digits with a unit, be it one or several.

    >>> have_units(["$5", "7 €", "3%"]), have_units(["K5", "K7"])
    (True, False)
    """
    if len(texts) > _FEW and not have_units(texts[:_FEW]):
        return False  # a column of words is seen by its first ones
    return bool(texts) and sum(split_unit(text) is not None for text in texts) >= NEARLY_ALL * len(texts)
