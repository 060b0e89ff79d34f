"""Head: what the first line of delimited text tells, and how DuckDB is asked for the cells below it."""

from __future__ import annotations

import csv
import io
import mmap
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clearwood.read.duck import BLANKS, literal, plain_path
from clearwood.read.notes import warn
from clearwood.read.numerals import is_number
from clearwood.read.sources import open_packed
from clearwood.read.stray_signs import has_quotes
from clearwood.read.text import MAX_LINE_BYTES

__all__ = ["Head", "complaint", "has_underscores", "is_packed", "may_hold_commas", "read_head"]


@dataclass(frozen=True, slots=True)
class Head:
    """What the first line tells: the columns' names, the separator, the line end; how many lines it takes, blank ones
    before it included, and how many those are."""

    names: list[str]
    delimiter: str
    line_end: str
    n_lines: int
    n_blank: int

    def call(
        self, paths: Sequence[Path], line_end: str | None = None, numbers: Collection[str] = (), **options: str
    ) -> str:
        """The function of DuckDB that gives the text of every cell, as c0, c1 …; an empty cell is NULL.

        Columns that are known to hold ``numbers`` come as such.
        """
        files = ", ".join(literal(plain_path(path)) for path in paths)
        kinds = ["DOUBLE" if name in numbers else "VARCHAR" for name in self.names]
        columns = ", ".join(f"'c{place}': '{kind}'" for place, kind in enumerate(kinds))
        escaped = (line_end or self.line_end).replace("\r", "\\r").replace("\n", "\\n")
        stated = {
            "auto_detect": "false",
            "delim": literal(self.delimiter),
            "new_line": f"'{escaped}'",
            "quote": "'\"'",
            "escape": "'\"'",
            "columns": f"{{{columns}}}",
            "max_line_size": str(MAX_LINE_BYTES),
            **options,
        }
        return f"read_csv([{files}], {', '.join(f'{name}={value}' for name, value in stated.items())})"


def is_packed(path: Path) -> bool:
    """Whether a file is compressed, by its ending."""
    return path.suffix.lower() in (".gz", ".zst")


def read_head(path: Path) -> Head:
    """The head of a file; the separator is the one that the line holds most often, and that of a ``.tsv`` a tab."""
    with open_packed(path) if is_packed(path) else path.open("rb") as binary:
        unread: Any = binary
        text = io.TextIOWrapper(unread, "utf-8-sig", newline="")
        blank = 0
        first = _line(text, path, 1)
        while first and not first.strip("\r\n"):
            blank += 1
            first = _line(text, path, blank + 1)
        try:
            lines = [first, *_more_lines(text, first)]
            delimiter = "\t" if ".tsv" in path.suffixes else max(",;\t|", key=_outside_quotes("".join(lines)).count)
            names = next(csv.reader(lines, delimiter=delimiter, strict=True))
        except UnicodeDecodeError:
            raise ValueError(f"{path.name}, line {blank + 1}: not UTF-8 text; convert the file to UTF-8.") from None
        except (csv.Error, StopIteration) as error:
            raise ValueError(f"{path.name}, line {blank + 1}: the column names cannot be read: {error}.") from None
    names = [name.strip(BLANKS) or f"column_{place}" for place, name in enumerate(names, 1)]
    if len(names) > 1 and all(is_number(name) for name in names):
        warn(f"{path.name}: the first line holds only numbers; it is taken as the columns' names, not as a row.")
    line_end = next((end for end in ("\r\n", "\n", "\r") if lines[-1].endswith(end)), "\n")
    return Head(names, delimiter, line_end, blank + len(lines), blank)


def has_underscores(path: Path, head_lines: int) -> bool:
    """Whether an underscore occurs below the names; True where that is not cheap to know."""
    if is_packed(path):
        return True
    with path.open("rb") as file:
        for _ in range(head_lines):
            file.readline()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            return mapped.find(b"_", file.tell()) >= 0


def may_hold_commas(path: Path, head: Head) -> bool:
    """Whether a comma may occur inside a cell; True where that is not cheap to know."""
    if is_packed(path):
        return True
    if head.delimiter == ",":
        return has_quotes(path)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        return mapped.find(b",") >= 0


def complaint(message: str) -> str:
    """What DuckDB says is wrong, without its advice on options that our caller does not have."""
    wrong = message.partition("Possible")[0].removeprefix("Invalid Input Error: ").strip()
    return " ".join(part.strip()[:200] for part in wrong.split("\n") if part.strip()) or "cannot be read."


def _line(text: io.TextIOWrapper, path: Path, number: int) -> str:
    try:
        return text.readline()
    except UnicodeDecodeError:
        raise ValueError(f"{path.name}, line {number}: not UTF-8 text; convert the file to UTF-8.") from None


def _outside_quotes(line: str) -> str:
    return "".join(line.split('"')[::2])


def _more_lines(text: io.TextIOWrapper, first: str) -> list[str]:
    """The lines that a name with a line break inside quotes goes on to; not many, lest an open quote eat the file."""
    lines: list[str] = []
    quotes = first.count('"')
    while quotes % 2 and len(lines) < 100:
        line = text.readline()
        if not line:
            break
        lines.append(line)
        quotes += line.count('"')
    return lines
