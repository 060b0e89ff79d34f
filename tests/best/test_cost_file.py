"""Cost matrices from files."""

import pytest

from clearwood.best.cost_file import read_costs

CLASSES = ("ill", "well")


def written(tmp_path, text):
    file = tmp_path / "costs.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_lines_and_columns_may_have_any_order(tmp_path):
    file = written(tmp_path, "true \\ said,well,ill\nwell,0,1\nill,10.5,0\n")
    assert read_costs(file, CLASSES).tolist() == [[0.0, 10.5], [1.0, 0.0]]


@pytest.mark.parametrize(
    "text",
    ["\ufeff;well;ill\r\nwell;0;1\r\nill;10,5;0\r\n", "\twell\till\nwell\t0\t1\nill\t10.5\t0\n"],
)
def test_cells_are_parted_as_spreadsheets_do_it(tmp_path, text):
    assert read_costs(written(tmp_path, text), CLASSES).tolist() == [[0.0, 10.5], [1.0, 0.0]]


def test_a_class_may_hold_another_sign(tmp_path):
    file = written(tmp_path, ";a, b;c\na, b;0;2,5\nc;1;0\n")
    assert read_costs(file, ("a, b", "c")).tolist() == [[0.0, 2.5], [1.0, 0.0]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has a line with the classes"),
        (",well,il\nwell,0,1\nill,1,0\n", "'il' is no class.*did you mean 'ill'"),
        (",well,ill\nwell,0\nill,1,0\n", "must have 2 costs"),
        (";well;il\nwell;0;1\nill;1;0\n", "'il' is no class.*did you mean 'ill'"),
        (",well,ill\nwell,0,x\nill,1,0\n", "'x' in the line of 'well' is no number"),
        (",well,ill\nwell,0,1\n", "no cost of saying ill of a row of ill"),
    ],
)
def test_wrong_files_say_what_is_wrong(tmp_path, text, words):
    with pytest.raises(ValueError, match=words):
        read_costs(written(tmp_path, text), CLASSES)
