"""Commas: a column of decimal commas says what the points in the other columns of its file are."""

import warnings

import numpy as np
import pytest

import clearwood as cw


def write(folder, cells, rates=("3,15", "2", "0,5"), head="income;rate;y"):
    rows = [f"{cell};{rate};{'ab'[i % 2]}" for i, (cell, rate) in enumerate(zip(cells, rates, strict=True))]
    (folder / "t.csv").write_text("\n".join([head, *rows]) + "\n")
    return folder / "t.csv"


def told(*arguments, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = cw.read(*arguments, **options)
    return table, [str(warning.message) for warning in caught if "'income'" in str(warning.message)]


@pytest.mark.parametrize("ignore", [(), "rate"])
def test_points_stand_between_thousands_where_another_column_has_decimal_commas(tmp_path, ignore):
    table, said = told(write(tmp_path, ["1.700", "900", "-4.000"]), ignore=ignore)
    assert table.column("income").tolist() == [1700, 900, -4000]
    assert len(said) == 1 and "as numbers in the notation decimal=',', thousands='.'" in said[0]


def test_signs_for_a_gap_do_not_hide_it(tmp_path):
    cells = [f"{i}.500" for i in range(1, 12)] + ["n/a"]
    table, said = told(write(tmp_path, cells, ["1,5", "n/a"] * 6))
    np.testing.assert_array_equal(table.column("income"), [*(1000 * i + 500 for i in range(1, 12)), np.nan])
    assert "thousands='.' with 'n/a' as missing" in said[0]


@pytest.mark.parametrize("cells", [["1.7", "900", "4.000"], ["0.700", "900", "4.000"], ["1.7000", "900", "4.000"]])
def test_a_point_that_cannot_stand_between_thousands_stands_before_decimals(tmp_path, cells):
    table, said = told(write(tmp_path, cells))
    assert table.column("income").tolist() == [float(cell) for cell in cells] and said == []


@pytest.mark.parametrize("rates", [("3", "2", "5"), ("3.15", "2", "5"), ("1,234", "2", "5"), ("a,b", "c", "d")])
def test_without_such_a_column_points_stand_before_decimals(tmp_path, rates):
    table, said = told(write(tmp_path, ["1.700", "900", "4.000"], rates))
    assert table.column("income").tolist() == [1.7, 900, 4] and said == []


def test_what_could_mean_two_numbers_is_decided_by_the_other_column(tmp_path):
    table, _ = told(write(tmp_path, ["1,234", "900", "5,678"]))
    assert table.column("income").tolist() == [1.234, 900, 5.678]


def test_a_stated_comma_never_lets_a_point_stand_before_decimals(tmp_path):
    path = write(tmp_path, ["1.700", "900", "4.000"], ["1", "2", "3"])
    table, said = told(path, decimal=",")
    assert table.column("income").tolist() == [1700, 900, 4000]
    assert len(said) == 1 and "is read as numbers in the notation decimal=',', thousands='.';" in said[0]
    assert told(path, decimal=",", thousands=".")[0].column("income").tolist() == [1700, 900, 4000]
    table, said = told(write(tmp_path, ["1.7", "900", "4.000"], ["1", "2", "3"]), decimal=",")
    assert table.columns[0].is_nominal and "mixes numbers and words" in said[0]
    table, said = told(write(tmp_path, ["1,5", "2", "3"], ["1", "2", "3"]), thousands=",")
    assert table.columns[0].is_nominal, "a stated comma between thousands is none before decimals"
    with pytest.raises(ValueError, match=r"numeric names 'income', but row 1 holds '1\.7'"):
        told(write(tmp_path, ["1.7", "900", "4.000"], ["1", "2", "3"]), decimal=",", numeric="income")


def test_the_class_and_stated_categories_stay_as_they_are_written(tmp_path):
    path = write(tmp_path, ["1.700", "900", "4.000"])
    assert told(path, nominal="income")[0].columns[0].values == ("1.700", "4.000", "900")
    assert told(path, target="income", nominal="income")[0].classes == ("1.700", "4.000", "900")


def test_a_comma_separated_file_may_have_decimal_commas_in_quotes(tmp_path):
    (tmp_path / "t.csv").write_text('income,rate,y\n1.700,"3,15",a\n900,"2,5",b\n')
    assert told(tmp_path / "t.csv")[0].column("income").tolist() == [1700, 900]
