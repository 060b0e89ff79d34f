"""Dates by the patterns of Java's SimpleDateFormat, as milliseconds since 1970 in UTC."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from clearwood.moments import milliseconds
from clearwood.read.notes import quoted

__all__ = ["ISO_PATTERN", "date_parser"]

ISO_PATTERN = "yyyy-MM-dd'T'HH:mm:ss"

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ZONE = r"GMT|UTC|Z|(?:GMT|UTC)?[+-]\d{2}:?\d{2}|[+-]\d{2}"
_NUMBERS = {"d": "day", "H": "hour", "k": "hour24", "h": "hour12", "K": "hour11", "m": "minute", "s": "second"}
_NUMBERS |= {"S": "milli", "D": "yearday"}
_PIECE = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+")


def _expression(pattern: str) -> str:
    parts, seen = [], set()
    at = 0
    while at < len(pattern):
        piece = _PIECE.match(pattern, at)
        if piece is None:
            raise ValueError(f"the date format {pattern!r} has an open quote.")
        following = pattern[piece.end() : piece.end() + 1]
        at = piece.end()
        letter, run = piece[2], piece[0]
        if letter is None:
            parts.append(re.escape(run if piece[1] is None else (piece[1].replace("''", "'") or "'")))
            continue
        digits = rf"\d{{{len(run)}}}" if following.isalpha() else r"\d{1,10}"  # fields that touch have fixed widths
        if letter in "yu":
            name, body = ("year2" if len(run) == 2 else "year"), (digits if following.isalpha() else rf"-?{digits}")
        elif letter in "ML":
            name, body = ("monthname", _either(_MONTHS)) if len(run) > 2 else ("month", digits)
        elif letter in _NUMBERS:
            name, body = _NUMBERS[letter], digits
        elif letter == "a":
            name, body = "half", "[AaPp][Mm]"
        elif letter == "E":
            name, body = "weekday", _either(_WEEKDAYS)
        elif letter in "zZX":
            name, body = "zone", _ZONE
        else:
            raise ValueError(f"the date format {pattern!r} uses the letter {letter!r}, which is not supported.")
        if name in seen:
            raise ValueError(f"the date format {pattern!r} names the {name} twice.")
        seen.add(name)
        parts.append(rf"[ \t]*(?P<{name}>{body})")  # as in Java, blanks before a field do not count, and others do
    return "".join(parts) + r"\s*"


def _either(names: tuple[str, ...]) -> str:
    """A name in full, or its first three letters."""
    return "|".join(f"{name[:3]}(?:{name[3:]})?" for name in names)


def _year(found: dict[str, str]) -> int:
    short = found.get("year2")
    if short is not None and len(short) == 2:
        # Java's pivot moves with the calendar; a fixed one gives the same table every year
        return int(short) + (1900 if int(short) >= 69 else 2000)
    return int(short or found.get("year") or 1970)


def _hour(found: dict[str, str]) -> int:
    if "hour" in found:
        return int(found["hour"])
    if "hour24" in found:
        return int(found["hour24"]) % 24
    if "hour12" not in found and "hour11" not in found:
        return 0
    hour = int(found.get("hour12") or found["hour11"])
    if hour > (12 if "hour12" in found else 11):
        raise ValueError("the hour is too large")
    return hour % 12 + (12 if found.get("half", "am").lower() == "pm" else 0)


def _offset(zone: str | None) -> timedelta:
    digits = re.sub("[^0-9+-]", "", zone or "")
    if not digits:
        return timedelta(0)
    size = timedelta(hours=int(digits[1:3]), minutes=int(digits[3:5] or 0))
    return -size if digits[0] == "-" else size


def _moment(found: dict[str, str]) -> datetime:
    month = int(found.get("month") or 1)
    if "monthname" in found:
        month = [name[:3] for name in _MONTHS].index(found["monthname"][:3].lower()) + 1
    moment = datetime(
        _year(found), month, int(found.get("day") or 1), _hour(found),
        int(found.get("minute") or 0), int(found.get("second") or 0), tzinfo=UTC,
    )  # fmt: skip
    moment += timedelta(milliseconds=int(found.get("milli") or 0))
    if "yearday" in found:
        moment += timedelta(days=int(found["yearday"]) - 1)
    return moment - _offset(found.get("zone"))


def date_parser(pattern: str = ISO_PATTERN) -> Callable[[str], float]:
    """A function from text to milliseconds since 1970; it raises ValueError for text that does not fit the pattern.

    Texts without a time zone are taken as UTC, so that a table does not depend on the machine's zone.

    >>> date_parser("yyyy-MM-dd HH:mm")("1970-01-02 00:00")
    86400000.0
    """
    expression = re.compile(_expression(pattern), re.IGNORECASE)

    def parse(text: str) -> float:
        match = expression.fullmatch(text)
        if match is None:
            raise ValueError(f"{quoted(text)} does not fit the date format {pattern!r}")
        try:
            return milliseconds(_moment({k: v for k, v in match.groupdict().items() if v is not None}))
        except (ValueError, OverflowError) as error:
            raise ValueError(f"{quoted(text)} is no date: {error}") from None

    return parse
