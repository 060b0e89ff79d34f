import warnings

import numpy as np
import pandas as pd
import pytest

import clearwood as cw
from clearwood.read.values import declare_values
from clearwood.table import Column


def write(folder, text, name="t.csv"):
    (folder / name).write_text(text)
    return folder / name


def column(cells, name="x"):
    return f"{name};y\n" + "\n".join(f"{cell};{'ab'[i % 2]}" for i, cell in enumerate(cells)) + "\n"


def silently(*arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return cw.read(*arguments, **options)


def test_values_are_sorted_as_numbers_if_all_are():
    assert declare_values({"10", "9", "2.5"}) == (("2.5", "9", "10"), {"2.5": 0, "9": 1, "10": 2})
    assert declare_values({"b", "a", "10"})[0] == ("10", "a", "b")


def test_truth_values_declare_both_even_if_one_occurs():
    assert declare_values({"TRUE", "True"}) == (("false", "true"), {"TRUE": 1, "True": 1})
    assert declare_values(set()) == ((), {})


def test_decimal_commas_are_read_and_said(tmp_path):
    path = write(tmp_path, column(["1,5", "2", "-0,25", "?"]))
    with pytest.warns(
        UserWarning, match=r"'x' is read as numbers in the notation decimal=',', thousands='.'; .*nominal"
    ):
        table = cw.read(path)
    np.testing.assert_array_equal(table.column("x"), [1.5, 2, -0.25, np.nan])
    assert silently(path, decimal=",").column("x").tolist()[:3] == [1.5, 2, -0.25]
    assert silently(path, nominal="x").columns[0].values == ("-0,25", "1,5", "2")


def test_thousands_are_read_and_said(tmp_path):
    path = write(tmp_path, column(["1,234.5", "7", "12,000"]))
    with pytest.warns(UserWarning, match="notation decimal='.', thousands=','"):
        assert cw.read(path).column("x").tolist() == [1234.5, 7, 12000]
    assert silently(path, thousands=",").column("x").tolist() == [1234.5, 7, 12000]


def test_what_could_mean_two_numbers_is_asked_for(tmp_path):
    path = write(tmp_path, column(["1,234", "5,678"]))
    with pytest.warns(
        UserWarning, match=r"'x' is taken as nominal, but .* could be numbers: state decimal=.* or decimal="
    ):
        assert cw.read(path).columns[0].is_nominal
    assert silently(path, decimal=",").column("x").tolist() == [1.234, 5.678]
    assert silently(path, thousands=",").column("x").tolist() == [1234, 5678]


def test_stated_numbers_in_a_frame_are_parsed_in_the_stated_notation():
    frame = pd.DataFrame({"x": ["1,5", " ", "2,25"], "y": list("aba")})
    np.testing.assert_array_equal(silently(frame, numeric="x", decimal=",").column("x"), [1.5, np.nan, 2.25])
    with pytest.raises(ValueError, match="row 1 holds '1,5'"):
        cw.read(frame, numeric="x")


def test_signs_for_a_gap_among_numbers_are_missing_and_said(tmp_path):
    cells = [*map(str, range(12)), "N/A", "-", "12.5"]
    with pytest.warns(
        UserWarning, match="'x' is read as numbers, with 'N/A', '-' as missing|with '-', 'N/A' as missing"
    ):
        table = cw.read(write(tmp_path, column(cells)))
    np.testing.assert_array_equal(table.column("x"), [*range(12), np.nan, np.nan, 12.5])
    with pytest.warns(UserWarning, match=r"mixes numbers and words such as .*'high'"):
        assert cw.read(write(tmp_path, column([*cells, "high"]))).columns[0].is_nominal


def test_blank_cells_among_numbers_are_missing_in_files_and_noted_in_frames(tmp_path):
    """As in the column TotalCharges of a well-known table: 11 blanks among 7,043 numbers."""
    cells = [str(i + 0.5) for i in range(60)] + [" "]
    assert silently(write(tmp_path, column(cells))).columns[0] == Column("x")
    frame = pd.DataFrame({"x": cells, "y": list("ab") * 30 + ["a"]})
    with pytest.warns(UserWarning, match=r"'x' is text and taken as nominal, but 60 of its 60 values are numbers"):
        assert cw.read(frame).columns[0].is_nominal
    with pytest.warns(UserWarning, match=r"numeric=\['x'\]"):
        cw.C45Classifier().fit(frame[["x"]], frame["y"])
    table = silently(frame, numeric="x")
    assert table.column("x")[0] == 0.5 and np.isnan(table.column("x")[-1])


@pytest.mark.parametrize("first", [0, 1])
def test_a_saved_index_is_left_out_and_said(tmp_path, first):
    frame = pd.DataFrame({"x": [5.0, 6.0, 8.0], "y": list("aba")}, index=range(first, first + 3))
    frame.to_csv(tmp_path / "t.csv")
    with pytest.warns(UserWarning, match=r"'column_1' only counts the rows, .* left out; state numeric=\['column_1'\]"):
        assert cw.read(tmp_path / "t.csv").feature_names == ("x",)
    assert silently(tmp_path / "t.csv", numeric="column_1").feature_names == ("column_1", "x")
    assert silently(tmp_path / "t.csv", ignore="column_1").feature_names == ("x",)
    with pytest.warns(UserWarning, match="'Unnamed: 0' only counts"):
        assert cw.read(pd.read_csv(tmp_path / "t.csv")).feature_names == ("x",)


def test_a_first_column_without_name_that_counts_nothing_stays(tmp_path):
    assert silently(write(tmp_path, ",y\n3,a\n5,b\n4,a\n")).feature_names == ("column_1",)


@pytest.mark.parametrize("marker", ["?", "", "NA"])
def test_markers_mean_missing_in_files_and_frames_alike(tmp_path, marker):
    frame = pd.DataFrame({"x": ["u", marker, "v"] * 8, "y": list("aab") * 8})
    from_frame = cw.C45Classifier().fit(frame[["x"]], frame["y"])
    frame.to_csv(tmp_path / "t.csv", index=False)
    from_file = cw.C45Classifier().fit(cw.read(tmp_path / "t.csv"))
    assert from_frame.tree_.columns == from_file.tree_.columns == (Column("x", ("u", "v")),)
    np.testing.assert_array_equal(from_frame.predict_proba(frame[["x"]]), from_file.predict_proba(cw.read(frame)))
