"""The .names file of C4.5: the classes and the attributes of a .data file."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clearwood.read.notes import quoted

__all__ = ["NamedAttribute", "NamesFile", "parse_names", "split_cells", "strip_comment"]

_SPACE = re.compile(r"\s+")
# a sign counts unless a backslash stands before it that is not escaped itself
_UP_TO_COMMENT = re.compile(r"(?:\\.|[^\\|]|\\$)*", re.DOTALL)
_LAST_POINT = re.compile(r"(?<!\\)((?:\\\\)*)\.\s*$")
_GOES_ON = re.compile(r"(?<!\\)(?:\\\\)*[,:]$")
# a point separates only before a blank or the end
_PIECE = re.compile(r"((?:\\.|\.(?![\s|]|$)|[^\\,:.])*)([,:.]|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NamedAttribute:
    """An attribute; ``kind`` is "continuous", "nominal", "discrete" (at most ``most`` values, as found) or "ignore"."""

    name: str
    kind: str
    values: tuple[str, ...] = ()
    most: int = 0


@dataclass(frozen=True, slots=True)
class NamesFile:
    """Classes, attributes in order, and the attribute that holds the class (None: a last cell of its own)."""

    classes: tuple[str, ...]
    attributes: tuple[NamedAttribute, ...]
    target: str | None


def strip_comment(line: str) -> str:
    """The line up to a ``|`` that no backslash escapes."""
    found = _UP_TO_COMMENT.match(line) if "|" in line else None
    return line if found is None else found[0]


def _closed(line: str) -> str:
    """The line; a backslash at its very end has nothing to escape and stands for itself."""
    return line + "\\" if (len(line) - len(line.rstrip("\\"))) % 2 else line


def _clean(text: str) -> str:
    text = _SPACE.sub(" ", text).strip()
    return re.sub(r"\\(.)", r"\1", text)


def split_cells(line: str) -> list[str]:
    r"""The cells of a line: separated by commas, a point may end the line, a backslash takes a sign as it is.

    >>> split_cells(r"5.1, a  b, x\,y.")
    ['5.1', 'a b', 'x,y']
    """
    line = _closed(_LAST_POINT.sub(r"\1", line))
    if "\\" not in line:
        return [_SPACE.sub(" ", cell).strip() for cell in line.split(",")]
    return [_clean(cell) for cell in re.findall(r"((?:\\.|[^\\,])*),", line + ",")]


def _entries(text: str, source: str) -> list[tuple[int, list[tuple[str, str]]]]:
    """Entries as (line number, pieces with the sign after each); a line that ends in a comma goes on in the next."""
    entries: list[tuple[int, list[tuple[str, str]]]] = []
    waiting = ""
    first = 0
    for number, line in enumerate(text.split("\n"), 1):
        line = _closed(strip_comment(line).strip())
        if not line:
            continue
        first = first if waiting else number
        waiting = f"{waiting} {line}" if waiting else line
        if _GOES_ON.search(line):
            continue
        pieces: list[tuple[str, str]] = []
        for match in _PIECE.finditer(waiting):
            if match[1].strip() or match[2] in (",", ":"):
                pieces.append((_clean(match[1]), match[2]))
            if match[2] == ".":
                entries.append((first, pieces))
                pieces = []
        if pieces:
            entries.append((first, pieces))
        waiting = ""
    if waiting:
        raise ValueError(f"{source}, line {first}: the entry is not finished; the file is cut short.")
    return [entry for entry in entries if entry[1]]


def parse_names(text: str, source: str) -> NamesFile:
    """Read the text of a .names file; whatever does not fit raises ValueError with its line."""
    entries = _entries(text, source)
    if not entries:
        raise ValueError(f"{source} is empty.")
    first, pieces = entries[0]
    classes = tuple(piece for piece, _ in pieces)
    if any(sign == ":" for _, sign in pieces):
        raise ValueError(f"{source}, line {first}: the first entry must list the classes, not define an attribute.")
    if len(set(classes)) < len(classes) or "" in classes:
        raise ValueError(f"{source}, line {first}: the classes must be distinct names.")
    attributes = tuple(_attribute(pieces, f"{source}, line {line}") for line, pieces in entries[1:])
    if not attributes:
        raise ValueError(f"{source} declares no attributes.")
    target = None
    if len(classes) == 1:  # one name alone: the attribute of that name is the class
        target = next((attribute.name for attribute in attributes if attribute.name == classes[0]), None)
    return NamesFile(classes, attributes, target)


def _attribute(pieces: list[tuple[str, str]], where: str) -> NamedAttribute:
    if pieces[0][1] != ":" or not pieces[0][0]:
        raise ValueError(f"{where}: an attribute must be written as name: type, found {quoted(pieces[0][0])}.")
    name = pieces[0][0]
    values = [piece for piece, _ in pieces[1:]]
    if any(sign == ":" for _, sign in pieces[1:]):
        raise ValueError(f"{where}: attribute {name!r} holds a second ':'; write \\: for a colon inside a value.")
    if len(values) == 1:
        word = values[0].lower()
        if word == "continuous":
            return NamedAttribute(name, "continuous")
        if word in ("ignore", "label"):
            return NamedAttribute(name, "ignore")
        count = re.fullmatch(r"discrete\s+(\d+)", word)
        if count:
            return NamedAttribute(name, "discrete", most=int(count[1]))
        if word in ("date", "time", "timestamp") or word.startswith("="):
            raise ValueError(f"{where}: attribute {name!r} is of type {values[0]!r}, which is not supported.")
    if values and values[0].lower().startswith("[ordered]"):
        values[0] = values[0][len("[ordered]") :].strip()
    if not values or "" in values:
        raise ValueError(f"{where}: attribute {name!r} lacks a type or a value.")
    if len(set(values)) < len(values):
        raise ValueError(f"{where}: attribute {name!r} declares a value twice.")
    return NamedAttribute(name, "nominal", tuple(values))
