"""CSV and TSV: inferred types, missing markers, separators, and files that are no tables."""

from __future__ import annotations

import csv
import gzip
import os
import warnings
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.read import assemble, read
from clearwood.read.duck import BLANKS
from clearwood.read.text import MAX_LINE_BYTES


def write(folder: Path, text: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_types_are_inferred(tmp_path: Path) -> None:
    text = 'age,sex,member,code,class\n31, f ,true,01,10\n?,m,false,02,9\nNA,,true,03,2\n1e3,"x,\n""y""",?,01,2\n'
    table = read(write(tmp_path, text), nominal=["code"])
    assert table.name == "t"
    np.testing.assert_array_equal(table.column("age"), [31, np.nan, np.nan, 1000])
    assert table.columns[1].values == ("f", "m", 'x,\n"y"') and table.column("sex").tolist() == [0, 1, -1, 2]
    assert table.columns[2].values == ("false", "true") and table.column("member").tolist() == [1, 0, 1, -1]
    assert table.columns[3].values == ("01", "02", "03")
    assert table.classes == ("2", "9", "10") and table.y.tolist() == [2, 1, 0, 0]


@pytest.mark.parametrize(
    ("sign", "name"), [(",", "t.csv"), (";", "t.csv"), ("\t", "t.csv"), ("|", "t.csv"), ("\t", "t.tsv")]
)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_separators_line_ends_and_byte_order_mark(tmp_path: Path, sign: str, name: str, ending: str, mark: str) -> None:
    lines = [["a", "b", "c"], ["1", "u", "yes"], ["2", "v", "no"]]
    text = mark + "".join(sign.join(line) + ending for line in lines)
    table = read(write(tmp_path, text, name))
    assert table.feature_names == ("a", "b") and table.column("a").tolist() == [1, 2] and table.classes == ("no", "yes")


def test_line_ends_may_differ(tmp_path: Path) -> None:
    table = read(write(tmp_path, 'a,b\r\n1,x\n2,"y\rz"\r\n3,x\n'))
    assert table.column("a").tolist() == [1, 2, 3] and table.classes == ("x", "y\rz")
    with pytest.raises(ValueError, match="unterminated quote"):
        read(write(tmp_path, 'a,b\r\n1,x\n2,"y\n'))


def test_compressed(tmp_path: Path) -> None:
    packed = gzip.compress(b"a_1,b\n1_0,x\n2,y\n")
    with pytest.warns(UserWarning, match="'a_1' mixes numbers and words such as '1_0'"):
        assert read(write(tmp_path, packed, "t.csv.gz")).columns[0].values == ("1_0", "2")
    with pytest.raises(ValueError, match="gzip"):
        read(write(tmp_path, packed))


def test_names_with_line_breaks_blank_lines_and_no_name(tmp_path: Path) -> None:
    table = read(write(tmp_path, '\n\n"two\nlines", padded ,,class\n1,2,3,x\n4,5,6,y\n'))
    assert table.feature_names == ("two\nlines", "padded", "column_3")
    assert table.numeric.tolist() == [[1, 4], [2, 5], [3, 6]]


def test_a_path_with_wildcards_and_equals_signs(tmp_path: Path) -> None:
    folder = tmp_path / "year=2020"
    folder.mkdir()
    write(folder, "a,b\n7,8\n", "t1.csv")
    table = read(write(folder, "a,b\n1,2\n", "t[1]*'?.csv"))
    assert table.feature_names == ("a",) and table.column("a").tolist() == [1]


def test_numbers_beside_words_warn_and_name_both(tmp_path: Path) -> None:
    path = write(tmp_path, "dose,class\n1,no\nhigh,yes\n3,no\n")
    with pytest.warns(UserWarning, match="'dose' mixes numbers and words such as 'high'") as caught:
        assert read(path).columns[0].values == ("1", "3", "high")
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(path, nominal=["dose"]).columns[0].values == ("1", "3", "high")
        assert np.isnan(read(path, missing=["high"]).column("dose")).tolist() == [False, True, False]
        with pytest.raises(ValueError, match="numeric names 'dose', but row 2 holds 'high'"):
            read(path, numeric=["dose"])


def test_missing_markers_may_be_numbers_or_none(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b,class\n-9,u,x\n1,,y\n2,NA,-9\n")
    table = read(path, missing=["-9"])
    np.testing.assert_array_equal(table.column("a"), [np.nan, 1, 2])
    assert table.columns[1].values == ("", "NA", "u")
    assert table.classes == ("x", "y") and table.y.tolist() == [0, 1, -1]
    with pytest.warns(UserWarning, match="'a' mixes"):
        assert read(write(tmp_path, "a,class\n1,x\n,y\n"), missing=[]).columns[0].values == ("", "1")


def test_nan_is_missing_and_infinity_is_refused(tmp_path: Path) -> None:
    assert np.isnan(read(write(tmp_path, "a,c\n1,x\nnan,y\n")).column("a")).tolist() == [False, True]
    with pytest.raises(ValueError, match="column 'a' holds an infinite value in row 2"):
        read(write(tmp_path, "a,c\n1,x\n-inf,y\n"))


def test_columns_and_rows_that_are_empty(tmp_path: Path) -> None:
    table = read(write(tmp_path, "a,b,c\n,1,x\n?,1,y\n"))
    assert np.isnan(table.column("a")).all()
    assert read(write(tmp_path, "a,b\n")).n_rows == 0


def test_first_line_of_numbers_warns(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="first line holds only numbers"):
        read(write(tmp_path, "1,2\n3,4\n"))


def test_ten_thousand_categories(tmp_path: Path) -> None:
    rows = "".join(f"v{i},{i % 2}\n" for i in range(10_000))
    table = read(write(tmp_path, "a,c\n" + rows))
    assert table.columns[0].n_values == 10_000
    assert [table.columns[0].values[code] for code in table.column("a")] == [f"v{i}" for i in range(10_000)]  # type: ignore[index]
    assert "'a' declares 10000 values" in table.summary()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "t.csv is empty"),
        (b"\xef\xbb\xbf\n \n", "t.csv is empty"),
        (b"a,b,a\n1,2,3\n", "more than one column named 'a'"),
        (b"a, a\n1,2\n", "more than one column named 'a'"),
        (b"a,b\n1,2\n3\n", "Line: 3 .*Expected Number of Columns: 2 Found: 1"),
        (b"a,b\n1,2,3\n", "Line: 2 .*Expected Number of Columns: 2 Found: 3"),
        (b'a,b\n1,"2\n3,4\n', "unterminated quote"),
        (b'"a,b\n1,2\n', "line 1: the column names cannot be read"),
        (b"a,b\n1,\xe9\n", "line 2: not UTF-8"),
        ("a,b\n1,2\n".encode("utf-16"), "UTF-16"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"a,b\n" + b"1,2\n" * 20_000 + b"1,\xe9\n", "(?i)unicode|utf-8"),
        (b"a,b\n1,0.5\n2,1.5\n", "target 'b' is numeric"),
    ],
    ids=lambda value: value[:12] if isinstance(value, bytes) else None,
)
def test_what_is_no_table_is_explained(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(write(tmp_path, content))


@pytest.mark.parametrize("name", ["t.csv", "t.arff", "t.jsonl", "t.tsv"])
def test_no_parser_sees_a_line_that_is_too_long(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for parser in ("delimited.connect", "files.connect", "arff.read_header"):
        monkeypatch.setattr(f"clearwood.read.{parser}", lambda *_: pytest.fail("it was parsed"))
    path = tmp_path / name
    path.write_bytes(b"a,b\n1,2\n" + b"1" * (MAX_LINE_BYTES + 1))
    with pytest.raises(ValueError, match="line longer than 16 MiB"):
        read(path)


def test_random_bytes_never_crash(tmp_path: Path) -> None:
    for size in (1, 10, 1000, 100_000):
        for name in ("t.csv", "t.arff", "t.json", "t.parquet", "t.tsv", "t.arff.gz", "t.csv.gz"):
            with pytest.raises(ValueError, match="t"):
                read(write(tmp_path, b"\xff" + os.urandom(size), name))


signs = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
cells = st.text(signs, max_size=10)


@settings(max_examples=60)
@given(data=st.data())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    names = data.draw(
        st.lists(cells.filter(lambda c: c.strip(BLANKS)), min_size=2, max_size=4, unique_by=lambda c: c.strip(BLANKS))
    )
    rows = data.draw(st.lists(st.tuples(*(cells for _ in names)), min_size=1, max_size=5))
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerows([names, *rows])
    stated = [name.strip(BLANKS) for name in names]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that are all numbers
        table = read(path, target=False, nominal=stated)
    assert table.feature_names == tuple(stated)
    for i, column in enumerate(table.columns):
        found = [None if code < 0 else (column.values or ())[code] for code in table.column(i)]
        expected = [cell.strip(BLANKS) for cell in (row[i] for row in rows)]
        known = [None if cell in ("?", "", "NA") else cell for cell in expected]
        if column.values == ("false", "true"):  # however they are spelled
            known = [None if cell is None else cell.lower() for cell in known]
        assert found == known


@settings(max_examples=40)
@given(
    st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**60), 2**60), min_size=1)
)
def test_numbers_come_back_bit_for_bit(tmp_path_factory: pytest.TempPathFactory, numbers: list[float | None]) -> None:
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    path.write_text("a,b\n" + "".join(f"{'?' if x is None else repr(x)},x\n" for x in numbers))
    expected = [np.nan if x is None else float(x) for x in numbers]
    np.testing.assert_array_equal(read(path).column("a"), expected)


def test_names_of_a_single_column_below_blank_lines(tmp_path: Path) -> None:
    table = read(write(tmp_path, "\n\nage\n1\n\n2\n"), target=False)
    assert table.feature_names == ("age",)
    np.testing.assert_array_equal(table.column("age"), [1, np.nan, 2])


@pytest.mark.parametrize("sign", [";", "\t", "|"])
def test_the_separator_is_found_behind_a_name_of_two_lines(tmp_path: Path, sign: str) -> None:
    table = read(write(tmp_path, f'"two\nlines"{sign}b{sign}c\n1{sign}2{sign}x\n'))
    assert table.feature_names == ("two\nlines", "b")


def test_line_ends_inside_quotes_stay_where_others_differ(tmp_path: Path) -> None:
    path = write(tmp_path, b'a,b\r\n1,"x\r\ny"\n2,z\r\n3,w\n' * 1 + b"4,v\r\n" * 5)
    assert "x\r\ny" in read(path, target="b").classes


def test_a_long_first_line_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, b"a" * 100_000 + b"\xff,b\n1,2\n")
    with pytest.raises(ValueError, match=r"t.csv, line 1: not UTF-8 text"):
        read(path)


def test_very_many_columns_of_text_take_few_statements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve statements for each column made 4,000 columns take minutes."""
    from clearwood.read import duck

    asked: list[str] = []
    opened = duck.connect

    class Counting:
        def __init__(self) -> None:
            self.db = opened()

        def __enter__(self) -> Counting:
            return self

        def __exit__(self, *_: object) -> None:
            self.db.close()

        def execute(self, sql: str) -> object:
            asked.append(sql)
            return self.db.execute(sql)

    monkeypatch.setattr("clearwood.read.delimited.connect", Counting)
    header = ",".join(f"c{i}" for i in range(600))
    path = write(tmp_path, f"{header}\n" + "\n".join(",".join(f"{w}{i}" for i in range(600)) for w in "ab") + "\n")
    table = read(path)
    assert table.n_features == 599 and table.columns[7].values == ("a7", "b7") and table.column(7).tolist() == [0, 1]
    assert len(asked) < 40


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_threads_that_read_are_those_asked_for_and_change_nothing(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    rows = "".join(f"{x},{v},{v}\n" for x, v in zip(rng.random(3000), rng.choice(["a", "b", "c"], 3000), strict=True))
    file = write(tmp_path, f"x,v,y\n{rows}")
    if ending == "parquet":
        duckdb.execute(f"copy (from '{file}') to '{file.with_suffix('.parquet')}'")
        file = file.with_suffix(".parquet")
    monkeypatch.setattr(assemble, "WORTH_SHARING", 1)
    asked, connected = [], duckdb.connect

    def connect(*arguments, **more):
        db = connected(*arguments, **more)
        asked.append(db.execute("select current_setting('threads')").fetchone()[0])
        return db

    monkeypatch.setattr(duckdb, "connect", connect)
    tables = [read(file, n_jobs=n) for n in (1, 2, 7, 16)]
    assert asked == [1, 2, 7, 16]
    assert all(table.digest == tables[0].digest for table in tables)
    assert read(file).digest == tables[0].digest
