import pytest

from clearwood.cli.options import Learner
from clearwood.cli.values import check_name, make_learner, parse_settings


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("-1", -1),
        ("0.25", 0.25),
        ("1e-5", 1e-5),
        ("true", True),
        ("False", False),
        ("none", None),
        ("null", None),
        ("gini", "gini"),
        ('"none"', "none"),
        ("a=b", "a=b"),
        ("", ""),
    ],
)
def test_a_value_has_the_type_that_it_looks_like(text, value):
    (parsed,) = parse_settings([f"key={text}"]).values()
    assert parsed == value and type(parsed) is type(value)


@pytest.mark.parametrize("setting", ["key", "=5", ""])
def test_a_setting_needs_key_and_value(setting):
    with pytest.raises(ValueError, match="KEY=VALUE"):
        parse_settings([setting])


def test_a_name_far_from_all_gets_the_list_without_a_guess():
    with pytest.raises(ValueError, match=r"^no learner 'xyzzy'; there are: c45, cart\.$"):
        check_name("learner", "xyzzy", ["cart", "c45"])


def test_settings_win_over_common_parameters_that_apply_only_where_known():
    made = make_learner("c45", ["min_leaf=7", "confidence=0.1"], min_leaf=3, no_such_parameter=1)
    assert (made.min_leaf, made.confidence) == (7, 0.1)


def test_the_help_names_every_learner():
    from clearwood.learn.registry import LEARNERS

    assert all(name in Learner.__metadata__[0].help for name in LEARNERS)
