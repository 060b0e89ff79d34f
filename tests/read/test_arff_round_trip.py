"""ARFF files as a program would write them, with any names and values, come back as they were."""

from __future__ import annotations

import warnings
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from plain_cells import cells

from clearwood.read import read

HEAD = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute c {no,yes}\n@data\n"


def write(folder: Path, text: str) -> Path:
    path = folder / "t.arff"
    path.write_bytes(text.encode())
    return path


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


def quoted(text: str, quote: str) -> str:
    for sign, escape in (
        ("\\", "\\\\"),
        ("\n", "\\n"),
        ("\r", "\\r"),
        ("\t", "\\t"),
        ("%", "\\%"),
        (quote, "\\" + quote),
    ):
        text = text.replace(sign, escape)
    return quote + text + quote


@st.composite
def arff_files(draw: DrawFn) -> tuple[str, list[tuple[str, list[str] | None]], list[list[object]], list[float]]:
    names = draw(st.lists(texts, min_size=1, max_size=5, unique=True))
    columns: list[tuple[str, list[str] | None]] = []
    for name in names:
        columns.append((name, draw(st.none() | st.lists(texts, min_size=1, max_size=4, unique=True))))
    numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False)
    row = st.tuples(*(numbers if values is None else st.none() | st.sampled_from(values) for _, values in columns))
    rows = [list(cells) for cells in draw(st.lists(row, max_size=6))]
    weights = draw(st.lists(st.sampled_from([1.0, 0.0, 2.5, 1e-3]), min_size=len(rows), max_size=len(rows)))
    quote = st.sampled_from("'\"")
    lines = ["@relation " + quoted(draw(texts), draw(quote))]
    for name, values in columns:
        kind = draw(st.sampled_from(["numeric", "REAL", "Integer"]))
        if values is not None:
            kind = "{" + draw(st.sampled_from([",", " , "])).join(quoted(v, draw(quote)) for v in values) + "}"
        lines.append(f"{draw(st.sampled_from(['@attribute', '@ATTRIBUTE']))} {quoted(name, draw(quote))} {kind}")
    lines.append("@data")
    for cells_of_row, weight in zip(rows, weights, strict=True):
        written = [
            "?" if cell is None else quoted(cell, draw(quote)) if isinstance(cell, str) else repr(cell)
            for cell in cells_of_row
        ]
        if draw(st.booleans()):
            pairs = []
            for i, ((_, values), cell) in enumerate(zip(columns, cells_of_row, strict=True)):
                left_out = cell == (0.0 if values is None else values[0])
                if not left_out:
                    pairs.append(f"{i} {written[i]}")
            line = "{" + ", ".join(pairs) + "}"
        else:
            line = draw(st.sampled_from([",", ", ", "\t,"])).join(written)
        lines.append(line if weight == 1 else f"{line}, {{{weight}}}")
        if draw(st.booleans()):
            lines.append(draw(st.sampled_from(["", "  ", "% a 'comment"])))
    return "\n".join(lines), columns, rows, weights


@settings(max_examples=150)
@given(arff_files())
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    case: tuple[str, list[tuple[str, list[str] | None]], list[list[object]], list[float]],
) -> None:
    text, columns, rows, weights = case
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = read(write(tmp_path_factory.mktemp("arff"), text), target=False)
    assert [(c.name, None if c.values is None else list(c.values)) for c in table.columns] == columns
    assert table.weights.tolist() == weights
    for i, (name, _) in enumerate(columns):
        assert cells(table, name) == [row[i] for row in rows]


@settings(max_examples=150)
@given(st.text("@attributedn \n{},'\"%\\?0123456789.-x", max_size=200))
def test_garbage_raises_only_value_error(tmp_path_factory: pytest.TempPathFactory, body: str) -> None:
    for text in (body, HEAD + body, "@relation r\n@attribute a date\n@attribute " + body):
        path = write(tmp_path_factory.mktemp("garbage"), text)
        with warnings.catch_warnings(), suppress(ValueError):
            warnings.simplefilter("ignore")
            read(path)
