import pytest

from clearwood.spelling import check_name, did_you_mean, no_such


def test_a_name_far_from_all_gets_the_list_without_a_guess():
    with pytest.raises(ValueError, match=r"^no learner 'xyzzy'; there are: c45, cart\.$"):
        check_name("learner", "xyzzy", ["cart", "c45"])


def test_a_known_name_passes():
    check_name("learner", "cart", iter(["cart", "c45"]))


def test_case_does_not_hide_the_nearest_and_numbers_are_names_too():
    assert did_you_mean("SOYBEEN", ["soybean"]) == "; did you mean 'soybean'?"
    assert did_you_mean(1998, [1997, 12]) == "; did you mean '1997'?"
    assert did_you_mean("decisonTree", ["DecisionTree"]) == "; did you mean 'DecisionTree'?"


def test_a_long_list_is_cut_and_an_empty_one_says_so():
    many = no_such("column", "z", [f"column {i:02}" for i in range(60)], "or a number")
    assert many.endswith("column 49, …, or a number.") and "column 50" not in many
    assert no_such("classifier in os", "Tree", []) == "no classifier in os 'Tree'; there are: none."
