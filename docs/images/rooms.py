"""Draw the rooms of the kernels, with an arrow for every cimport between two: ``python docs/images/rooms.py``."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
KERNELS = HERE.parents[1] / "src" / "clearwood" / "kernels"
PICTURE = HERE / "rooms.svg"

# a room's name, its text, its colour
BELOW = ("common", "codes that Python knows too, arithmetic, bits, random numbers, arrays that grow", "#8a8a8a")
MIDDLE = (
    ("columns", ("sort order,", "ranks"), "#56B4E9"),
    ("routing", ("rows down a", "finished tree"), "#56B4E9"),
    ("greedy", ("C4.5, ID3, CART:", "grow and prune"), "#D55E00"),
    ("oc1", ("oblique tests", "by descent"), "#D55E00"),
    ("ism", ("one tree for", "an ensemble"), "#009E73"),
    ("pareto", ("the best tree", "of every size"), "#CC79A7"),
    ("linear", ("trees with", "hyper-planes"), "#CC79A7"),
    ("distil", ("what a teacher", "knows; a forest"), "#009E73"),
)
ABOVE = ("subsets", "trees on many subsets of features", "#D55E00")
NOTE = (
    "Python above hands arrays and numbers to a room's classes;",
    "a room knows none beside it, but for columns and routing.",
    "The plain twins, in reference, have rooms of the same names.",
)

WIDTH, LEFT, CARD, GAP = 1115, 24, 124, 10.7
TOP_Y, MIDDLE_Y, BELOW_Y = 34, 146, 290
TOP_HEIGHT, MIDDLE_HEIGHT, BELOW_HEIGHT = 62, 82, 58

_FROM = re.compile(r"^\s*(?:from|cimport|import) +clearwood\.kernels\.(\w+)", re.MULTILINE)


def edges(kernels: Path = KERNELS) -> dict[tuple[str, str], list[str]]:
    """Which room uses which other, by cimport or import, and the files that do."""
    found: dict[tuple[str, str], list[str]] = {}
    for file in sorted([*kernels.glob("*/*.pyx"), *kernels.glob("*/*.pxd")]):
        for used in sorted(set(_FROM.findall(file.read_text(encoding="utf-8"))) - {file.parent.name}):
            found.setdefault((file.parent.name, used), []).append(file.name)
    return found


def picture(arrows: list[tuple[str, str]]) -> str:
    """The rooms and the arrows between them as SVG."""
    places = {name: LEFT + i * (CARD + GAP) for i, (name, _, _) in enumerate(MIDDLE)}
    top = (places["routing"], places["greedy"] + CARD)
    lines = [_HEAD.format(width=WIDTH, height=BELOW_Y + BELOW_HEIGHT + 24)]
    lines += [_arrow(source, goal, places, top) for source, goal in arrows]
    lines.append(_card(top[0], TOP_Y, top[1] - top[0], TOP_HEIGHT, ABOVE[0], (ABOVE[1],), ABOVE[2]))
    for name, text, colour in MIDDLE:
        lines.append(_card(places[name], MIDDLE_Y, CARD, MIDDLE_HEIGHT, name, text, colour))
    lines.append(_card(LEFT, BELOW_Y, WIDTH - 2 * LEFT, BELOW_HEIGHT, BELOW[0], (BELOW[1],), BELOW[2]))
    for i, text in enumerate(NOTE):
        lines.append(f'  <text class="note" x="{top[1] + 32:g}" y="{TOP_Y + 18 + 18 * i}">{text}</text>')
    return "\n".join([*lines, "</svg>\n"])


def _arrow(source: str, goal: str, places: dict[str, float], top: tuple[float, float]) -> str:
    """Straight down, or in an arc over the cards from one to another of the middle row."""
    if source == ABOVE[0]:
        x = (top[0] + top[1]) / 2 if goal == "common" else places[goal] + CARD / 2
        y = TOP_Y + TOP_HEIGHT
        end = BELOW_Y if goal == "common" else MIDDLE_Y
        path = f"M{x:g} {y} L{x:g} {end - 3}"
    elif goal == "common":
        x = places[source] + CARD / 2
        path = f"M{x:g} {MIDDLE_Y + MIDDLE_HEIGHT} L{x:g} {BELOW_Y - 3}"
    else:
        x, end = places[source] + CARD / 2, places[goal] + CARD / 2
        path = f"M{x:g} {MIDDLE_Y} C {x:g} {MIDDLE_Y - 40} {end:g} {MIDDLE_Y - 40} {end:g} {MIDDLE_Y - 3}"
    return f'  <path class="line" d="{path}" marker-end="url(#head)"><title>{source} uses {goal}</title></path>'


def _card(x: float, y: float, width: float, height: float, name: str, text: tuple[str, ...], colour: str) -> str:
    rows = [
        f'  <rect class="card" x="{x:g}" y="{y}" width="{width:g}" height="{height}" rx="8"/>',
        f'  <rect x="{x:g}" y="{y}" width="5" height="{height}" rx="2" fill="{colour}"/>',
        f'  <text class="name" x="{x + 16:g}" y="{y + 26}">{name}</text>',
    ]
    for i, line in enumerate(text):
        rows.append(f'  <text class="note" x="{x + 16:g}" y="{y + 47 + 17 * i}">{line}</text>')
    return "\n".join(rows)


_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"
     aria-labelledby="title desc" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif">
  <title id="title">The rooms of the kernels</title>
  <desc id="desc">Columns, routing, greedy, oc1, ism, pareto, linear and distil stand side by side on common; subsets
    stands on greedy and routing. An arrow goes from a room to each that it uses.</desc>
  <defs>
    <marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">
      <path d="M0 0.8 L9.2 5 L0 9.2 z" fill="#8a8a8a"/>
    </marker>
  </defs>
  <style>
    .card {{ fill: #ffffff; stroke: #c9c9c9; stroke-width: 1.2 }}
    .name {{ font-size: 17px; font-weight: 650; fill: #1b1b1b }}
    .note {{ font-size: 12.5px; fill: #4a4a4a }}
    .line {{ fill: none; stroke: #8a8a8a; stroke-width: 1.7 }}
  </style>
  <rect x="0" y="0" width="{width}" height="{height}" rx="14" fill="#fbfaf7"/>"""


if __name__ == "__main__":
    PICTURE.write_text(picture(sorted(edges())), encoding="utf-8")
