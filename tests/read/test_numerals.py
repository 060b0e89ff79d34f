import pytest

from clearwood.read.numerals import Numerals, detect_numerals


@pytest.mark.parametrize(
    ("numerals", "text", "number"),
    [
        (Numerals(), "1e3", 1000),
        (Numerals(","), "-1,5", -1.5),
        (Numerals(","), ",5", 0.5),
        (Numerals(",", "."), "1.234.567,8e1", 12345678),
        (Numerals(".", ","), "1,234.5", 1234.5),
        (Numerals(".", ","), "1234.5", 1234.5),
        (Numerals(".", "'"), "1'234", 1234),
    ],
)
def test_numbers_in_each_notation(numerals, text, number):
    assert numerals.parse(text) == numerals.parse(f" {text} ") == pytest.approx(number, rel=1e-15)


@pytest.mark.parametrize(
    ("numerals", "text"),
    [
        (Numerals(","), "1.5"),
        (Numerals(",", "."), "12.34"),
        (Numerals(".", ","), "1,23"),
        (Numerals(".", ","), "1,2,3"),
        (Numerals(".", ","), ""),
        (Numerals(), "1_000"),
    ],
)
def test_what_is_no_number_in_a_notation(numerals, text):
    with pytest.raises(ValueError, match="not a number"):
        numerals.parse(text)


def test_bad_signs_are_refused():
    for decimal, thousands, message in (
        (";", "", "decimal must be"),
        (".", "x", "thousands must be"),
        (",", ",", "differ"),
    ):
        with pytest.raises(ValueError, match=message):
            Numerals(decimal, thousands)


def test_a_notation_is_detected_for_each_meaning():
    assert detect_numerals(["1,5", "12,25", "3"]) == [Numerals(",", ".")]
    assert detect_numerals(["1,234.5", "1,000,000"]) == [Numerals(".", ",")]
    assert len(detect_numerals(["1,234", "5,678"])) == 2, "1.234 or 1234"
    assert detect_numerals(["1.5", "2"]) == [], "plain already"
    assert detect_numerals(["1,5", "1.5"]) == detect_numerals([]) == []
    assert detect_numerals(["030 123"]) == [], "a number does not begin with 0"
