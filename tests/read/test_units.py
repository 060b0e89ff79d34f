"""Units: numbers with a sign of money or per cent are numbers, and no identifiers."""

import warnings

import numpy as np
import pandas as pd
import pytest

import clearwood as cw
from clearwood.read.identifiers import identifiers
from clearwood.read.units import common_unit, have_units, split_unit


def write(folder, cells):
    (folder / "t.csv").write_text("x;y\n" + "\n".join(f"{cell};{'ab'[i % 2]}" for i, cell in enumerate(cells)) + "\n")
    return folder / "t.csv"


def told(*arguments, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = cw.read(*arguments, **options)
    return table, [str(warning.message) for warning in caught]


def test_a_unit_stands_before_or_behind_digits():
    assert split_unit("$5") == split_unit("5 $") == split_unit(" $ 5 ") == ("$", "5")
    assert split_unit("-£3") == split_unit("£-3") == ("£", "-3")
    assert split_unit("1.001,88\u00a0€") == ("€", "1.001,88") and split_unit("chf 1'200") == ("chf", "1'200")
    for text in ("5", "$", "%", "euro", "5 apples", "A5", "K$5", ""):
        assert split_unit(text) is None
    assert common_unit([]) is None and not have_units([])


@pytest.mark.parametrize(
    ("cells", "numbers", "said"),
    [
        (["0.6%", "12 %", "-3%"], [0.6, 12, -3], "with the unit '%';"),
        (["$1,234.50", "$7", "-$3"], [1234.5, 7, -3], "with the unit '$' in the notation decimal='.', thousands=','"),
        (["1.001,88 €", "7 €", "3,5 €"], [1001.88, 7, 3.5], "unit '€' in the notation decimal=',', thousands='.'"),
        (["CHF 5", "EUR 6", "CHF 7"], None, "look like numbers with different units"),
        (["1.700 €", "900 €", "4.000 €"], None, "state decimal=',' if points stand between thousands, numeric="),
        (["$1,234", "$5,678", "$7"], None, "could be numbers: state decimal="),
    ],
)
def test_numbers_with_one_unit_are_read_and_said(tmp_path, cells, numbers, said):
    path = write(tmp_path, cells)
    table, notes = told(path)
    assert len(notes) == 1 and said in notes[0]
    assert table.columns[0].is_nominal if numbers is None else table.column("x").tolist() == numbers
    assert told(path, nominal="x")[0].columns[0].is_nominal


def test_a_stated_notation_and_another_column_decide(tmp_path):
    path = write(tmp_path, ["1.700 €", "900 €", "4.000 €"])
    assert told(path, decimal=",")[0].column("x").tolist() == [1700, 900, 4000]
    assert told(path, numeric="x")[0].column("x").tolist() == [1.7, 900, 4]
    (tmp_path / "t.csv").write_text("x;rate;y\n1.700 €;3,15 %;a\n900 €;2,5 %;b\n4.000 €;1 %;a\n")
    assert told(path)[0].column("x").tolist() == [1700, 900, 4000]


def test_signs_for_a_gap_are_missing_beside_units(tmp_path):
    table, notes = told(write(tmp_path, [*(f"{i}.5%" for i in range(12)), "n/a", "?"]))
    np.testing.assert_array_equal(table.column("x"), [*(i + 0.5 for i in range(12)), np.nan, np.nan])
    assert "as numbers with the unit '%' with 'n/a' as missing" in notes[0]


def test_stated_numbers_may_have_a_unit_in_frames_and_files(tmp_path):
    for cells in (["$1,234.50", "$7", "3"], ["5 %", "7%", "1"]):
        frame = pd.DataFrame({"x": cells, "y": list("aba")})
        expected = [float(cell.strip("$% ").replace(",", "")) for cell in cells]
        assert told(frame, numeric="x")[0].column("x").tolist() == expected
        assert told(write(tmp_path, cells), numeric="x")[0].column("x").tolist() == expected
    with pytest.raises(ValueError, match="numeric names 'x', but row"):
        told(write(tmp_path, ["$5", "€7", "$8"]), numeric="x")


def test_texts_of_a_frame_with_units_get_a_note():
    frame = pd.DataFrame({"x": [f"{i}%" for i in range(20)], "y": list("ab") * 10})
    table, notes = told(frame)
    assert table.columns[0].is_nominal and len(notes) == 1
    assert "look like numbers with units; read it with numeric=['x']" in notes[0]


def test_a_class_stays_as_it_is_written(tmp_path):
    assert told(write(tmp_path, ["5%", "10%", "5%"]), target="x")[0].classes == ("10%", "5%")


def test_amounts_in_several_units_are_no_identifiers(tmp_path):
    rng = np.random.default_rng(0)
    amounts = [f"{'$€'[i % 2]}{rng.integers(10**6)}" for i in range(40)]
    names = [f"K{rng.integers(10**6)}" for i in range(40)]
    assert identifiers(told(write(tmp_path, amounts))[0]) == []
    assert identifiers(told(write(tmp_path, names))[0]) == ["x"]
