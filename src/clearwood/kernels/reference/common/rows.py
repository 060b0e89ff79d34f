"""Rows: a table as plain lists, and the weighted rows that reach a node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Rows = list[tuple[int, float]]
"""Row numbers with the weight that each has at a node."""


class TableLike(Protocol):
    """What the twins need of a ``clearwood.Table``."""

    @property
    def columns(self) -> Sequence[Any]: ...
    @property
    def classes(self) -> Sequence[Any]: ...
    @property
    def y(self) -> Any: ...
    @property
    def weights(self) -> Any: ...
    def column(self, column: int) -> Any: ...


@dataclass(frozen=True)
class Data:
    """The cells of a table column by column, with None for a missing cell or class."""

    nominal: list[bool]
    n_values: list[int]
    cells: list[list[Any]]
    y: list[int | None]
    weights: list[float]
    n_classes: int

    @property
    def n_features(self) -> int:
        return len(self.cells)

    def labelled(self, *, drop_weightless: bool = False) -> Rows:
        """The rows with a class, in the table's order."""
        rows = [(i, w) for i, w in enumerate(self.weights) if self.y[i] is not None]
        return [(i, w) for i, w in rows if w > 0] if drop_weightless else rows

    def known(self, rows: Rows, feature: int) -> Rows:
        cells = self.cells[feature]
        return [row for row in rows if cells[row[0]] is not None]

    def unknown(self, rows: Rows, feature: int) -> Rows:
        cells = self.cells[feature]
        return [row for row in rows if cells[row[0]] is None]

    def label(self, row: int) -> int:
        code = self.y[row]
        assert code is not None
        return code


def plain(table: TableLike) -> Data:
    """The table as plain lists."""
    nominal = [bool(column.is_nominal) for column in table.columns]
    cells = []
    for feature, is_nominal in enumerate(nominal):
        values = table.column(feature).tolist()
        cells.append([None if (v < 0 if is_nominal else v != v) else v for v in values])
    return Data(
        nominal=nominal,
        n_values=[int(column.n_values) for column in table.columns],
        cells=cells,
        y=[None if code < 0 else int(code) for code in table.y.tolist()],
        weights=table.weights.tolist(),
        n_classes=len(table.classes),
    )
