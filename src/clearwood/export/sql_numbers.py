"""Numbers: digits that an engine reads as exactly one double, and the limits of products."""

from __future__ import annotations

import math
import sys

__all__ = ["duckdb_number", "largest_factor", "plain_number", "sqlite_number", "vanishing"]


def plain_number(value: float) -> str:
    """The shortest digits that name the number exactly; whole numbers without a point."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))


def duckdb_number(value: float) -> str:
    """As :func:`plain_number`, with an exponent where DuckDB would read a decimal of more than 15 digits."""
    text = plain_number(value)
    return text if "e" in text or len(text.strip("-").replace(".", "")) <= 15 else f"{text}e0"


def sqlite_number(value: float) -> str:
    """As :func:`plain_number`, or as a quotient of whole numbers where SQLite could read the digits one bit off.

    SQLite computes digits / 10^k, before 3.43 in whatever ``long double`` is: with at most 15 digits and k <= 22 both
    are exact and one rounding is right, but 17 digits came out wrong for 1 in 10,000 random numbers (3.40, x86).

    >>> sqlite_number(0.6), sqlite_number(0.1 + 0.2)
    ('0.6', '(1351079888211149 / 4503599627370496.0 /* 0.30000000000000004 */)')
    """
    text = plain_number(value)
    mantissa, _, exponent = text.partition("e")
    digits = len(mantissa.strip("-").replace(".", "").strip("0"))
    tens = abs(int(exponent or 0)) + len(mantissa.partition(".")[2])
    if digits <= 15 and tens <= 22 and not _near_midpoint(value, text):
        return text
    top, bottom = value.as_integer_ratio()
    if bottom == 1:
        while top % 2 == 0:
            top, bottom = top // 2, bottom * 2
        sign = "*"
    else:
        sign = "/"
    powers = bottom.bit_length() - 1
    factors = [f" {sign} {2 ** min(53, powers - done)}.0" for done in range(0, powers, 53)]
    return f"({top}.0{''.join(factors)} /* {text} */)" if sign == "*" else f"({top}{''.join(factors)} /* {text} */)"


def _near_midpoint(value: float, text: str) -> bool:
    """Whether the decimal lies so near the middle between two doubles that rounding twice could go wrong."""
    from fractions import Fraction

    gap = abs(Fraction(text) - Fraction(value))
    return gap * 100 > Fraction(math.ulp(value)) * 49


def vanishing(weight: float) -> float:
    """The largest number whose product with a weight of at most 1 is rounded to 0.

    >>> vanishing(0.8), vanishing(0.5)
    (0.0, 5e-324)
    """
    number = math.ulp(0.0) / weight / 2
    while weight * number != 0:
        number = math.nextafter(number, 0.0)
    while weight * math.nextafter(number, 1.0) == 0:
        number = math.nextafter(number, 1.0)
    return number


def largest_factor(weight: float) -> float:
    """The largest number whose product with a weight above 1 is finite."""
    number = sys.float_info.max / weight
    while math.isinf(weight * number):
        number = math.nextafter(number, 0.0)
    while math.isfinite(weight * math.nextafter(number, math.inf)):
        number = math.nextafter(number, math.inf)
    return number
