"""The header of an ARFF file: its attributes and where the data begin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clearwood.read.arff_tokens import BLANKS, Token, tokenize
from clearwood.read.dates import ISO_PATTERN, date_parser
from clearwood.read.notes import warn

__all__ = ["Attribute", "Header", "read_header"]

_NUMERIC = ("numeric", "real", "integer")


@dataclass(frozen=True, slots=True)
class Attribute:
    """A declared attribute; ``kind`` is "numeric", "nominal", "date", or "skipped" for text that was ignored."""

    name: str
    kind: str
    values: tuple[str, ...] = ()
    pattern: str = ISO_PATTERN


@dataclass(frozen=True, slots=True)
class Header:
    """The attributes in order, and the index of the first line after ``@data``."""

    attributes: tuple[Attribute, ...]
    data_line: int


def _fail(source: str, index: int, message: str) -> ValueError:
    return ValueError(f"{source}, line {index + 1}: {message}")


def read_header(lines: Sequence[str], source: str, ignore: Sequence[str] | None = ()) -> Header:
    """Read up to ``@data``; string and relational attributes raise ValueError unless they are ignored.

    None ignores all such attributes.
    """
    attributes: list[Attribute] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if not line.strip(BLANKS) or line.lstrip(BLANKS).startswith("%"):
            continue
        try:
            tokens = tokenize(line)
        except ValueError as error:
            raise _fail(source, index - 1, f"{error}.") from None
        keyword = tokens[0].text.lower() if tokens[0].kind == "word" else ""
        if keyword == "@data":
            if not attributes:
                raise _fail(source, index - 1, "@data, but no @attribute came before it.")
            return Header(tuple(attributes), index)
        if keyword == "@attribute":
            try:
                attribute = _attribute(tokens[1:], ignore)
            except ValueError as error:
                raise _fail(source, index - 1, str(error)) from None
            attributes.append(attribute)
            if attribute.kind == "skipped" and tokens[2].text.lower() == "relational":
                index = _skip_relation(lines, index, source, attribute.name)
        elif keyword != "@relation":
            shown = line.strip(BLANKS)[:40]
            raise _fail(source, index - 1, f"@relation, @attribute or @data was expected, found {shown!r}.")
    raise ValueError(f"{source} has no @data line; the file is cut short, or is no ARFF file.")


def _attribute(tokens: Sequence[Token], ignore: Sequence[str] | None) -> Attribute:
    if not tokens or tokens[0].kind not in ("word", "quoted"):
        raise ValueError("@attribute lacks a name.")
    name = tokens[0].text
    if len(tokens) < 2:
        raise ValueError(f"attribute {name!r} lacks a type.")
    if tokens[1].kind == "{":
        return Attribute(name, "nominal", _values(name, tokens[2:]))
    kind = tokens[1].text.lower() if tokens[1].kind == "word" else ""
    rest = tokens[2:]
    if kind in _NUMERIC:
        _check_end(name, rest)
        return Attribute(name, "numeric")
    if kind == "date":
        pattern = ISO_PATTERN
        if rest and rest[0].kind in ("word", "quoted"):
            pattern, rest = rest[0].text, rest[1:]
        _check_end(name, rest)
        try:
            date_parser(pattern)
        except (ValueError, re.error) as error:
            raise ValueError(f"attribute {name!r}: {error}") from None
        return Attribute(name, "date", pattern=pattern)
    if kind in ("string", "relational"):
        if ignore is None or name in ignore:
            return Attribute(name, "skipped")
        raise ValueError(
            f"attribute {name!r} is of type {kind}, which a tree cannot test; leave it out with ignore=[{name!r}]."
        )
    raise ValueError(f"attribute {name!r} has the unknown type {tokens[1].text!r}.")


def _values(name: str, tokens: Sequence[Token]) -> tuple[str, ...]:
    values: dict[str, None] = {}
    for place, token in enumerate(tokens):
        if token.kind == "}":
            _check_end(name, tokens[place + 1 :])
            return tuple(values)
        if token.kind == "{":
            break
        if token.kind != ",":
            if token.text in values:
                raise ValueError(f"attribute {name!r} declares the value {token.text!r} twice.")
            values[token.text] = None
    raise ValueError(f"the values of attribute {name!r} are not closed by '}}'.")


def _check_end(name: str, tokens: Sequence[Token]) -> None:
    if not tokens:
        return
    if len(tokens) == 3 and (tokens[0].kind, tokens[2].kind) == ("{", "}"):
        warn(f"attribute {name!r} has the weight {tokens[1].text}, which does not change a tree and is left out.")
        return
    raise ValueError(f"attribute {name!r}: {tokens[0].text!r} after the type was not expected.")


def _skip_relation(lines: Sequence[str], index: int, source: str, name: str) -> int:
    for later in range(index, len(lines)):
        if lines[later].lstrip(BLANKS).lower().startswith("@end"):
            return later + 1
    raise ValueError(f"{source}: the relational attribute {name!r} has no @end line; the file is cut short.")
