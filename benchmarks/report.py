"""Report: the rows as a table for people, and as JSON for machines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.machine import describe
from benchmarks.row import Row


def show(rows: Sequence[Row], console: Console | None = None) -> None:
    """Print the table, then how many goals are reached."""
    console = console or Console()
    if not console.is_terminal:
        console = Console(file=console.file, width=max(200, console.width))
    console.print(", ".join(f"{name} {value}" for name, value in describe().items()))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("benchmark", "size", "what", "ours", "peer", "theirs", "ratio", "goal", "reached", "note"):
        right = heading in ("size", "ours", "theirs", "ratio")
        table.add_column(heading, justify="right" if right else "left", no_wrap=heading != "note")
    for before, row in zip((None, *rows), rows, strict=False):
        if before and before.benchmark != row.benchmark:
            table.add_section()
        table.add_row(*cells(row), end_section=False)
    console.print(table)
    tried = [row for row in rows if row.reached is not None]
    console.print(f"{sum(bool(row.reached) for row in tried)} of {len(tried)} goals reached")


def cells(row: Row) -> tuple[str, ...]:
    """The texts of one line."""
    return (
        row.benchmark,
        row.size,
        row.what,
        amount(row.ours, row.unit),
        row.peer,
        amount(row.theirs, row.unit),
        "" if row.ratio is None else f"{row.ratio:.2f}×",
        row.goal,
        "" if row.reached is None else ("yes" if row.reached else "NO"),
        row.note,
    )


def amount(value: float | None, unit: str) -> str:
    """A figure in the size that people read.

    >>> amount(0.00042, "s"), amount(0.25, "s"), amount(35, "s"), amount(21000.4, "trees/s"), amount(2.5, "× the data")
    ('0.420 ms', '250 ms', '35.0 s', '21,000 trees/s', '2.50 × the data')
    """
    if value is None:
        return ""
    if unit == "s":
        value, unit = (value, "s") if value >= 1 else (1000 * value, "ms")
        return f"{value:.3f} {unit}" if value < 1 else f"{value:.3g} {unit}" if value >= 100 else f"{value:.1f} {unit}"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.2f} {unit}"


def save(rows: Sequence[Row], file: Path, *, quick: bool) -> None:
    """Write the rows as JSON, with the machine that they were measured on."""
    content = {"machine": describe(), "quick": quick, "rows": [asdict(row) for row in rows]}
    file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
