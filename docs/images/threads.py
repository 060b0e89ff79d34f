"""Draw what threads gain over one, from a measurement: ``python docs/images/threads.py``.

The measurement is what ``python -m benchmarks --threads --json docs/images/threads.json`` writes; a table for the page
is made of it too.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MEASURED, PICTURE, TABLE = HERE / "threads.json", HERE / "threads.svg", HERE / "threads.csv"

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#8a6d00", "#555555", "#AA3377")
WIDTH, HEIGHT = 960, 380  # the height grows with the names
LEFT, RIGHT, TOP, BOTTOM = 56, 420, 24, 330  # of the part with the lines; the names stand to its right


def gains(work: dict[str, Any]) -> dict[int, float]:
    """How many times faster each number of threads is than one."""
    seconds = {int(n): float(value) for n, value in work["seconds"].items()}
    return {n: seconds[1] / value for n, value in sorted(seconds.items())}


def picture(measured: dict[str, Any]) -> str:
    """The gains by number of threads as SVG, on logarithmic axes; the broken line is the most that threads can gain."""
    works = [work for work in measured["threads"] if work["seconds"]]
    counts = sorted({n for work in works for n in gains(work)})
    most = max(counts[-1], 2)

    def place(n: float, gain: float) -> tuple[float, float]:
        x = LEFT + (RIGHT - LEFT) * math.log2(n) / math.log2(most)
        y = BOTTOM - (BOTTOM - TOP) * max(0.0, math.log2(gain)) / math.log2(most)
        return round(x, 1), round(y, 1)

    height = max(HEIGHT, TOP + 24 * len(works) + 8)
    lines = [_HEAD.format(width=WIDTH, height=height)]
    for n in counts:
        x, y = place(n, n)
        lines.append(f'  <line class="grid" x1="{LEFT}" y1="{y:g}" x2="{RIGHT}" y2="{y:g}"/>')
        lines.append(f'  <text class="axis" x="{x:g}" y="{BOTTOM + 18}" text-anchor="middle">{n}</text>')
        lines.append(f'  <text class="axis" x="{LEFT - 8}" y="{y + 4:g}" text-anchor="end">{n}</text>')
    lines.append(
        f'  <text class="axis" x="{(LEFT + RIGHT) / 2:g}" y="{BOTTOM + 38}" text-anchor="middle">threads</text>'
    )
    lines.append(f'  <text class="axis" x="{LEFT - 8}" y="{TOP - 10}" text-anchor="end">gain</text>')
    lines.append(_line([place(1, 1), place(most, most)], "ideal", ""))
    for number, work in enumerate(works):
        found = gains(work)
        style = f' stroke="{COLOURS[number % len(COLOURS)]}"'
        style += ' stroke-dasharray="2 3"' * (number // len(COLOURS))  # the same colours again
        lines.append(_line([place(n, gain) for n, gain in found.items()], "work", style))
        y = TOP + 14 + 24 * number
        lines.append(f'  <line class="work"{style} x1="{RIGHT + 24}" y1="{y}" x2="{RIGHT + 44}" y2="{y}"/>')
        said = f"{work['work']}: {found[max(found)]:.1f}"
        lines.append(f'  <text class="name" x="{RIGHT + 52}" y="{y + 4}">{said}</text>')
    return "\n".join([*lines, "</svg>\n"])


def table(measured: dict[str, Any]) -> str:
    """The seconds and the gain of the most threads, as CSV."""
    works = [work for work in measured["threads"] if work["seconds"]]
    counts = sorted({n for work in works for n in gains(work)})
    rows = [["work", *(f"{n} thread{'s' * (n > 1)}, s" for n in counts), f"gain of {counts[-1]}", "results equal"]]
    for work in works:
        seconds = {int(n): value for n, value in work["seconds"].items()}
        cells = [f"{seconds[n]:.2f}" if n in seconds else "" for n in counts]
        found = gains(work)
        rows.append([work["work"], *cells, f"{found[max(found)]:.2f}", "yes" if work["equal"] else "no"])
    return "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in rows)


def _line(points: list[tuple[float, float]], kind: str, more: str) -> str:
    return f'  <polyline class="{kind}"{more} points="{" ".join(f"{x:g},{y:g}" for x, y in points)}"/>'


_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
  <style>
    text {{ font: 13px sans-serif; fill: #333 }}
    .grid {{ stroke: #ddd; stroke-width: 1 }}
    .work {{ fill: none; stroke-width: 2 }}
    .ideal {{ fill: none; stroke: #999; stroke-width: 1.5; stroke-dasharray: 5 4 }}
  </style>
  <rect width="{width}" height="{height}" fill="white"/>"""


if __name__ == "__main__":
    content = json.loads(MEASURED.read_text(encoding="utf-8"))
    PICTURE.write_text(picture(content), encoding="utf-8")
    TABLE.write_text(table(content), encoding="utf-8")
