"""Cells of text become numbers and codes, whatever blanks stand around them."""

import numpy as np
import pytest

from clearwood.read.cells import BadCell, codes, dates, numbers

MISSING = ("?", "", "NA")


def test_numbers_with_blanks_and_missing_marks():
    found = numbers([" 1.5 ", "\t?\t", "NA ", "", "-2e3"], MISSING)
    np.testing.assert_array_equal(found, [1.5, np.nan, np.nan, np.nan, -2000.0])


@pytest.mark.parametrize(
    ("cells", "row", "message"),
    [
        (["1", " 2_000"], 1, "'2_000' is no number"),
        (["1", "2", "many"], 2, "'many' is no number"),
        (["1", " inf "], 1, "'inf' is not finite"),
        (["-Infinity", "?"], 0, "'-Infinity' is not finite"),
    ],
)
def test_what_is_no_number_is_named_by_row(cells, row, message):
    with pytest.raises(BadCell, match=message) as caught:
        numbers(cells, MISSING)
    assert caught.value.row == row


def test_codes_with_blanks_and_missing_marks():
    code = {"?": -1, "sun": 0, "rain": 1}
    assert codes(["sun", " rain ", "\t?", "sun"], code).tolist() == [0, 1, -1, 0]
    with pytest.raises(BadCell, match="the value 'fog' is not declared; declared are 'sun', 'rain'") as caught:
        codes(["sun", " fog"], code)
    assert caught.value.row == 1


def test_dates_are_parsed_once_for_each_text():
    parsed, known = [], {"?": float("nan")}

    def parse(text):
        parsed.append(text)
        if text == "never":
            raise ValueError("'never' is no date")
        return float(text)

    np.testing.assert_array_equal(dates(["5", " 5", "?", "5", " 5"], parse, known), [5, 5, np.nan, 5, 5])
    assert parsed == ["5"]
    with pytest.raises(BadCell, match="'never' is no date"):
        dates(["never"], parse, known)
