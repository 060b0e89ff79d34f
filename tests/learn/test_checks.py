import numpy as np
import pytest

from clearwood.learn.checks import check_choice, check_flag, check_number


@pytest.mark.parametrize(
    ("value", "bounds", "good"),
    [
        (1, (1, 3), True),
        (3, (1, 3), True),
        (0.999, (1, 3), False),
        (3.001, (1, 3), False),
        (np.int64(2), (1, 3), True),
        (np.float32(2.5), (1, None), True),
        (-(10**9), (None, None), True),
        (float("nan"), (None, None), False),
    ],
)
def test_both_bounds_belong_to_the_range(value, bounds, good):
    if good:
        check_number("x", value, *bounds)
    else:
        with pytest.raises(ValueError, match="x must be a number"):
            check_number("x", value, *bounds)


def test_open_ends_leave_the_bounds_out():
    check_number("x", 0.5, 0, 1, open_ends=True)
    for value in (0, 1, 0.0, 1.0):
        with pytest.raises(ValueError, match=r"x must be a number between 0 and 1 \(both excluded\), got"):
            check_number("x", value, 0, 1, open_ends=True)
    with pytest.raises(ValueError, match="x must be a number above 0, got 0"):
        check_number("x", 0, 0, open_ends=True)


@pytest.mark.parametrize("value", [True, "3", None, [3]])
def test_what_is_no_number_is_a_type_error(value):
    with pytest.raises(TypeError, match=r"x must be a whole number of at least 1, got"):
        check_number("x", value, 1, whole=True)


def test_whole_numbers_and_none():
    check_number("x", None, 1, none=True)
    check_number("x", np.int32(4), 1, whole=True)
    with pytest.raises(ValueError, match=r"x must be a whole number of at least 1 or None, got 2\.5"):
        check_number("x", 2.5, 1, whole=True, none=True)


def test_choices_are_texts():
    check_choice("criterion", "gini", iter(["gini", "gain"]))
    with pytest.raises(
        ValueError, match=r"^criterion must be one of 'gini', 'gain', got 'gina'; did you mean 'gini'\?$"
    ):
        check_choice("criterion", "gina", ["gini", "gain"])
    with pytest.raises(ValueError, match=r"^criterion must be one of 'gini', got 7\.$"):
        check_choice("criterion", 7, ["gini"])


def test_flags_are_true_or_false():
    for value in (True, False, np.True_):
        check_flag("prune", value)
    for value in (0, 1, "yes", None):
        with pytest.raises(TypeError, match="prune must be True or False, got"):
            check_flag("prune", value)
