"""Document: everything that a page shows, as one JSON object with a version."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from clearwood.evaluate.fronts import Front
from clearwood.table import Column, Table
from clearwood.tree import Tree
from clearwood.view.colours import class_colours
from clearwood.view.page.details import details
from clearwood.view.page.next_best import MOST_VALUES
from clearwood.view.page.packing import Packer
from clearwood.view.page.rows import described_column, packed_rows

__all__ = ["FORMAT", "VERSIONS", "Reference", "Stability", "build_document"]

FORMAT = "clearwood-page"
VERSIONS = (1, 2)  # 2 knows values in weighted sums; a document is written as the first that knows all that it has
ROWS_FOR_A_VALUE = 10  # a column with fewer rows for each value names its rows rather than describes them
MOST_DETAILED = 1500  # nodes whose counts a page without rows holds; trees beyond that have none


@dataclass(frozen=True, slots=True)
class Reference:
    """Something that is no readable tree, drawn as a line: a forest, say, or the most frequent class."""

    name: str
    error: float
    low: float | None = None
    high: float | None = None


class Stability(NamedTuple):
    """How often the splits of a tree return in trees grown from other rows: the share for each node, NaN for leaves."""

    tree: Tree
    n_trees: int
    returns: np.ndarray


def build_document(
    front: Front,
    table: Table | None = None,
    *,
    title: str = "",
    chosen: int = 0,
    reason: str = "",
    references: Iterable[Reference] = (),
    facts: Iterable[tuple[str, str]] = (),
    stability: Iterable[Stability] = (),
    data: bool = True,
    max_rows: int = 5000,
) -> dict[str, Any]:
    """The document of a page about the trees of a front.

    Parameters
    ----------
    front : Front
        The trees; all have the same classes and agree about their columns.
    table : Table or None
        The rows that the page counts, shows and steers by.
    title, reason : str
        What the page is called, and why the chosen tree was chosen.
    chosen : int
        The place of the chosen tree in the front.
    references : iterable of Reference
        Errors to draw as lines.
    facts : iterable of (name, text)
        How it was made, for the report.
    stability : iterable of Stability
        How often the splits of some of the trees return.
    data : bool
        False leaves every row out: only counts remain.
    max_rows : int
        How many rows go into the page at most; of a larger table a sample does.

    Returns
    -------
    dict
        Only what JSON can hold; the format is described in the guide.
    """
    trees = [entry.tree for entry in front]
    if not trees:
        raise ValueError("a page needs at least one tree, got none.")
    classes, target = trees[0].classes, trees[0].target
    if any(tree.classes != classes for tree in trees):
        raise ValueError("trees of one page must have the same classes in the same order.")
    columns = _columns(trees, table, data)
    packer = Packer(columns)
    learners: dict[str, int] = {}
    entries: dict[str, list[Any]] = {
        "tree": [packer.add(tree) for tree in trees],
        "learner": [learners.setdefault(entry.learner or "tree", len(learners)) for entry in front],
        "training_error": [_rounded(entry.training_error) for entry in front],
        "cv_error": [_rounded(entry.cv_error) for entry in front],
        "cv_low": [None if entry.cv_interval is None else _rounded(entry.cv_interval.low) for entry in front],
        "cv_high": [None if entry.cv_interval is None else _rounded(entry.cv_interval.high) for entry in front],
    }
    if not all(tree.same_costs(trees[0]) for tree in trees):
        raise ValueError("trees of one page must agree about what errors cost.")
    if any(tree.laplace for tree in trees):
        entries["laplace"] = [int(tree.laplace) for tree in trees]
    aligned = None if table is None else _aligned(table, columns)
    valued = {tree.columns[f].name for tree in trees for f in tree.weight_features[tree.weight_codes >= 0]}
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSIONS[bool(valued)],
        "title": title or f"Trees for {target}",
        "target": target,
        "classes": [label.item() if isinstance(label, np.generic) else label for label in classes],
        "colours": class_colours(len(classes)),
        "columns": [
            described_column(
                column, None if aligned is None else aligned.column(i), exact=data, in_sums=column.name in valued
            )
            for i, column in enumerate(columns)
        ],
        **packer.packed(),
        "learners": list(learners),
        "entries": entries,
        "chosen": int(chosen),
        "reason": reason,
        "references": [_described(reference) for reference in references],
        "facts": [[str(name), str(text)] for name, text in facts],
    }
    if trees[0].costs is not None:
        document["costs"] = trees[0].costs.tolist()
    known = [
        {"entry": place, "trees": int(one.n_trees), "returns": [_rounded(share) for share in one.returns.tolist()]}
        for one in stability
        for place, tree in enumerate(trees)
        if tree is one.tree
    ]
    if known:
        document["stability"] = known
    if aligned is None or table is None:
        return document
    codes = _codes(table, classes)
    if data:
        return document | {"rows": packed_rows(aligned, codes, max_rows)}
    return document | {"details": _details(trees, table, aligned, codes, chosen)}


def _columns(trees: Sequence[Tree], table: Table | None, data: bool) -> tuple[Column, ...]:
    """The columns of the table and of the trees; without rows none that is not tested and might name rows."""
    known = {column.name: column for tree in trees for column in tree.columns}
    if table is not None:
        known = {column.name: known.get(column.name, column) for column in table.columns} | known
    if data:
        return tuple(known.values())
    tested = {name for tree in trees for name in tree.features}
    most = 0 if table is None else min(MOST_VALUES, table.n_rows // ROWS_FOR_A_VALUE)
    return tuple(c for c in known.values() if c.name in tested or (not c.is_nominal or c.n_values <= most))


def _aligned(table: Table, columns: tuple[Column, ...]) -> Table:
    aligned = table.align(columns)
    return aligned if aligned is table else aligned.with_weights(table.weights)


def _codes(table: Table, classes: Sequence[Any]) -> np.ndarray:
    """The class of each row as a code of the trees; -1 where it is missing or unknown to them."""
    place = {str(label): code for code, label in enumerate(classes)}
    return np.array([*(place.get(str(label), -1) for label in table.classes), -1])[table.y]


def _details(trees: Sequence[Tree], table: Table, cells: Table, codes: np.ndarray, chosen: int) -> list[dict[str, Any]]:
    """The chosen tree's counts first, then the others' until there are enough."""
    found, left = [], MOST_DETAILED
    for entry in sorted(range(len(trees)), key=lambda i: (i != chosen, i)):
        if trees[entry].n_nodes <= left or entry == chosen:
            left -= trees[entry].n_nodes
            found.append({"entry": entry, **details(trees[entry], table, cells, codes)})
    return found


def _described(reference: Reference) -> dict[str, Any]:
    ends = {"low": reference.low, "high": reference.high}
    bounds = {name: _rounded(end) for name, end in ends.items() if end is not None}
    return {"name": reference.name, "error": _rounded(reference.error), **bounds}


def _rounded(value: float) -> float | None:
    """A share with the digits that a page can show; None where it is not known."""
    return None if math.isnan(value) else round(float(value), 6)
