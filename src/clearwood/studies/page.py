"""Page: HTML that needs no other file, light and fit for paper."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from clearwood.wording import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "Cell",
    "drawing",
    "folded",
    "inline_svg",
    "links",
    "page",
    "paragraph",
    "preformatted",
    "section",
    "side_by_side",
    "table",
    "text",
]

LONGEST_WORD = 24  # of a heading; a longer one is broken

_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 1080px; margin: 2rem auto;
  padding: 0 1.2rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
p { margin: .4rem 0 .8rem; max-width: 75ch; } .faint { color: #595959; }
.wide { overflow-x: auto; }
.side { display: flex; flex-wrap: wrap; gap: 0 2.4rem; }
table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; margin: .3rem 0 1rem; }
caption { text-align: left; font-weight: 600; padding: .2rem 0; white-space: nowrap; }
th, td { padding: .14rem .55rem; text-align: right; border-bottom: 1px solid #e4e4e4; white-space: nowrap; }
th { font-weight: 600; white-space: normal; overflow-wrap: break-word; max-width: 16em; min-width: 3.5em; }
th span { white-space: nowrap; }
thead th { border-bottom: 1.5px solid #595959; vertical-align: bottom; }
th:first-child { text-align: left; } td.long { white-space: normal; overflow-wrap: anywhere; text-align: left; }
tbody th { font-weight: 400; } tr.total > * { border-top: 1.5px solid #595959; font-weight: 600 !important; }
td.better { background: #d9f0e8; } td.worse, td.differs { background: #fbe3d3; }
.pm { color: #595959; font-size: .85em; }
pre { background: #f5f5f5; padding: .7rem .9rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 13px/1.45 ui-monospace, monospace; }
figure { margin: .6rem 0 1.4rem; } figure svg { max-width: 100%; height: auto; } figcaption { color: #595959; }
figure.tree { overflow-x: auto; } figure.tree svg { max-width: none; }
details { margin: .3rem 0; } summary { cursor: pointer; font-weight: 600; }
@media print { body { margin: 0; max-width: none; font-size: 10pt; } .wide { overflow: visible; }
  table, figure, pre { break-inside: avoid; } table.long { break-inside: auto; } h2 { break-after: avoid; }
  figure.tree { overflow: visible; } figure.tree svg { max-width: 100%; }
  td { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""


class Cell:
    """A table's cell: text, a mark of significance, a class of the style."""

    def __init__(self, words: object, *, extra: str = "", mark: str = "", style: str = "") -> None:
        self.words, self.extra, self.mark, self.style = words, extra, mark, style

    def html(self) -> str:
        kinds = {"+": "better", "-": "worse"}
        style = " ".join(filter(None, [kinds.get(self.mark, ""), self.style]))
        mark = {"+": " ▲", "-": " ▼"}.get(self.mark, "")
        extra = f' <span class="pm">{text(self.extra)}</span>' if self.extra else ""
        return f"<td{_class(style)}>{text(self.words)}{mark}{extra}</td>"


def side_by_side(parts: Iterable[str]) -> str:
    """Tables beside each other, as many as the page is wide."""
    return f'<div class="side">{"".join(parts)}</div>'


def text(words: object) -> str:
    """Any words as text of a page: names that look like HTML are still names."""
    return escape(visible(words), quote=True)


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def table(
    head: Sequence[object],
    rows: Iterable[Sequence[object]],
    caption: str = "",
    total: Sequence[object] | None = None,
) -> str:
    """A table; the first cell of each row is its name, the others are Cells or plain values."""
    body = [_row(row) for row in rows]
    last = [] if total is None else [_row(total, "total")]
    above = f"<caption>{text(caption)}</caption>" if caption else ""
    heads = "".join(f'<th scope="col">{_whole_words(cell)}</th>' for cell in head)
    kind = _class("long" if len(body) > 20 else "")
    lines = "\n".join([f"<thead><tr>{heads}</tr></thead>", "<tbody>", *body, *last, "</tbody>"])
    return f'<div class="wide"><table{kind}>{above}{lines}</table></div>'


def _row(cells: Sequence[object], kind: str = "") -> str:
    name, *others = cells
    drawn = "".join(cell.html() if isinstance(cell, Cell) else Cell(cell).html() for cell in others)
    return f'<tr{_class(kind)}><th scope="row">{_whole_words(name)}</th>{drawn}</tr>'


def _whole_words(words: object) -> str:
    """A heading that is broken between words only: browsers break at hyphens too, which leaves ``heart-`` and ``c``."""
    return " ".join(
        f"<span>{word}</span>" if "-" in word and len(word) <= LONGEST_WORD else word for word in text(words).split(" ")
    )


def paragraph(words: str, style: str = "") -> str:
    return f"<p{_class(style)}>{'<br>'.join(map(text, words.splitlines()))}</p>"


def links(files: Mapping[str, str]) -> str:
    """Links to files beside this one, by what they are called."""
    items = "".join(
        f'<li><a href="{escape(quote(file), quote=True)}">{text(name)}</a></li>' for name, file in files.items()
    )
    return f"<ul>{items}</ul>"


def folded(title: str, *parts: str, is_open: bool = False) -> str:
    """A line that unfolds what belongs to it."""
    body = "\n".join(parts)
    return f"<details{' open' if is_open else ''}><summary>{text(title)}</summary>\n{body}\n</details>"


def drawing(svg: str, caption: str) -> str:
    """A picture of our own, which names nothing outside itself; a wide one can be scrolled."""
    return f'<figure class="tree">{svg.strip()}<figcaption>{text(caption)}</figcaption></figure>'


def preformatted(words: str) -> str:
    """Text with its line ends kept."""
    return f"<pre>{escape(words)}</pre>"


def section(title: str, *parts: str) -> str:
    """A heading and what stands below it; nothing if that is empty."""
    body = "\n".join(part for part in parts if part)
    return f"<section><h2>{text(title)}</h2>\n{body}\n</section>" if body else ""


def page(title: str, subtitle: str, sections: Iterable[str]) -> str:
    """The whole document."""
    body = "\n".join(part for part in sections if part)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{text(title)}</h1>\n"
        f'<p class="faint">{text(subtitle)}</p>\n{body}\n</body>\n</html>\n'
    )


def inline_svg(figure: Figure | Any, name: str, caption: str) -> str:
    """A figure as SVG within the page; ``name`` keeps its ids apart from those of other figures."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    buffer = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "path", "svg.hashsalt": "clearwood"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    plt.close(figure)
    drawing = buffer.getvalue()
    drawing = drawing[drawing.index("<svg") :]
    drawing = re.sub(r"<metadata>.*?</metadata>", "", drawing, flags=re.DOTALL)
    drawing = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", drawing)  # HTML needs no name spaces, and nothing is fetched
    drawing = re.sub(r"<!--.*?-->", "", drawing, flags=re.DOTALL)  # matplotlib writes each text there, unescaped
    drawing = re.sub(r'\bid="', f'id="{name}-', drawing)
    drawing = re.sub(r'href="#', f'href="#{name}-', drawing).replace("url(#", f"url(#{name}-")
    drawing = drawing.replace("<svg ", f'<svg role="img" aria-label="{text(caption)}" ', 1)
    return f"<figure>{drawing}<figcaption>{text(caption)}</figcaption></figure>"
