"""HTML: what a notebook shows of a value: static, escaped, in the colours of the text around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from clearwood.wording import visible

__all__ = ["Lines", "html_lines", "html_table", "html_words"]

_CELL = "padding:2px 10px;border:0;border-bottom:1px solid rgba(128,128,128,.35);vertical-align:top"


class Lines(str):
    """A text of several lines, which an interpreter or a notebook shows as such.

    >>> Lines("one\\ntwo")
    one
    two
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return html_lines(self)


def html_lines(text: str) -> str:
    """A text as it is, in letters of one width."""
    return f'<pre style="background:none;color:inherit;line-height:1.25">{escape(text)}</pre>'


def html_words(text: str) -> str:
    """A few lines of ordinary text."""
    return f'<div style="margin:6px 0;color:inherit">{"<br/>".join(map(escape, text.splitlines()))}</div>'


def html_table(
    headings: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "", numbers: Iterable[int] = ()
) -> str:
    """A table; ``numbers`` are the columns that are set to the right.

    >>> html_table(["n", "a & b"], [[1, "<x>"]]).count("&amp;"), "<x>" in html_table(["n"], [["<x>"]])
    (1, False)
    """
    right = set(numbers)

    def cell(tag: str, place: int, content: object) -> str:
        side = "right" if place in right else "left"
        return f'<{tag} style="{_CELL};text-align:{side}">{escape(visible(content))}</{tag}>'

    head = "".join(cell("th", i, heading) for i, heading in enumerate(headings))
    body = "".join(f"<tr>{''.join(cell('td', i, c) for i, c in enumerate(row))}</tr>" for row in rows)
    told = html_words(caption) if caption else ""
    return (
        f'<div style="color:inherit;overflow-x:auto">{told}<table style="border-collapse:collapse;margin:0 0 10px;'
        f'color:inherit;background:none"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )
