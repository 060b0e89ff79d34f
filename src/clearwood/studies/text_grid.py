"""A grid of text: cells in aligned columns, names cut so that a line stays a line."""

from __future__ import annotations

from collections.abc import Sequence

from clearwood.wording import cut, visible, width

__all__ = ["first_line", "grid", "short"]

LONGEST_NAME = 32


def grid(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Rows of cells as aligned text: the first ``left`` columns to the left, the others to the right.

    >>> print(grid([["", "nodes"], ["c45", "8.2"], ["cart", "12.0"]]))
          nodes
    c45     8.2
    cart   12.0
    """
    widths = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell + " " * (room - width(cell)) if i < left else " " * (room - width(cell)) + cell
            for i, (cell, room) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def short(name: object) -> str:
    """A name that fits a column."""
    return cut(visible(name), LONGEST_NAME)


def first_line(error: str | None) -> str:
    """What an error's text says first."""
    lines = (error or "").strip().splitlines()
    return lines[0] if lines else "no message"
