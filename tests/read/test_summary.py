"""The summary: counts that NumPy confirms, classes that do not occur, and columns that look odd."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.read.summary import summarize
from clearwood.table import Column, Table


def odd_table() -> Table:
    n = 40
    columns = {
        "name": (Column("name", tuple(f"n{i}" for i in range(n))), np.arange(n)[::-1]),
        "row": (Column("row"), np.arange(n) + 7.0),
        "same": (Column("same"), np.full(n, 2.0)),
        "only": (Column("only", ("a", "b")), np.zeros(n)),
        "gone": (Column("gone"), np.full(n, np.nan)),
        "lost": (Column("lost", ("a", "b")), np.full(n, -1)),
        "tiny": (Column("tiny"), np.arange(n)[::-1] * 1e-7),
        "wide": (Column("wide", tuple(map(str, range(1500)))), np.arange(n) // 2),
        "fine": (Column("fine"), np.tile([3.5, 1.25, np.nan, 8], n // 4)),
        "kind": (Column("kind", ("x", "y", "never")), np.tile([0, 1, 1, -1], n // 4)),
    }
    return Table(
        [column for column, _ in columns.values()],
        [cells for _, cells in columns.values()],
        target=Column("class", ("no", "yes", "unused", "also unused")),
        y=[-1] + [0] * 9 + [1] * 30,
        name="odd",
    )


def line_of(text: str, name: str) -> list[str]:
    return next(line.split() for line in text.split("\n") if line.split()[:1] == [name])


def test_counts() -> None:
    table = odd_table()
    text = summarize(table)
    assert text.startswith("odd: 40 rows, 10 features (5 numeric, 5 nominal)\n") and text == table.summary()
    for i, column in enumerate(table.columns):
        cells = table.column(i)
        present = cells[cells >= 0] if column.is_nominal else cells[~np.isnan(cells)]
        kind = "nominal" if column.is_nominal else "numeric"
        assert line_of(text, column.name)[1:4] == [kind, str(len(set(present.tolist()))), str(40 - len(present))]
    assert "fine    numeric         3       10  1.25 to 8, mean 4.25" in text
    assert "kind    nominal         2       10  y 20, x 10 (1 declared but unused)" in text


def test_target() -> None:
    text = summarize(odd_table())
    assert "target class: 2 classes\n  yes  30  76.9%\n  no    9  23.1%\n" in text
    assert "declared but unused: 'unused', 'also unused'" in text and "missing in 1 row" in text


def test_warnings_name_the_odd_columns_and_no_other() -> None:
    notes = summarize(odd_table()).partition("warnings:\n")[2].split("\n")
    assert [note.strip() for note in notes] == [
        "'name' looks like an identifier; leave it out with ignore=['name'].",
        "'row' looks like an identifier; leave it out with ignore=['row'].",
        "'same' is constant.",
        "'only' is constant.",
        "'gone' is missing in every row.",
        "'lost' is missing in every row.",
        "'tiny' has all its values closer than 1e-5; C4.5 needs min_gap=0 to split it.",
        "'wide' declares 1500 values; group them, or leave it out.",
    ]


def test_plain_table_has_no_warnings() -> None:
    rng = np.random.default_rng(0)
    table = Table([Column("a"), Column("b", ("x", "y"))], [rng.normal(size=50), rng.integers(0, 2, 50)])
    text = summarize(table)
    assert "warnings" not in text and "target" not in text and text.startswith("table: 50 rows")


@pytest.mark.parametrize("n_rows", [0, 1, 3])
def test_small_tables(n_rows: int) -> None:
    table = Table(
        [Column("a"), Column("b", ("x",))], [np.arange(n_rows), np.zeros(n_rows)],
        target=Column("c", ("u", "v")), y=np.zeros(n_rows),
    )  # fmt: skip
    text = summarize(table)
    assert "identifier" not in text and f"{n_rows} rows" in text
    empty = Table.from_blocks((), np.empty((0, n_rows)), np.empty((0, n_rows), np.int32))
    assert summarize(empty) == f"table: {n_rows} rows, 0 features (0 numeric, 0 nominal)"


def test_weights_are_shown() -> None:
    assert "weights 0.5 to 2" in summarize(Table([Column("a")], [[1, 2]], weights=[0.5, 2]))


def test_long_names_and_many_classes_are_cut() -> None:
    classes = tuple(f"c{i}" for i in range(100))
    table = Table([Column("x" * 80 + "\ny")], [np.arange(100) % 7], target=Column("t", classes), y=np.arange(100))
    text = summarize(table)
    assert "x" * 31 + "…" in text and "x" * 33 not in text.partition("warnings")[0] and "… and 70 more classes" in text
