"""Text files: delimited files with the same columns, and the SQL that reads each cell of them as text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from clearwood.read.delimited_head import Head, has_underscores, is_packed, read_head
from clearwood.read.duck import connect, literal
from clearwood.read.notes import name_some
from clearwood.read.text import check_text

__all__ = ["TextFiles", "find_text_files"]

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class TextFiles:
    """Files with the same columns, each with its head, and whether the path that was given is a pattern.

    A folder such as ``year=2020`` in a pattern is a column, as DuckDB has it.
    """

    name: str
    heads: tuple[tuple[Path, Head], ...]
    by_pattern: bool = False

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return self.heads[0][1].names

    @property
    def underscores(self) -> bool:
        """Whether some cell may hold an underscore, which is none of a number's signs."""
        return any(has_underscores(path, head.n_lines) for path, head in self.heads)

    def select(self, missing: Collection[str] = (), numbers: Collection[str] = ()) -> str:
        """The statement that gives all rows; files that are written alike are read by one function.

        A cell that is one of the texts ``missing`` is NULL, if DuckDB can look for it; columns of ``numbers`` are known
        to hold nothing else.
        """
        alike: dict[tuple[str, str, int], list[tuple[Path, Head]]] = {}
        for path, head in self.heads:
            alike.setdefault((head.delimiter, head.line_end, head.n_blank), []).append((path, head))
        return " UNION ALL ".join(self._select(heads, missing, numbers) for heads in alike.values())

    def _select(self, heads: Sequence[tuple[Path, Head]], missing: Collection[str], numbers: Collection[str]) -> str:
        head = heads[0][1]
        options = {"header": "true", "skip": str(head.n_blank)}
        told = [text for text in sorted(missing) if not {head.delimiter, '"', "\n", "\r"} & {*text}]  # DuckDB's limits
        if told:
            options["nullstr"] = f"[{', '.join(map(literal, told))}]"
        if not self.by_pattern:
            options["hive_partitioning"] = "false"
        return f"SELECT * FROM {head.call([path for path, _ in heads], numbers=numbers, **options)}"


def find_text_files(path: Path) -> TextFiles:
    """The file of that name, or the files that a pattern names."""
    by_pattern = not path.exists()
    paths = [path]
    if by_pattern:
        with connect() as db:
            paths = [Path(row[0]) for row in db.execute(f"SELECT file FROM glob({literal(str(path))})").fetchall()]
    if not paths:
        raise FileNotFoundError(f"no file {path}.")
    heads = tuple((file, _head(file)) for file in paths)
    first, names = heads[0][0], heads[0][1].names
    for file, head in heads:
        if head.names != names:
            raise ValueError(
                f"{file.name} has the columns {name_some(head.names)}, but {first.name} has {name_some(names)}; files "
                "that are scanned together must have the same columns in the same order."
            )
    return TextFiles(path.name, heads, by_pattern)


def _head(path: Path) -> Head:
    if path.suffix.lower() != ".zst":
        check_text(path)
    head = read_head(path)
    if head.n_lines > head.n_blank + 1 and not is_packed(path):
        with path.open("rb") as file:
            marked = file.read(3) == _MARK
        if marked:  # DuckDB would take the rest of the names for a row
            raise ValueError(
                f"{path.name} begins with a byte order mark, and a column's name goes over several lines, which a scan "
                "cannot read; write the names in one line."
            )
    return head
