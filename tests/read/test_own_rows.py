"""Own rows: every source gives its cells as they stand, in the order of the table's rows."""

import gzip

import numpy as np
import pandas as pd
import pytest

import clearwood as cw
from clearwood.read.own_rows import numbers_as_written, opened, own_rows

FRAME = pd.DataFrame({"x": [1.5, -2.0, 1e300], "sky": ["sun", " rain", "007"], "y": list("aba")})


def write(folder, ending):
    path = folder / f"t{ending}"
    if ending in (".parquet", ".feather"):
        getattr(FRAME, f"to_{ending[1:]}")(path)
    elif ending == ".xlsx":
        FRAME.to_excel(path, index=False)
    elif ending in (".json", ".jsonl"):
        FRAME.to_json(path, orient="records", lines=ending == ".jsonl")
    elif ending == ".csv.gz":
        path.write_bytes(gzip.compress(FRAME.to_csv(index=False).encode()))
    else:
        FRAME.to_csv(path, index=False, sep="\t" if ending == ".tsv" else ";")
    return path


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".json", ".jsonl", ".parquet", ".feather", ".xlsx"])
def test_the_rows_are_those_of_the_table(tmp_path, ending):
    path = write(tmp_path, ending)
    own = own_rows(str(path))
    assert own.names == ["x", "sky", "y"] and own.n_rows == 3
    cells = [column.to_pylist() if hasattr(column, "to_pylist") else list(column) for column in own.columns]
    np.testing.assert_array_equal([float(cell) for cell in cells[0]], cw.read(path, nominal="sky").column("x"))
    assert cells[1] == ["sun", " rain", "007"] and own.is_text == (ending in (".csv", ".tsv", ".csv.gz"))
    assert own.without(["sky"]).names == ["x", "y"]


def test_files_of_c45_have_rows_too(tmp_path):
    (tmp_path / "t.names").write_text("a, b.\nx: continuous.\nid: ignore.\n")
    (tmp_path / "t.data").write_text("01.50, 007, a\n?, 008, b\n")
    own = own_rows(str(tmp_path / "t.data"))
    assert own.names == ["x", "id", "class"]
    assert [list(column) for column in own.columns] == [["01.50", "?"], ["007", "008"], ["a", "b"]]


def test_what_is_no_source_has_no_rows(tmp_path):
    (tmp_path / "t.doc").write_text("x")
    assert own_rows(str(tmp_path / "t.doc")) is None and own_rows(str(tmp_path / "absent.csv")) is None


def test_a_source_that_is_opened_can_be_read_twice(tmp_path):
    path = write(tmp_path, ".csv")
    with opened(str(path)) as plain:
        assert plain == str(path)


def test_texts_are_numbers_where_these_are_written_the_same():
    assert numbers_as_written(["1", "-2", "0", "?"], ("?",)) == [1, -2, 0, None]
    assert numbers_as_written(["1", "2.5"], ()) == [1, 2.5]
    for texts in (["007"], ["1.50"], ["+1"], ["1e5"], ["-0"], [" 1"], ["123456789012345678901"], ["1", "a"]):
        assert numbers_as_written(texts, ()) is None
    assert numbers_as_written(["9007199254740993", "0.5"], ()) is None, "a float would not hold the first"
