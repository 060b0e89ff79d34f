"""The summary of a table: what each column is, and what looks odd."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clearwood.moments import moment_text
from clearwood.read.identifiers import looks_like_identifier
from clearwood.read.notes import name_some
from clearwood.table import Column, Table

__all__ = ["summarize", "summary_html"]

MANY_VALUES = 1000
"""More values than this make a nominal column slow to split and hard to read."""

NARROW_GAP = 1e-5
"""C4.5 does not separate numbers that lie closer than this (``min_gap``)."""

_WIDEST_NAME = 32
MOST_CLASSES = 30  # that are listed


def summarize(table: Table) -> str:
    """Aligned text: a line for each column, the classes, and warnings.

    Examples
    --------
    >>> table = Table([Column("age"), Column("sex", ("f", "m"))], [[31, 54, 40], [0, 1, -1]],
    ...               target=Column("ill", ("no", "yes", "unsure")), y=[0, 1, 1], name="patients")
    >>> print(summarize(table))
    patients: 3 rows, 2 features (1 numeric, 1 nominal)
    <BLANKLINE>
    column  kind     distinct  missing  values
    age     numeric         3        0  31 to 54, mean 41.6667
    sex     nominal         2        1  f 1, m 1
    <BLANKLINE>
    target ill: 2 classes
      yes  2  66.7%
      no   1  33.3%
      declared but unused: 'unsure'
    """
    head = f"{table.name or 'table'}: {table.n_rows} rows, {table.n_features} features ({table.kinds})"
    if not np.all(table.weights == 1):
        head += f", weights {table.weights.min():.6g} to {table.weights.max():.6g}"
    lines = [head]
    looks = [_Look(column, table.column(i)) for i, column in enumerate(table.columns)]
    if looks:
        lines += ["", *_align([("column", "kind", "distinct", "missing", "values"), *(look.row for look in looks)])]
    if table.target is not None:
        lines += ["", *_Target(table).lines]
    odd = [note for look in looks for note in look.notes]
    if odd:
        lines += ["", "warnings:", *(f"  {note}" for note in odd)]
    return "\n".join(lines)


def summary_html(table: Table) -> str:
    """The same as HTML, for a notebook."""
    from clearwood.html import html_table, html_words

    looks = [_Look(column, table.column(i)) for i, column in enumerate(table.columns)]
    head, *_ = summarize(table).split("\n", 1)
    shown = html_table(
        ["column", "kind", "distinct", "missing", "values"], [look.row for look in looks], head, numbers=(2, 3)
    )
    notes = [note for look in looks for note in look.notes]
    if table.target is not None:
        target = _Target(table)
        shown += html_table(["class", "rows", "share"], target.rows, target.head, numbers=(1, 2))
        notes = [*target.notes, *notes]
    return shown + (html_words("\n".join(notes)) if notes else "")


def _cut(name: str) -> str:
    shown = name.replace("\n", " ")
    return shown if len(shown) <= _WIDEST_NAME else shown[: _WIDEST_NAME - 1] + "…"


def _align(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = []
    for name, kind, distinct, missing, values in rows:
        counts = f"{distinct:>{widths[2]}}  {missing:>{widths[3]}}"
        lines.append(f"{name:<{widths[0]}}  {kind:<{widths[1]}}  {counts}  {values}".rstrip())
    return lines


def _most_frequent(declared: Sequence[str], present: np.ndarray, most: int = 4) -> str:
    counts = np.bincount(present.astype(np.intp), minlength=len(declared))
    order = np.argsort(-counts, kind="stable")
    used = [i for i in order if counts[i]]
    shown = ", ".join(f"{_cut(declared[i])} {counts[i]}" for i in used[:most])
    return f"{shown}, …" if len(used) > most else shown


class _Look:
    """What one column shows at a glance."""

    def __init__(self, column: Column, cells: np.ndarray) -> None:
        present = cells[cells >= 0] if column.is_nominal else cells[~np.isnan(cells)]
        distinct = np.unique(present)
        self.notes: list[str] = []
        if column.declared is not None:
            values = _most_frequent(column.declared, present)
            unused = len(column.declared) - len(distinct)
            if unused and len(present):
                values += f" ({unused} declared but unused)"
        elif column.is_date and len(present):
            values = f"{moment_text(present.min())} to {moment_text(present.max())}"
        elif len(present):
            values = f"{present.min():.6g} to {present.max():.6g}, mean {present.mean():.6g}"
        else:
            values = ""
        self.row = (_cut(column.name), column.kind, str(len(distinct)), str(len(cells) - len(present)), values)
        self._note(column, cells, present, distinct)

    def _note(self, column: Column, cells: np.ndarray, present: np.ndarray, distinct: np.ndarray) -> None:
        name = repr(column.name)
        if len(cells) == 0:
            return
        if len(present) == 0:
            self.notes.append(f"{name} is missing in every row.")
            return
        if len(distinct) == 1:
            self.notes.append(f"{name} is constant.")
        if looks_like_identifier(column, cells):
            self.notes.append(f"{name} looks like an identifier; leave it out with ignore=[{name}].")
        if column.n_values > MANY_VALUES:
            self.notes.append(f"{name} declares {column.n_values} values; group them, or leave it out.")
        if column.kind == "numeric" and len(distinct) > 1 and np.diff(distinct).max() < NARROW_GAP:
            self.notes.append(f"{name} has all its values closer than 1e-5; C4.5 needs min_gap=0 to split it.")


class _Target:
    """The classes at a glance: a heading, a row for each of the most frequent ones, and what else there is to say."""

    def __init__(self, table: Table) -> None:
        counts = np.bincount(table.y[table.y >= 0], minlength=len(table.classes))
        used = [i for i in np.argsort(-counts, kind="stable") if counts[i]]
        name = _cut(table.target.name) if table.target else ""
        self.head = f"target {name}: {len(used)} {'class' if len(used) == 1 else 'classes'}"
        total = max(int(counts.sum()), 1)
        shown = used[:MOST_CLASSES]
        self.rows = [(_cut(table.classes[i]), str(counts[i]), f"{100 * counts[i] / total:.1f}%") for i in shown]
        self.notes: list[str] = []
        if len(used) > len(shown):
            self.notes.append(f"… and {len(used) - len(shown)} more classes")
        unused = [value for value, count in zip(table.classes, counts, strict=True) if not count]
        if unused:
            self.notes.append(f"declared but unused: {name_some(unused)}")
        missing = int((table.y < 0).sum())
        if missing:
            self.notes.append(f"missing in {missing} {'row' if missing == 1 else 'rows'}")

    @property
    def lines(self) -> list[str]:
        wide, digits = (max((len(row[i]) for row in self.rows), default=0) for i in (0, 1))
        classes = [f"  {label:<{wide}}  {count:>{digits}}  {share}" for label, count, share in self.rows]
        return [self.head, *classes, *(f"  {note}" for note in self.notes)]
