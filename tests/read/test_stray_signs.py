"""Rows that a parser would take otherwise than they were meant."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from clearwood.read import read


def write(folder: Path, text: str) -> Path:
    path = folder / "t.csv"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_row_that_a_stray_separator_has_shifted_is_refused(tmp_path: Path, end: str) -> None:
    text = end.join(["name,age,ill", "Ann,31,no", "Smith, John,54,", "Bob,5,yes", ""])
    with pytest.raises(
        ValueError, match=r"t.csv, line 3: 4 cells, of which the last is empty, but there are 3 columns"
    ):
        read(write(tmp_path, text))


def test_a_file_whose_rows_all_end_in_a_separator_is_read(tmp_path: Path) -> None:
    table = read(write(tmp_path, "age,ill\n31,no,\n54,yes,\n"))
    assert table.column("age").tolist() == [31, 54] and table.y.tolist() == [0, 1]


def test_an_empty_last_cell_is_no_stray_separator(tmp_path: Path) -> None:
    table = read(write(tmp_path, 'age,note,ill\n31,"a,b,c,\nd,e,f,",no\n54,x,\n7,y,yes\n'))
    assert table.n_rows == 3 and table.y.tolist() == [0, -1, 1]


def test_rows_between_two_stray_quotes_are_warned_of(tmp_path: Path) -> None:
    rows = [f"{i},b{i}" for i in range(50)]
    rows[10], rows[40] = '10,"b10', '40,b40"'
    with pytest.warns(UserWarning, match=r"column 2 holds 29 lines that look like rows.*a quote too many"):
        table = read(write(tmp_path, "n,v\n" + "\n".join(rows) + "\n"))
    assert table.n_rows == 20


def test_a_cell_of_several_lines_is_no_reason_to_warn(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = read(write(tmp_path, 'n,v\n1,"one\ntwo\nthree"\n2,b\n'))
    assert table.classes == ("b", "one\ntwo\nthree")
