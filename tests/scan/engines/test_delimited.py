"""A scanned text file has the columns, cells and tree of the same file read."""

import csv
import gzip

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from read_and_scanned import look, unlike

import clearwood as cw
from clearwood.scan import columns

COLUMNS = {
    "truths": ["true", "false", "true"],
    "Truths": ["True", "FALSE", "true"],
    "letters for truths": ["T", "F", "T"],
    "small letters": ["t", "f", "t"],
    "yes and no": ["yes", "no", "yes"],
    "Yes and No": ["Yes", "No", "NO"],
    "on and off": ["on", "off", "on"],
    "a truth with gaps": ["true", "?", " NA "],
    "truths and a word": ["true", "false", "maybe"],
    "ones and zeros": ["1", "0", "1"],
    "leading zeros": ["01234", "91234", "00234"],
    "signs": ["+1", "-2", "3", "-0"],
    "two signs": ["+-1", "2", "3"],
    "blanks around words": [" a", "a", "b  ", "\tb"],
    "blanks around numbers": [" 1", "2 ", "\t3"],
    "decimal commas": ["1,5", "2,25", "3"],
    "thousands": ["1,234.5", "7", "2,000"],
    "one or the other": ["1,234", "5,678", "9,012"],
    "hex": ["0x10", "1", "2"],
    "underscores": ["1_000", "2", "3"],
    "exponents": ["1e5", "2E-3", "1.", ".5"],
    "other digits": ["٣", "4", "5"],
    "money": ["$5", "$6", "$7"],
    "shares": ["5%", "6%", "7%"],
    "times": ["10:00:00", "11:30:00", "12:15:10"],
    "ISO dates": ["2020-01-02", "2021-02-03", "2020-01-02"],
    "ISO moments": ["2020-01-02 10:00", "2021-02-03T11:12:13.5", "2020-01-02 10:00:00+01:00"],
    "dates and a gap": ["2020-01-02", "?", "2020-02-02"],
    "dates and a word": ["2020-01-02", "soon", "2020-02-02"],
    "no such date": ["2020-02-30", "2020-01-01", "2020-01-02"],
    "days first": ["31/12/2020", "01/02/2020", "05/06/2021"],
    "months first": ["12/31/2020", "01/02/2020", "05/06/2021"],
    "either order": ["01/02/2020", "02/03/2020", "03/04/2020"],
    "years first": ["2020/01/02", "2020/02/03", "2021/03/04"],
    "infinite": ["inf", "1", "2"],
    "not numbers": ["nan", "1", "2"],
    "too large": ["1e400", "1", "2"],
    "missing": ["?", "NA", ""],
    "numbers and gaps": ["1", "NA", "?", " ? ", ""],
    "few numbers and other gaps": ["1", "null", "2"],
    "numbers and other gaps": [*map(str, range(12)), "null", "N/A", "-"],
    "numbers and a word": [*map(str, range(12)), "many"],
    "commas and gaps": [*(f"{i},5" for i in range(12)), "n/a"],
    "quotes": ['a "b"', "it's", "c,d"],
    "long": ["x" * 5000, "y", "x" * 4999],
    "scripts": ["höher", "低い", "выше"],
    "names of nothing": ["None", "null", "NaN"],
    "per cents": ["3%", "4.5%", "10 %"],
    "dollars": ["$1,200.50", "$3.25", "-$7.00"],
    "two units": ["3 €", "4 $", "5 €"],
}


def write(folder, cells, name="rows.csv", **writing):
    """Sixty rows of the cells in turn, beside a number and a class."""
    file = folder / name
    with file.open("w", newline="", encoding="utf-8") as out:
        lines = csv.writer(out, lineterminator="\n", **writing)
        lines.writerow(["x", "v", "class"])
        lines.writerows([[i % 7, cells[i % len(cells)], "abc"[i % len(cells) % 3]] for i in range(60)])
    return file


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column(name, tmp_path):
    assert unlike(write(tmp_path, COLUMNS[name])) == []


@pytest.mark.parametrize("name", COLUMNS)
def test_a_class(name, tmp_path):
    assert unlike(write(tmp_path, COLUMNS[name]), target="v") == []


def test_points_between_thousands_are_known_by_a_column_of_decimal_commas(tmp_path):
    file = tmp_path / "rates.csv"
    rows = [f"{i // 10}.{i % 10}00;{i % 9},{i % 4}5;{'ab'[i > 30]}" for i in range(10, 60)]
    file.write_text("\n".join(["income;rate;class", *rows]) + "\n")
    assert unlike(file) == []
    assert cw.scan(file).sample(50).column("income").min() == 1000


def write_side_by_side(folder, names):
    """Sixty rows with a column for each name, and a class."""
    file = folder / "wide.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(["x", *names, "class"])
        for i in range(60):
            lines.writerow([i % 7, *(COLUMNS[name][i % len(COLUMNS[name])] for name in names), "abc"[i % 3]])
    return file


@pytest.mark.parametrize("parameter", ["nominal", "numeric", "ordered", "missing", "nothing", "dates", "weights"])
def test_what_a_caller_says(parameter, tmp_path):
    """What is refused is refused by both; the other columns are the same, side by side in one file."""

    def options(names):
        said = {"missing": {"missing": ["1", "a", "true"]}, "nothing": {"missing": ()}, "dates": {"dates": "DMY"}}
        said["weights"] = {"weights": "x", "ignore": names[:3]}
        return said.get(parameter, {parameter: names})

    taken = [name for name in COLUMNS if look(cw.read, write_side_by_side(tmp_path, [name]), **options([name]))[0]]
    for name in COLUMNS.keys() - taken:
        assert unlike(write_side_by_side(tmp_path, [name]), **options([name])) == []
    assert len(taken) > 5
    assert unlike(write_side_by_side(tmp_path, taken), **options(taken)) == []


@pytest.mark.parametrize("name", ["leading zeros", "ISO dates", "decimal commas", "Truths", "either order"])
def test_a_class_as_it_is_written(name, tmp_path):
    assert unlike(write(tmp_path, COLUMNS[name]), target="v", nominal="v") == []


CELLS = {cell for cells in COLUMNS.values() for cell in cells if len(cell) < 50} | {'""', " ", "\u00a0", "1.0"}
CELLS = sorted(CELLS - {"+-1"})  # a number to DuckDB alone: beside words, only reading says that numbers and words mix
MISSING = [("?", "", "NA"), ("",), ("1", "-"), ("", "2", " a "), ("", ",", '"', "c,d", "it's")]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(["", "1", '""'], ("",))
@given(st.lists(st.sampled_from(CELLS), min_size=1, max_size=15), st.sampled_from(MISSING))
def test_any_cells(tmp_path, cells, missing):
    assert unlike(write(tmp_path, cells), missing=missing) == []


def rows_then(folder, first, last):
    """Thirty thousand rows of numbers, more than DuckDB looks at to guess, and then another cell."""
    file = folder / "long.csv"
    file.write_text("v,class\n" + "".join(f"{first(i)},{'ab'[i % 3 == 0]}\n" for i in range(30_000)) + f"{last},a\n")
    return file


@pytest.mark.parametrize("last", ["late", "?", "null", " 7 ", "1_0", "2020-01-01", "true"])
@pytest.mark.parametrize("options", [{}, {"nominal": "v"}, {"numeric": "v"}])
def test_a_late_cell(last, options, tmp_path):
    assert unlike(rows_then(tmp_path, lambda i: i % 50, last), trees=False, **options) == []


MANY = {
    "numbers and gaps": (lambda i: i / 8, "null"),
    "dates": (lambda i: f"20{i % 20 + 10}-0{i % 9 + 1}-{i % 28 + 1:02}", "?"),
    "moments": (lambda i: f"2020-01-01T{i % 24:02}:{i % 60:02}:{i % 59:02}.{i:06}Z", " 1999-12-31 "),
    "moments with zones": (lambda i: f"2020-01-01 {i % 24:02}:{i % 60:02}+0{i % 3}:30", ""),
}


@pytest.mark.parametrize("name", MANY)
def test_more_texts_than_are_listed(name, tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "MOST_VALUES", 40)
    first, last = MANY[name]
    assert unlike(rows_then(tmp_path, first, last), trees=False, target="class") == []
    assert cw.scan(tmp_path / "long.csv").columns[0].kind == ("numeric" if "numbers" in name else "date")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("first", "options"),
    [
        (lambda i: f"n{i}", {}),
        (lambda i: f'"{i},5"', {}),
        (lambda i: f"{i % 28 + 1}/12/20{i % 90 + 10}", {"dates": "DMY"}),
        (lambda i: f"0000-0{i % 9 + 1}-{i % 28 + 1:02}", {}),
    ],
)
def test_more_texts_than_can_be_had(first, options, tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "MOST_VALUES", 40)
    with pytest.raises(ValueError, match=r"column 'v' holds more than 40 different values, such as '.*convert the fil"):
        cw.scan(rows_then(tmp_path, first, "?"), **options)


def test_more_numbers_than_are_listed_with_a_word(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "MOST_VALUES", 40)
    with pytest.raises(ValueError, match=r"numeric names 'v', but a row holds 'late'; name that text in missing="):
        cw.scan(rows_then(tmp_path, lambda i: i, "late"), numeric="v")


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", "\ufeff", "\n\n"])
def test_how_a_file_is_written(sign, end, before, tmp_path):
    lines = [["a b", '"c\'\nd"', "class"], *[[str(i), "uv"[i % 2], "ny"[i > 4]] for i in range(9)]]
    lines[0][1] = lines[0][1] if before != "\ufeff" else "c"
    (tmp_path / "t.csv").write_bytes((before.replace("\n", end) + "".join(sign.join(l) + end for l in lines)).encode())
    assert unlike(tmp_path / "t.csv") == []


def test_compressed(tmp_path):
    plain = write(tmp_path, COLUMNS["decimal commas"]).read_bytes()
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(plain))
    assert unlike(tmp_path / "t.csv.gz") == []
    pa = pytest.importorskip("pyarrow")
    (tmp_path / "t.csv.zst").write_bytes(pa.compress(plain, "zstd", asbytes=True))
    assert unlike(tmp_path / "t.csv.zst") == []


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_saved_index_is_left_out(first, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text(",v,class\n" + "".join(f"{first + i},{i % 3},{'ab'[i % 2]}\n" for i in range(9000)))
    assert unlike(file) == []
    assert unlike(file, numeric="column_1") == []
    file.write_text(file.read_text().replace("\n7,1,", "\n8,1,"))
    assert unlike(file) == []


def test_stray_separators_are_refused(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("name,age,ill\nAnn,31,no\nSmith, John,54,\n")
    with pytest.raises(ValueError, match=r"t.csv, line 3: 4 cells, of which the last is empty"):
        cw.scan(file)
    file.write_text("age,ill\n31,no,\n54,yes,\n")
    assert unlike(file) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n1,x\n2\n", r"t.csv: CSV Error on Line: 3"),
        ("a,b\r\n1,x\n2,y\r\n", r"t.csv: .*give all of them one end, or convert the file to Parquet"),
        ("a,a\n1,x\n", "more than one column named 'a'"),
        ("", "t.csv is empty"),
    ],
)
def test_files_that_are_no_tables(text, words, tmp_path):
    (tmp_path / "t.csv").write_bytes(text.encode())
    with pytest.raises(ValueError, match=words):
        cw.scan(tmp_path / "t.csv")


def test_columns_that_are_stated(tmp_path):
    """The columns of a table read serve a scan of a file that is written otherwise."""
    table = cw.read(write(tmp_path, ["01", "02", "03"]), nominal="v")
    again = cw.scan(tmp_path / "rows.csv", columns=[*table.columns, table.target])
    assert (again.columns, again.target) == (table.columns, table.target)
    np.testing.assert_array_equal(again.sample(60).column("v"), table.column("v"))
    numbers = cw.read(tmp_path / "rows.csv", target="v")
    other = cw.scan(write(tmp_path, ["1.0", "2.0", "9"]), target="v", columns=[*numbers.columns, numbers.target])
    assert other.sample(60).y.tolist() == [0, 1, -1] * 20
