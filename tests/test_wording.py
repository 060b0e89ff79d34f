"""Names, numbers, shares and conditions as short text."""

import math
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.condition_wording import condition_lines, condition_words, plane_lines, plane_words
from clearwood.conditions import Condition, Plane
from clearwood.table import Column
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder
from clearwood.wording import Names, cut, names, number, percent, plural, visible, width


@given(st.floats(-1e15, 1e15))
def test_a_number_keeps_six_digits_and_every_digit_before_the_point(value):
    text = number(value)
    assert math.isclose(float(text), value, rel_tol=5.1e-6, abs_tol=1e-300) or abs(float(text) - value) <= 0.5
    assert abs(value) < 1e6 or abs(float(text) - value) <= 0.5
    assert not text.endswith(".") and text != "-0"
    assert len(text.lstrip("-").replace(".", "").lstrip("0").split("e")[0]) <= max(6, len(str(int(abs(value)))) + 1)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.3"),
        (1234567.8, "1234568"),
        (-0.0, "0"),
        (0.00012345678, "0.000123457"),
        (1e300, "1e+300"),
        (100.0, "100"),
    ],
)
def test_numbers(value, text):
    assert number(value) == text


@given(st.floats(0, 1))
def test_per_cent_claims_all_or_none_only_where_that_is_so(share):
    text = percent(share)
    assert (text == "100 %") == (share >= 1 - 1e-9)
    assert (text == "0 %") == (share <= 1e-9)


@given(st.text(st.characters(codec="utf-8")))
def test_visible_text_stays_on_one_line(name):
    shown = visible(name)
    assert len(shown.splitlines()) <= 1 and "\x1b" not in shown
    if name.isprintable():
        assert shown == name


@given(st.text(), st.integers(1, 30))
def test_cut_text_fits(text, room):
    text = visible(text)
    shown = cut(text, room)
    assert width(shown) <= room
    assert shown == text or shown.endswith("…")


@given(st.lists(st.text("abc", min_size=1, max_size=12), min_size=1, max_size=30), st.integers(24, 80))
def test_a_long_set_says_how_many_it_leaves_out(values, room):
    shown = names(values, room)
    assert width(shown) <= room
    left_out = int(shown.rsplit("… ")[-1].split()[0]) if " more}" in shown else 0
    assert len(shown.split(", ")) - (left_out > 0) + left_out == len(values)


@given(st.text(max_size=60), st.lists(st.text(max_size=40), min_size=2, max_size=9, unique=True), st.data())
def test_conditions_fit_their_room(name, values, data):
    column = Column(name, tuple(values))
    codes = data.draw(st.lists(st.integers(0, len(values) - 1), min_size=1, unique=True))
    room = data.draw(st.integers(50, 90))
    assert width(condition_words(Condition(0, column, values=tuple(sorted(codes))), room)) <= room
    assert width(condition_words(Condition(0, Column(name), 1.25, 1234.5), room)) <= room


def plane_of(*terms):
    columns = tuple(Column(name) for name, _ in terms)
    return Plane(tuple(range(len(terms))), columns, tuple(weight for _, weight in terms))


@pytest.mark.parametrize(
    ("terms", "text"),
    [
        ([("petal width", 0.8), ("petal length", 0.2)], "0.8·petal width + 0.2·petal length"),
        ([("a", -0.8), ("b", -0.2)], "−0.8·a − 0.2·b"),
        ([("a", 1.0), ("b", -1.0), ("c", -1e-9)], "a − b − 1e−09·c"),
        ([("a", -1.0)], "−a"),
        ([("a", 1 / 3), ("b\n", 12345678.9)], "0.333333·a + 12345679·b\\n"),
    ],
)
def test_planes_read_aloud(terms, text):
    plane = plane_of(*terms)
    assert str(plane) == text and plane.as_column() == Column(text)
    condition = Condition(-1, plane.as_column(), lower=-2.1, plane=plane, missing=False)
    assert condition_words(condition) == f"{text} > −2.1"


def test_a_plane_says_which_rows_without_a_value_it_takes():
    plane, single = plane_of(("a", 2.0), ("b", 1.0)), plane_of(("a", 2.0))
    both = Condition(-1, plane.as_column(), -1.0, 2.5, plane=plane, missing=True)
    assert condition_words(both) == "−1 < 2·a + b ≤ 2.5 (or one missing)"
    assert condition_words(Condition(-1, single.as_column(), upper=1.0, plane=single, missing=True)) == (
        "2·a ≤ 1 (or missing)"
    )
    assert condition_words(Condition(-1, plane.as_column(), 3.0, 2.0, plane=plane, missing=True)) == "a or b is missing"


def test_bounds_of_a_plane_that_differ_do_not_read_the_same():
    plane = plane_of(("a", 2.0), ("b", 1.0))
    narrow = Condition(-1, plane.as_column(), 20.0000001, 20.0000002, plane=plane)
    assert condition_words(narrow) == "20.0000001 < 2·a + b ≤ 20.0000002"


@given(
    st.lists(
        st.tuples(st.text("abc", min_size=1, max_size=30), st.floats(-1e9, 1e9).filter(bool)), min_size=1, max_size=12
    ),
    st.integers(30, 90),
)
def test_planes_are_broken_into_lines_and_lose_no_term(terms, room):
    plane = plane_of(*terms)
    lines = plane_lines(plane, room)
    assert " ".join(line.strip() for line in lines) == plane_words(plane) or "…" in "".join(lines)
    assert sum(line.count(" + ") + line.count(" − ") for line in [f" {line}" for line in lines]) == len(terms) - 1
    condition = Condition(-1, plane.as_column(), upper=1234.5, plane=plane)
    other = Condition(-1, plane.as_column(), lower=1234.5, plane=plane)
    sides = [condition_lines(side, room) for side in (condition, other)]
    assert [line.replace("≤", ">") for line in sides[0]] == sides[1]  # both branches are broken alike
    assert all(width(line) <= room + 20 for line in sides[0])


@given(st.lists(st.text("ab", min_size=1, max_size=40), min_size=2, max_size=12, unique=True), st.integers(4, 30))
def test_two_names_never_look_the_same(given, room):
    known = Names(given)
    assert len({known.short(name, room) for name in given}) == len(given)
    assert all(known.short(name, room) == name for name in given if len(name) <= room)
    longer = Names(f"what they all begin with: {name}" for name in given)
    assert len({longer.short(f"what they all begin with: {name}", room) for name in given}) == len(given)


def test_what_all_names_begin_with_is_left_out_first():
    given = ["the measurement of the length of petals", "the measurement of the width of petals"]
    assert [Names(given).short(name, 20) for name in given] == ["…length of petals", "…width of petals"]
    assert Names([*given, "age"]).short(given[0], 20).startswith("the meas")
    assert Names(given).short("the measurement of age", 12).startswith("the ")  # not one of them


def test_dates_in_a_sum_are_days():
    born = Column("born", is_date=True)
    plane = Plane((0, 1), (born, Column("mass")), (2.5e-9, -0.5))
    assert plane_words(plane) == "0.216·born in days since 1970 − 0.5·mass"


def test_a_condition_that_nothing_meets():
    assert condition_words(Condition(0, Column("age"), 5.0, 3.0)) == "no value of age"
    assert condition_words(Condition(0, Column("sky", ("sun", "fog")), values=())) == "no value of sky"


def test_counted_nouns():
    assert [plural(1, "row"), plural(2, "row"), plural(2.3456, "row"), plural(1, "leaf", "leaves")] == [
        "1 row",
        "2 rows",
        "2.35 rows",
        "1 leaf",
    ]
    assert plural(1e6, "row") == "1000000 rows"


def chain(cuts, other=()):
    """A tree that compares ``a`` with one number after another, then ``b`` with others."""
    build = TreeBuilder([Column("a"), Column("b")], ["no", "yes"])
    below = build.leaf([1, 5])
    for name, value in [*(("b", each) for each in other), *(("a", each) for each in reversed(cuts))]:
        below = build.threshold(name, value, [build.leaf([3, 1]), below])
    return build.build(below)


LARGE = [1.7e15 + 1e6 * i for i in (9, 19, 29)]
EXACT = [123456789.132, 123456789.142, 123456789.152]


@pytest.mark.parametrize(
    ("cuts", "texts"),
    [
        (LARGE, ["1.70000001e+15", "1.70000002e+15", "1.70000003e+15"]),
        (EXACT, ["123456789.13", "123456789.14", "123456789.15"]),
        ([1 / 3, *EXACT], ["0.333333", "123456789.13", "123456789.14", "123456789.15"]),
        ([1.7e15], ["1.7e+15"]),
        ([2.0, 7 / 3, 1234567.8], ["2", "2.33333", "1234568"]),
    ],
)
def test_thresholds_of_one_feature_have_the_digits_that_tell_them_apart(cuts, texts):
    tree = chain(cuts, [1 / 3])
    for text in (str(tree), str(tree.rules()), tree.to_dot(), tree.to_svg()):
        assert set(re.findall(r"≤ ([\d.e+]*\d)", text)) == {*texts, "0.333333"}
    assert str(Tree.from_json(tree.to_json())) == str(pickle.loads(pickle.dumps(tree))) == str(tree)


@given(st.lists(st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.floats(1e9, 1e9 + 1e-3)), unique=True))
def test_no_two_thresholds_of_one_feature_read_the_same(cuts):
    tree = chain(cuts)
    texts = {condition_words(tree.condition(node, 0)) for node in range(tree.n_nodes) if not tree.is_leaf(node)}
    assert len(texts) == len({value + 0.0 for value in cuts})


def test_a_path_and_a_wish_say_thresholds_as_the_tree_does():
    tree = chain(EXACT)
    cells = {"a": 123456789.137, "b": 0.0}
    said = str(tree.explain(cells))
    assert "a is 123456789.14, above 123456789.13" in said and "a is 123456789.137, at most 123456789.142" in said
    assert "It would be yes if a were above 123456789.15." in said


def test_at_most_is_one_sign_in_all_that_people_read():
    build = TreeBuilder([Column("a"), Column("b")], ["no", "yes"])
    leaves = [build.leaf([3, 1]), build.leaf([0, 2])]
    tree = build.build(build.linear({"a": 1.0, "b": 1.0}, 2.0, [build.threshold("a", 1.0, leaves), build.leaf([1, 5])]))
    for text in (str(tree), str(tree.rules()), tree.to_dot()):
        assert text.count("≤") >= 2 and "<=" not in text
    assert "<=" in tree.to_text("weka") and "≤" not in tree.to_text("weka")  # Weka's own lines
