"""Functions: a tree as source text that needs nothing else, in Python or JavaScript."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from clearwood.booleans import spellings
from clearwood.condition_wording import condition_words
from clearwood.conditions import Kind
from clearwood.export.directions import can_lack
from clearwood.wording import plural, visible

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["to_javascript", "to_python"]

DEEPEST = 400  # tests on a path: each is a call, and Python allows about 1,000

_PYTHON = '''"""{heading}

{note}
"""

CLASSES = {classes}


def predict(row):
    """The class of a row, a dict of cells by column; None or NaN where a cell is missing."""
    chances = {decide}(row)
    best, label = -1.0, CLASSES[0]
    for chance, candidate in zip(chances, CLASSES):
        if chance - best > 1e-6:
            best, label = chance, candidate
    return label


def predict_proba(row):
    """The probability of each of CLASSES for a row."""
    return _node0(row)


def _missing(cell):
    return cell is None or cell != cell or cell == ""


def _number(cell):
    return None if _missing(cell) or float(cell) != float(cell) else float(cell)


def _text(cell):
    if _missing(cell):
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return str(int(cell)) if isinstance(cell, float) and cell == int(cell) else str(cell)


def _moment(cell):
    """Milliseconds since 1970 of a date, a datetime or ISO text; without a zone UTC is meant."""
    from datetime import date, datetime, timedelta, timezone

    if _missing(cell) or isinstance(cell, (int, float)):
        return _number(cell)
    if isinstance(cell, str):
        cell = datetime.fromisoformat(cell.strip().replace("Z", "+00:00"))
    elif not isinstance(cell, datetime):
        cell = datetime(cell.year, cell.month, cell.day)
    if cell.tzinfo is None:
        cell = cell.replace(tzinfo=timezone.utc)
    return (cell - datetime(1970, 1, 1, tzinfo=timezone.utc)) / timedelta(milliseconds=1)


def _sum(*terms):
    """Weights times numbers, or times whether a cell has a value, from the first to the last; None without a number."""
    total = 0.0
    for weight, cell in terms:
        if cell is None:
            return None
        total += weight * cell
    return None if total != total else total


def _mixed(*parts):
    """Shares of several branches: what a row without the value gets."""
    return [sum(share * chances[i] for share, chances in parts) for i in range(len(CLASSES))]


{nodes}
'''

_JAVASCRIPT = """// {heading}
// {note}
"use strict";

const CLASSES = {classes};

/** The class of a row, an object of cells by column; null, undefined or NaN where a cell is missing. */
function predict(row) {{
  const chances = {decide}(row);
  let best = -1, label = CLASSES[0];
  chances.forEach((chance, i) => {{ if (chance - best > 1e-6) {{ best = chance; label = CLASSES[i]; }} }});
  return label;
}}

/** The probability of each of CLASSES for a row. */
function predictProba(row) {{
  return node0(row);
}}

function isMissing(cell) {{
  return cell === null || cell === undefined || cell === "" || Number.isNaN(cell);
}}

function number(cell) {{
  return isMissing(cell) || Number.isNaN(Number(cell)) ? null : Number(cell);
}}

function text(cell) {{
  return isMissing(cell) ? null : String(cell);
}}

/** Milliseconds since 1970 of a Date or ISO text; without a zone UTC is meant. */
function moment(cell) {{
  if (isMissing(cell) || typeof cell === "number") return number(cell);
  if (cell instanceof Date) return cell.getTime();
  const iso = String(cell).trim().replace(" ", "T");
  return Date.parse(/T/.test(iso) && !/(Z|[+-]\\d\\d:?\\d\\d)$/.test(iso) ? iso + "Z" : iso);
}}

/** Weights times numbers, or times whether a cell has a value, from the first to the last; null without a number. */
function weightedSum(...terms) {{
  let total = 0;
  for (const [weight, cell] of terms) {{
    if (cell === null) return null;
    total += weight * cell;
  }}
  return Number.isNaN(total) ? null : total;
}}

/** Shares of several branches: what a row without the value gets. */
function mixed(...parts) {{
  return CLASSES.map((_, i) => parts.reduce((sum, [share, chances]) => sum + share * chances[i], 0));
}}

{nodes}

if (typeof module !== "undefined") module.exports = {{ CLASSES, predict, predictProba }};
"""


def to_python(tree: Tree) -> str:
    """A Python module without dependencies: ``predict(row)`` and ``predict_proba(row)`` for a dict of cells.

    Missing cells and values that the tree does not know are treated as the tree itself does.

    >>> from clearwood.table import Column
    >>> from clearwood.tree import Tree
    >>> tree = Tree(columns=[Column("age")], classes=["ill", "well"], kind=[1, 0, 0], feature=[0, -1, -1],
    ...             threshold=[40.5, float("nan"), float("nan")], first_child=[1, -1, -1], n_children=[2, 0, 0],
    ...             empty=[False] * 3, counts=[[4, 6], [1, 6], [3, 0]])
    >>> space = {}
    >>> exec(to_python(tree), space)
    >>> space["predict"]({"age": 38}), space["predict_proba"]({"age": None})
    ('well', [0.39999999999999997, 0.6])
    """
    return _Writer(tree, python=True).whole()


def to_javascript(tree: Tree) -> str:
    """A JavaScript file without dependencies: ``predict(row)`` and ``predictProba(row)`` for an object of cells."""
    return _Writer(tree, python=False).whole()


class _Writer:
    """Writes one function for each test; a leaf is a list of probabilities."""

    def __init__(self, tree: Tree, *, python: bool) -> None:
        if tree.depth > DEEPEST:
            raise ValueError(
                f"the tree is {tree.depth} tests deep, and functions are written for up to {DEEPEST}: each test is a "
                "call inside another; prune the tree first."
            )
        from clearwood.routing import Routing

        self.tree, self.python = tree, python
        routing = Routing(tree)
        self.smooth, self.deciding = routing.smooth, routing.deciding
        self.share = routing.sharing[2]

    def whole(self) -> str:
        tree = self.tree
        what = f"{tree.learner} tree" if tree.learner else "Tree"
        heading = f"{what} for {tree.target}: {plural(tree.n_leaves, 'leaf', 'leaves')}."
        tested = ", ".join(visible(name) for name in tree.features) or "none"
        note = f"Columns that it tests: {tested}."
        nodes = self._nodes(self.smooth, "_node" if self.python else "node")
        decide = "predict_proba" if self.python else "predictProba"
        if tree.laplace or tree.costs is not None:  # the class comes from the plain probabilities, or what they save
            nodes += "\n\n\n" + self._nodes(self.deciding, "_deciding" if self.python else "deciding")
            decide = "_deciding0" if self.python else "deciding0"
        template = _PYTHON if self.python else _JAVASCRIPT
        said = [visible(heading), visible(note)]
        if self.python:  # inside quotes: nothing may end them
            said = [text.replace("\\", "\\\\").replace('"', '\\"') for text in said]
        return template.format(heading=said[0], note=said[1], classes=self._classes(), nodes=nodes, decide=decide)

    def _classes(self) -> str:
        labels = [label.item() if isinstance(label, np.generic) else label for label in self.tree.classes]
        return repr(labels) if self.python else json.dumps(labels)

    def _nodes(self, leaves: np.ndarray, prefix: str) -> str:
        if self.tree.is_leaf(0):
            return self._function(f"{prefix}0", [("", self._leaf(leaves, 0))])
        parts = []
        for node in self.tree.walk():
            if not self.tree.is_leaf(node):
                parts.append(self._test(node, leaves, prefix))
        return ("\n\n\n" if self.python else "\n\n").join(parts)

    def _leaf(self, leaves: np.ndarray, node: int) -> str:
        return "[" + ", ".join(repr(float(p)) for p in leaves[node]) + "]"

    def _goes(self, node: int, leaves: np.ndarray, prefix: str) -> str:
        return self._leaf(leaves, node) if self.tree.is_leaf(node) else f"{prefix}{node}(row)"

    def _test(self, node: int, leaves: np.ndarray, prefix: str) -> str:
        tree = self.tree
        children = tree.children(node)
        goes = [self._goes(child, leaves, prefix) for child in children]
        lines = []
        if tree.kind[node] in (Kind.THRESHOLD, Kind.LINEAR):
            value = self._sum(node) if tree.kind[node] == Kind.LINEAR else self._cell(int(tree.feature[node]))
            cut = repr(float(tree.threshold[node]))
            lines.append(("", f"x = {value}", ""))
            if can_lack(tree, node):
                lines.append((f"x is not None and x <= {cut}", f"x !== null && x <= {cut}", goes[0]))
                lines.append((f"x is not None and x > {cut}", f"x !== null && x > {cut}", goes[1]))
                lines.append(("", "", self._without(node, goes)))
            else:
                lines += [(f"x <= {cut}", f"x <= {cut}", goes[0]), ("", "", goes[1])]
        else:
            folded, meant = spellings(tree.columns[tree.feature[node]].values or ())
            cell = self._cell(int(tree.feature[node]))
            lower = ("x.lower() if x is not None else None", "x === null ? null : x.toLowerCase()")
            lines.append(("", f"x = {cell}", ""))
            if folded:
                lines.append(("", f"x = {lower[0] if self.python else lower[1]}", ""))
            for branch, way in enumerate(goes):
                codes = tree.condition(node, branch).values or ()
                texts = [text for code in codes for text in meant[code]]
                if texts:
                    listed = ", ".join(map(self._quoted, texts))
                    lines.append((f"x in ({listed},)", f"[{listed}].includes(x)", way))
            lines.append(("", "", self._without(node, goes)))
        says = [condition_words(tree.condition(node, branch)) for branch in range(len(children))]
        return self._body(f"{prefix}{node}", lines, says)

    def _without(self, node: int, goes: list[str]) -> str:
        direction = int(self.tree.missing[node])
        if direction >= 0:
            return goes[direction]
        parts = [
            (repr(float(self.share[child])), way)
            for child, way in zip(self.tree.children(node), goes, strict=True)
            if self.share[child] > 0
        ]
        if self.python:
            return "_mixed(" + ", ".join(f"({share}, {way})" for share, way in parts) + ")"
        return "mixed(" + ", ".join(f"[{share}, {way}]" for share, way in parts) + ")"

    def _cell(self, feature: int) -> str:
        column = self.tree.columns[feature]
        name = self._quoted(column.name)
        cell = f"row.get({name})" if self.python else f"row[{name}]"
        if column.levels is not None:
            places = {level: float(i) for i, level in enumerate(column.levels)}
            if self.python:
                return f"{places!r}.get(_text({cell}))"
            pairs = json.dumps(list(places.items()))
            return f"(new Map({pairs}).get(text({cell})) ?? null)"  # a Map: an object has names of its own
        form = "text" if column.is_nominal else "moment" if column.is_date else "number"
        return f"{'_' if self.python else ''}{form}({cell})"

    def _quoted(self, text: str) -> str:
        return repr(text) if self.python else json.dumps(text)

    def _sum(self, node: int) -> str:
        plane = self.tree.plane(node)
        cells = [
            self._cell(feature) if code < 0 else self._has(feature, code)
            for feature, code in zip(plane.features, plane.codes, strict=True)
        ]
        weights = [repr(float(weight)) for weight in plane.weights]
        pairs = ", ".join(f"({w}, {c})" if self.python else f"[{w}, {c}]" for w, c in zip(weights, cells, strict=True))
        return f"_sum({pairs})" if self.python else f"weightedSum({pairs})"

    def _has(self, feature: int, code: int) -> str:
        """Whether a nominal cell has a value: a truth value, which counts as 1 or 0 in a sum."""
        folded, meant = spellings(self.tree.columns[feature].values or ())
        cell, listed = self._cell(feature), ", ".join(map(self._quoted, meant[code]))
        if self.python:
            return f'({cell} or "").lower() in ({listed},)' if folded else f"{cell} in ({listed},)"
        return f"[{listed}].includes({cell}{'?.toLowerCase()' if folded else ''})"

    def _function(self, name: str, lines: list[tuple[str, str]]) -> str:
        body = lines[0][1]
        if self.python:
            return f"def {name}(row):\n    return {body}"
        return f"function {name}(row) {{\n  return {body};\n}}"

    def _body(self, name: str, lines: list[tuple[str, str, str]], says: list[str]) -> str:
        """Each line: the test in Python, in JavaScript (or a statement), and where it leads."""
        written = [f"def {name}(row):" if self.python else f"function {name}(row) {{"]
        tab, remark = ("    ", "#") if self.python else ("  ", "//")
        tests = 0
        for test, other, way in lines:
            if not way:
                written.append(f"{tab}{other}" if self.python or not other else f"{tab}{self._let(other, written)};")
            elif test:
                said = f"  {remark} {says[tests]}" if tests < len(says) else ""
                tests += 1
                if self.python:
                    written += [f"{tab}if {test}:{said}", f"{tab}{tab}return {way}"]
                else:
                    written.append(f"{tab}if ({other}) return {way};{said}")
            else:
                written.append(f"{tab}return {way}" + ("" if self.python else ";"))
        return "\n".join(written if self.python else [*written, "}"])

    @staticmethod
    def _let(statement: str, written: list[str]) -> str:
        return statement if any(line.strip().startswith("let x") for line in written) else f"let {statement}"
