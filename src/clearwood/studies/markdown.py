"""Markdown: the notes of a study as HTML, as far as they use that language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

__all__ = ["markdown_html"]


def markdown_html(source: str) -> str:
    """Headings, paragraphs, lists, tables, code and emphasis; everything else is text.

    >>> markdown_html("# Data\\n\\n- **wine** has `13` features\\n  and 178 rows")
    '<h3>Data</h3>\\n<ul>\\n<li><strong>wine</strong> has <code>13</code> features and 178 rows</li>\\n</ul>'
    """
    return "\n".join(_blocks(source.splitlines()))


def _blocks(lines: list[str]) -> Iterator[str]:
    place = 0
    while place < len(lines):
        line = lines[place]
        end = place + 1
        if not line.strip():
            place = end
            continue
        if found := re.match(r"(#+)\s+(.*)", line):
            level = min(len(found[1]) + 2, 6)
            yield f"<h{level}>{_words(found[2])}</h{level}>"
        elif line.startswith("```"):
            while end < len(lines) and not lines[end].startswith("```"):
                end += 1
            yield f"<pre>{escape(chr(10).join(lines[place + 1 : end]))}</pre>"
            end += 1
        elif line.startswith("|"):
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            yield _table(lines[place:end])
        else:
            while end < len(lines) and lines[end].strip() and not re.match(r"#|\||```", lines[end]):
                end += 1
            yield _list(lines[place:end]) if _starts_item(line) else f"<p>{_words(' '.join(lines[place:end]))}</p>"
        place = end


def _starts_item(line: str) -> bool:
    return re.match(r"\s*([-*]|\d+\.)\s", line) is not None


def _list(lines: list[str]) -> str:
    items: list[str] = []
    for line in lines:
        if _starts_item(line):
            items.append(re.sub(r"^\s*([-*]|\d+\.)\s+", "", line))
        else:
            items[-1] += " " + line.strip()
    tag = "ol" if re.match(r"\s*\d", lines[0]) else "ul"
    return "\n".join([f"<{tag}>", *(f"<li>{_words(item)}</li>" for item in items), f"</{tag}>"])


def _table(lines: list[str]) -> str:
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    body = [row for row in rows[1:] if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    head = "".join(f"<th>{_words(cell)}</th>" for cell in rows[0])
    cells = ["".join(f'<td class="long">{_words(cell)}</td>' for cell in row) for row in body]
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in cells)}</tbody></table>"


def _words(text: str) -> str:
    """Text with code, links and emphasis; nothing in it is taken for HTML."""
    parts = re.split(r"(`[^`]+`)", text.replace(r"\|", "|"))
    return "".join(f"<code>{escape(p[1:-1])}</code>" if p.startswith("`") and len(p) > 2 else _plain(p) for p in parts)


def _plain(text: str) -> str:
    shown = escape(text)
    shown = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r"\1", shown)  # what a link says: a report may lie anywhere
    shown = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", shown)
    return re.sub(r"(?<!\w)\*([^*]+)\*(?!\w)", r"<em>\1</em>", shown)
