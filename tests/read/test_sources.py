"""Pipes, compressed files, Arrow and Excel give the table that the plain file gives."""

import gzip
import io
import os
import sys
import threading

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import clearwood as cw
from clearwood.read.sources import is_address, is_stream

FRAME = pd.DataFrame(
    {
        "x": [1.5, None, 3.0, 4.0],
        "sky": ["sun", "rain", None, "sun"],
        "ok": [True, False, True, False],
        "day": pd.to_datetime(["2020-01-01", "2020-01-02", None, "2020-01-04"]),
        "y": list("abab"),
    }
)
CSV = FRAME.to_csv(index=False).encode()
ARFF = b"% a comment\n@relation t\n@attribute x real\n@attribute y {a,b}\n@data\n1,a\n2,b\n"


def same(table, other):
    assert table.columns == other.columns and table.target == other.target
    np.testing.assert_array_equal(table.numeric, other.numeric)
    np.testing.assert_array_equal(table.nominal, other.nominal)
    assert table.y.tolist() == other.y.tolist()


def zstd(content):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


def from_stdin(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    return cw.read("-")


def parquet():
    sink = io.BytesIO()
    FRAME.to_parquet(sink)
    return sink.getvalue()


def arrow():
    sink = io.BytesIO()
    FRAME.to_feather(sink)
    return sink.getvalue()


@pytest.mark.parametrize(
    "content",
    [CSV, gzip.compress(CSV), zstd(CSV), parquet(), arrow(), FRAME.to_json(orient="records", lines=True).encode()],
    ids=["csv", "gzip", "zstd", "parquet", "arrow", "json lines"],
)
def test_the_standard_input_says_what_it_is(monkeypatch, content):
    found = from_stdin(monkeypatch, content)
    assert found.n_rows == 4 and found.classes == ("a", "b")
    if not content.startswith(b"{"):  # JSON of pandas has dates as numbers
        same(found, cw.read(FRAME))


def test_arff_and_json_on_the_standard_input(monkeypatch):
    assert from_stdin(monkeypatch, ARFF).column("x").tolist() == [1, 2]
    assert from_stdin(monkeypatch, b'[{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]').column("x").tolist() == [1, 2]
    with pytest.raises(ValueError, match="the standard input is empty"):
        from_stdin(monkeypatch, b" \n")


def test_a_pipe_by_its_path(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(CSV))
    writer.start()
    same(cw.read(pipe), cw.read(FRAME))
    writer.join()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.txt", CSV.replace(b",", b"\t")),
        ("t.txt.gz", gzip.compress(CSV)),
        ("t.csv.zst", zstd(CSV)),
        ("t.arff.zst", zstd(ARFF)),
        ("t.feather", arrow()),
        ("t.arrow", arrow()),
    ],
    ids=["text", "packed text", "zstd", "packed ARFF", "feather", "arrow"],
)
def test_more_endings(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    table = cw.read(path)
    assert table.name == "t"
    if "arff" not in name:
        same(table, cw.read(FRAME))


def test_excel(tmp_path):
    pytest.importorskip("openpyxl", reason="Excel files need openpyxl")
    FRAME.to_excel(tmp_path / "t.xlsx", index=False)
    same(cw.read(tmp_path / "t.xlsx"), cw.read(FRAME))
    (tmp_path / "bad.xlsx").write_bytes(b"no workbook")
    with pytest.raises(ValueError, match=r"bad\.xlsx cannot be read as an Excel file"):
        cw.read(tmp_path / "bad.xlsx")


@pytest.mark.parametrize("name", ["t.csv.zst", "t.feather"])
def test_damaged_files_are_refused(tmp_path, name):
    (tmp_path / name).write_bytes(b"neither")
    with pytest.raises(ValueError, match=name):
        cw.read(tmp_path / name)


def test_addresses_are_fetched_only_when_asked(monkeypatch):
    address = "https://example.invalid/t.csv"
    assert is_address(address) and not is_address("t.csv") and not is_stream("t.csv")
    with pytest.raises(ValueError, match="lies on the network; pass download=True"):
        cw.read(address)

    class Database:
        """DuckDB with the extension and a network."""

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def execute(self, statement, parameters=None):
            assert parameters in (None, {"address": address})
            return self

        def fetchone(self):
            return (CSV,)

    real = __import__("duckdb").connect
    monkeypatch.setattr("duckdb.connect", lambda name, **options: Database() if not options else real(name, **options))
    same(cw.read(address, download=True), cw.read(FRAME))
