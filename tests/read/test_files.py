"""Parquet and JSON: the types that the files carry, compared with the frame that was written."""

from __future__ import annotations

import json
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from clearwood.read import read

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def typed() -> dict[str, list[object]]:
    return {
        "whole": [1, None, 3],
        "real": [0.5, float("nan"), None],
        "text": ["b", "?", "a"],
        "digits": ["01", "2", None],
        "truth": [True, None, True],
        "day": [date(1970, 1, 2), None, date(1969, 12, 31)],
        "moment": [datetime(1970, 1, 1, 0, 0, 1, 500), None, datetime(2020, 1, 1)],
        "hour": [time(1), None, time(0, 0, 1)],
        "exact": [Decimal("1.50"), None, Decimal("2.25")],
        "nothing": [None, None, None],
        "class": ["x", "y", "x"],
    }


def test_parquet_has_the_types_of_the_frame(tmp_path: Path) -> None:
    frame = pa.table({name: pa.array(cells) for name, cells in typed().items()})
    path = tmp_path / "t.parquet"
    pq.write_table(frame, path)
    from_file, from_frame = read(path), read(frame)
    assert from_file.columns == from_frame.columns and from_file.target == from_frame.target
    np.testing.assert_array_equal(from_file.numeric, from_frame.numeric)
    np.testing.assert_array_equal(from_file.nominal, from_frame.nominal)
    assert from_file.y.tolist() == [0, 1, 0]
    assert from_file.column("moment")[0] == 1000.5 and from_file.column("day").tolist()[::2] == [
        86_400_000,
        -86_400_000,
    ]
    assert from_file.columns[from_file.index("truth")].values == ("false", "true")
    assert from_file.columns[from_file.index("digits")].values == ("01", "2")


def test_parquet_names_that_differ_in_case_only(tmp_path: Path) -> None:
    nested = pa.array([{"A": 1, "deep": {"a": 2}}])
    frame = pa.table([pa.array([1]), nested, pa.array([2]), pa.array(["x"])], names=["a", "skip", "A", "class"])
    pq.write_table(frame, tmp_path / "t.parquet")
    table = read(tmp_path / "t.parquet", ignore=["skip"])
    assert table.feature_names == ("a", "A") and table.numeric.tolist() == [[1], [2]]
    with pytest.raises(ValueError, match=r"column 'skip' is of type STRUCT.*ignore=\['skip'\]"):
        read(tmp_path / "t.parquet")


def test_parquet_with_one_name_twice(tmp_path: Path) -> None:
    pq.write_table(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        read(tmp_path / "t.parquet")


@pytest.mark.parametrize("lines", [False, True])
def test_json(tmp_path: Path, lines: bool) -> None:
    rows = [
        {"whole": 1, "marked": "?", "truth": True, "text": "b", "class": 1},
        {"whole": None, "marked": 2.5, "truth": False, "text": "NA", "class": 0},
        {"marked": 3, "truth": None, "text": "a", "class": 1},
    ]
    path = tmp_path / ("t.jsonl" if lines else "t.json")
    path.write_text("\n".join(map(json.dumps, rows)) if lines else json.dumps(rows))
    table = read(path)
    np.testing.assert_array_equal(table.column("whole"), [1, np.nan, np.nan])
    np.testing.assert_array_equal(table.column("marked"), [np.nan, 2.5, 3])
    assert table.columns[2].values == ("false", "true") and table.column("truth").tolist() == [1, 0, -1]
    assert table.columns[3].values == ("a", "b") and table.column("text").tolist() == [1, -1, 0]
    assert table.classes == ("0", "1") and table.y.tolist() == [1, 0, 1]


def test_json_that_mixes_numbers_and_words(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('[{"a": 1, "c": "x"}, {"a": "two", "c": "y"}]')
    with pytest.warns(UserWarning, match="'a' mixes numbers and words such as 'two'"):
        assert read(tmp_path / "t.json").columns[0].values == ("1", "two")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ('{"a": 1', "(?i)malformed|unexpected end"),
        ("[1, 2, 3]", "must hold objects"),
        ("[]", "must hold objects"),
        ("5", "must hold objects"),
        ('{"a": 1, "a": 2}\n', 'duplicate key "a"'),
        ('[{"a": {"b": 1}, "c": "x"}]', "column 'a' is of type STRUCT"),
        ('[{"a": [1], "c": "x"}, {"a": 5, "c": "y"}]', "column 'a' holds objects or lists"),
    ],
)
def test_json_that_is_no_table(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(ValueError, match=message):
        read(tmp_path / "t.json")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + b"\0" * 50 + b"PAR1"])
def test_parquet_that_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.parquet").write_bytes(content)
    with pytest.raises(ValueError, match=r"t\.parquet"):
        read(tmp_path / "t.parquet")


def test_parquet_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": list(range(1000)), "c": ["x", "y"] * 500}), path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ValueError, match=r"t\.parquet"):
        read(path)


def test_json_with_very_many_columns_of_one_type(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{f"c{i}": i + row for i in range(300)} for row in range(3)]))
    table = read(path, target=False)
    assert table.n_features == 300 and table.column("c299").tolist() == [299, 300, 301]


@pytest.mark.parametrize("form", ["json", "jsonl", "pq", "parquet"])
def test_names_that_differ_in_case_only_are_kept(tmp_path: Path, form: str) -> None:
    rows = [{"a": 1.5, "A": 2.5, "A_1": 0.5, "y": "n"}, {"a": 3.5, "A": 4.5, "A_1": 1.5, "y": "m"}]
    path = tmp_path / f"t.{form}"
    if form in ("pq", "parquet"):
        pa = pytest.importorskip("pyarrow")
        pq = pytest.importorskip("pyarrow.parquet")
        pq.write_table(pa.table({name: [row[name] for row in rows] for name in rows[0]}), path)
    else:
        path.write_text(json.dumps(rows) if form == "json" else "\n".join(map(json.dumps, rows)))
    table = read(path)
    assert table.feature_names == ("a", "A", "A_1")
    assert [table.column(i).tolist() for i in range(3)] == [[1.5, 3.5], [2.5, 4.5], [0.5, 1.5]]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_durations_are_milliseconds_as_in_frames(tmp_path: Path, unit: str) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    cells = pa.table(
        {"time": pa.array([3, None, 7], type=pa.duration("s")).cast(pa.duration(unit)), "y": ["a", "b", "a"]}
    )
    pq.write_table(cells, tmp_path / "t.parquet")
    found = read(tmp_path / "t.parquet").column("time")
    np.testing.assert_array_equal(found, read(cells).column("time"))
    np.testing.assert_allclose(found, [3000.0, np.nan, 7000.0], rtol=1e-12)


def test_a_date_that_is_infinite_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{"day": day, "y": "n"} for day in ("2020-01-01", "Infinity")]))
    with pytest.raises(ValueError, match="column 'day' holds infinite values among dates"):
        read(path)
