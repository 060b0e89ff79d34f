"""C4.5 file sets: declarations, comments, escapes, and a round trip."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.read import read
from clearwood.read.names_file import split_cells, strip_comment
from clearwood.table import Table

NAMES = r"""| the labour set, in part
good, bad.          | the classes

duration:           continuous.
wage increase:  continuous
pension:            none, empl contr,
                    ret_allw.
shift\. differential:    discrete 3.
id: ignore.
holidays\: paid:  1.5, below\, average, a\.b.
"""

DATA = """1, 5.0, none, a, x1, 1.5, good.
2,?,ret_allw,b,x2,below\\, average,bad
| a comment line

?, 4.5, empl   contr, ?, x3, a\\.b, good | and one behind
"""


def write_set(folder: Path, names: str = NAMES, **files: str) -> Path:
    (folder / "s.names").write_text(names)
    for suffix, text in files.items():
        (folder / f"s.{suffix}").write_text(text)
    return folder / "s.data"


def texts(table: Table, column: int) -> list[str | None]:
    values = table.columns[column].values
    assert values is not None
    return [None if code < 0 else values[code] for code in table.column(column)]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_set_is_read(tmp_path: Path, ending: str) -> None:
    path = write_set(tmp_path, NAMES.replace("\n", ending), data=DATA.replace("\n", ending))
    for source in (path, tmp_path / "s.names"):
        table = read(source)
        assert table.feature_names == ("duration", "wage increase", "pension", "shift. differential", "holidays: paid")
        assert table.target is not None and table.target.name == "class"
        assert table.classes == ("good", "bad") and table.y.tolist() == [0, 1, 0]
        np.testing.assert_array_equal(table.column(0), [1, 2, np.nan])
        np.testing.assert_array_equal(table.column(1), [5, np.nan, 4.5])
        assert table.columns[2].values == ("none", "empl contr", "ret_allw")
        assert texts(table, 2) == ["none", "ret_allw", "empl contr"]
        assert texts(table, 3) == ["a", "b", None]
        assert table.columns[4].values == ("1.5", "below, average", "a.b")
        assert texts(table, 4) == ["1.5", "below, average", "a.b"]


def test_test_file_shares_names_and_found_values(tmp_path: Path) -> None:
    write_set(tmp_path, data=DATA, test="1,1,none,c,x,1.5,bad.\n1,1,none,a,x,1.5,?.\n")
    table = read(tmp_path / "s.test")
    assert table.columns[3].values == ("a", "b", "c") and texts(table, 3) == ["c", "a"]
    assert table.y.tolist() == [1, -1]


def test_an_attribute_can_be_the_class(tmp_path: Path) -> None:
    path = write_set(
        tmp_path, "play.\nwind: continuous.\nplay: no, yes.\nsky: sun, rain.\n", data="1,yes,sun\n2,no,rain\n"
    )
    table = read(path)
    assert table.feature_names == ("wind", "sky") and table.classes == ("no", "yes") and table.y.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("names", "data", "message"),
    [
        (NAMES, "1,2,none\n", r"s\.data, line 1: 3 cells, but the \.names file declares 7"),
        (NAMES, DATA.replace("none", "some"), "line 1: attribute 'pension': the value 'some' is not declared"),
        (NAMES, DATA + "1,x,none,a,b,1.5,good\n", "line 6: attribute 'wage increase': 'x' is no number"),
        (NAMES, DATA.replace("good", "fair"), "line 1: attribute 'class': the value 'fair'"),
        (
            NAMES,
            "".join(f"1,1,none,{v},x,1.5,good\n" for v in "abcd"),
            "line 4: attribute 'shift. differential': 'd' is one",
        ),
        ("", DATA, "s.names is empty"),
        ("| nothing\n", DATA, "s.names is empty"),
        ("a: continuous.\n", DATA, "line 1: the first entry must list the classes"),
        ("a, b.\n", DATA, "declares no attributes"),
        ("a, a.\nx: continuous.\n", DATA, "classes must be distinct"),
        ("a, b.\nx continuous.\n", DATA, "line 2: an attribute must be written as name: type"),
        ("a, b.\nx: u, v,\n", DATA, "line 2: the entry is not finished"),
        ("a, b.\nx: u, u.\n", DATA, "line 2: attribute 'x' declares a value twice"),
        ("a, b.\nx: timestamp.\n", DATA, "line 2: attribute 'x' is of type 'timestamp'"),
        ("a, b.\nx: continuous.\nx: continuous.\n", "1,2,a\n", "more than one column named 'x'"),
    ],
)
def test_faults_are_named_by_line(tmp_path: Path, names: str, data: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(write_set(tmp_path, names, data=data))


def test_absent_files_are_named(tmp_path: Path) -> None:
    write_set(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"s\.data"):
        read(tmp_path / "s.names")
    (tmp_path / "t.data").write_text(DATA)
    with pytest.raises(FileNotFoundError, match=r"t\.names"):
        read(tmp_path / "t.data")


def test_the_word_ordered_is_no_value(tmp_path: Path) -> None:
    names = "a, b.\nsize: [ordered] low, mid, high.\n"
    table = read(write_set(tmp_path, names, data="mid, a\nlow, b\n"))
    assert table.columns[0].values == ("low", "mid", "high") and table.column("size").tolist() == [1, 0]


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        (r"?,\,.", ["?", ","]),  # the last cell is a comma
        (r"a\\.", ["a\\"]),  # the last one ends in a backslash, and a point ends the line
        (r"a\\,b\.", ["a\\", "b."]),
        (r"a\\| b", ["a\\"]),  # an escaped backslash escapes no comment
        (r"a\| b", ["a| b"]),
    ],
)
def test_a_backslash_takes_the_next_sign_as_it_is(line: str, cells: list[str]) -> None:
    assert split_cells(strip_comment(line)) == cells


words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="?"), min_size=1, max_size=8)
names = words.filter(lambda w: w.lower() not in ("continuous", "ignore", "label", "date", "time", "timestamp", "na"))
names = names.filter(lambda w: not w.startswith(("=", "[")))


def escaped(text: str) -> str:
    return "".join("\\" + sign if sign in "\\,:.|" else sign for sign in text)


@settings(max_examples=80)
@given(st.data())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    columns = data.draw(st.lists(names, min_size=1, max_size=4, unique=True))
    declared = [data.draw(st.lists(names, min_size=2, max_size=4, unique=True)) for _ in columns]
    classes = data.draw(st.lists(names, min_size=2, max_size=3, unique=True))
    row = st.tuples(*(st.none() | st.sampled_from(values) for values in [*declared, classes]))
    rows = data.draw(st.lists(row, min_size=1, max_size=5))
    head = ", ".join(map(escaped, classes)) + ".\n"
    for column, values in zip(columns, declared, strict=True):
        head += f"{escaped(column)}: {', '.join(map(escaped, values))}.\n"
    body = "".join(",".join("?" if cell is None else escaped(cell) for cell in cells) + ".\n" for cells in rows)
    table = read(write_set(tmp_path_factory.mktemp("c45"), head, data=body))
    assert table.feature_names == tuple(columns) and table.classes == tuple(classes)
    for i, values in enumerate(declared):
        assert table.columns[i].values == tuple(values)
        assert texts(table, i) == [cells[i] for cells in rows]
    assert [None if y < 0 else classes[y] for y in table.y] == [cells[-1] for cells in rows]


def test_a_backslash_at_the_end_of_a_line_stands_for_itself(tmp_path: Path) -> None:
    path = write_set(
        tmp_path, "no, yes.\nsky: sun, rain\\\nwind: weak, strong.\n", data="sun, weak, yes\nrain\\, strong, no\n"
    )
    with pytest.raises(ValueError, match="cells"):  # \, is a comma inside a cell
        read(path)
    path = write_set(tmp_path, "no, yes.\nsky: sun, rain\\\n", data="sun, yes\nsun, no\n")
    assert read(path).columns[0].values == ("sun", "rain\\")


def test_attributes_may_have_every_name_of_the_class(tmp_path: Path) -> None:
    names = "no, yes.\nclass: continuous.\nClass: continuous.\ntarget class: continuous.\nclass 2: continuous.\n"
    table = read(write_set(tmp_path, names, data="1, 2, 3, 4, yes\n"))
    assert table.n_features == 4 and table.target is not None and table.target.name == "class 3"


def test_a_long_cell_is_cut_in_messages(tmp_path: Path) -> None:
    path = write_set(tmp_path, "no, yes.\nage: continuous.\n", data="x" * 10_000 + ", yes\n")
    with pytest.raises(ValueError, match="is no number") as caught:
        read(path)
    assert len(str(caught.value)) < 200
