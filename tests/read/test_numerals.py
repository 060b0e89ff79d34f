from __future__ import annotations

from clearwood.read.numerals import order_values


def test_values_that_are_numbers_are_ordered_as_numbers() -> None:
    assert order_values(["10", "9", "-1", "1e1"]) == ["-1", "9", "10", "1e1"]
    assert order_values(["10", "9", "nan"]) == ["10", "9", "nan"]
    assert order_values(["b", "10", "9", "a"]) == ["10", "9", "a", "b"]
