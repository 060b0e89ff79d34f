from clearwood.read.values import declare_values


def test_values_are_sorted_as_numbers_if_all_are():
    assert declare_values({"10", "9", "2.5"}) == (("2.5", "9", "10"), {"2.5": 0, "9": 1, "10": 2})
    assert declare_values({"b", "a", "10"})[0] == ("10", "a", "b")


def test_truth_values_declare_both_even_if_one_occurs():
    assert declare_values({"TRUE", "True"}) == (("false", "true"), {"TRUE": 1, "True": 1})
    assert declare_values(set()) == ((), {})
