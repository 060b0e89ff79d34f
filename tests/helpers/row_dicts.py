"""Row dicts: the rows of a table as other programs take them, cells by column."""

from __future__ import annotations

from typing import Any

from clearwood.table import Table

__all__ = ["row_dicts"]


def row_dicts(table: Table, unseen: str | None = None) -> list[dict[str, Any]]:
    """Each row as a dict; a missing value is None, in every second row a value that no column declares, if given."""
    rows = []
    for i in range(table.n_rows):
        row: dict[str, Any] = {}
        for column in table.columns:
            cell = table.column(column.name)[i].item()
            if column.declared is not None:
                row[column.name] = column.declared[int(cell)] if cell >= 0 else (None, unseen)[i % 2]
            else:
                row[column.name] = None if cell != cell else cell
        rows.append(row)
    return rows
