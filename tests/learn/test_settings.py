import pytest

from clearwood.learn.settings import parse_settings


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
        ("[1, 2]", [1, 2]),
    ],
)
def test_a_value_has_the_type_that_it_looks_like(text, value):
    (parsed,) = parse_settings([f"key={text}"]).values()
    assert parsed == value and type(parsed) is type(value)


def test_several_texts_and_several_settings_in_one_are_the_same():
    apart = parse_settings(["min_leaf=5", "prune=false", "name=a,b"])
    assert (
        parse_settings([" min_leaf = 5,prune=false, name=a,b"])
        == apart
        == {"min_leaf": 5, "prune": False, "name": "a,b"}
    )


@pytest.mark.parametrize("setting", ["key", "=5", ""])
def test_a_setting_needs_key_and_value(setting):
    with pytest.raises(ValueError, match="must have the form KEY=VALUE, got"):
        parse_settings([setting])
