"""Text of a tree: for people, and as J48 prints it."""

import re
from decimal import ROUND_HALF_EVEN, Decimal

import numpy as np
import pytest
from counted_work import calls
from hypothesis import given
from hypothesis import strategies as st
from sample_trees import (
    asking_tree,
    chain,
    iris_tree,
    leaf_tree,
    plane_tree,
    random_table,
    random_tree,
    stump,
    weather_tree,
)

from clearwood.conditions import Kind
from clearwood.export.text import LINE_WIDTH, to_text
from clearwood.export.text_weka import java_decimal, java_double
from clearwood.table import Column
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder
from clearwood.wording import width

# -- for people ---------------------------------------------------------------------------------


def test_iris_reads_well():
    assert to_text(iris_tree()).splitlines() == [
        "C4.5 tree for class: 5 leaves, depth 4, 2 of 4 features, 150 rows",
        "",
        "                        predicts         rows  of all  correct",
        "petalwidth ≤ 0.6        Iris-setosa        50    33 %    100 %",
        "petalwidth > 0.6",
        "├ petalwidth ≤ 1.7",
        "│ ├ petallength ≤ 4.9   Iris-versicolor    48    32 %     98 %",
        "│ └ petallength > 4.9",
        "│   ├ petalwidth ≤ 1.5  Iris-virginica      3     2 %    100 %",
        "│   └ petalwidth > 1.5  Iris-versicolor     3     2 %     67 %",
        "└ petalwidth > 1.7      Iris-virginica     46    31 %     98 %",
    ]


def test_planes_and_branches_for_missing_values():
    assert to_text(plane_tree()).splitlines() == [
        "linear tree for class: 3 leaves, depth 2, 3 of 3 features, 12 rows",
        "",
        "                                               predicts  rows  of all  correct",
        "0.8·width − 0.2·length ≤ 2.1                   a            5    42 %     80 %",
        "0.8·width − 0.2·length > 2.1 (or one missing)",
        "├ sky != rain (or missing)                     a            3    25 %     67 %",
        "└ sky = rain                                   b            4    33 %    100 %",
    ]


def test_long_sums_stand_there_whole_on_several_lines():
    names = [f"a feature with the number {i}" for i in range(5)]
    tree = plane_tree(
        columns=[*map(Column, names), Column("sky", ("sun", "rain", "fog"))], feature=[-1, -1, 5, -1, -1],
        weight_start=[0, 5, 5, 5, 5, 5], weight_features=range(5), weight_values=[0.5] * 5,
        spread=[1, 1, 1, 1, 4, np.nan],
    )  # fmt: skip
    text = to_text(tree)
    assert all(text.count(f"0.5·{name}") == 2 for name in names)  # in both branches alike
    assert max(map(width, text.splitlines())) <= LINE_WIDTH
    assert "  + 0.5·a feature with the number 3 ≤ 2.1" in text and "\n0.5·a feature with the number 4" in text
    assert " ".join(text.split("\n\n")[-1].split()) == "Influence (weight × spread) of the terms: " + ", ".join(
        f"{name} {share} %" for name, share in zip([names[4], *names[:4]], (50, 12, 12, 12, 12), strict=True)
    )


def test_columns_with_long_names_can_be_told_apart():
    names = [f"the number of minutes that a customer has spoken during the {part}, in all" for part in ("day", "eve")]
    tree = chain(12)
    lines = to_text(Tree(**{**vars_of(tree), "columns": [Column(name) for name in names]})).splitlines()
    deepest = [line for line in lines if "…" in line]
    assert len({line.split("≤")[0].split(">")[0].strip("│├└ ") for line in deepest[:4]}) >= 2


def vars_of(tree):
    arrays = ("kind", "feature", "threshold", "first_child", "n_children", "empty", "counts")
    return {name: getattr(tree, name) for name in arrays} | {"classes": tree.classes}


def test_a_remark_stands_below_the_heading_and_tiny_weights_are_not_zero():
    tree = stump(Column("age"), [[150.25, 0], [0.0001, 0.01]]).remarked("15 of 165 rows were held back.")
    lines = to_text(tree).splitlines()
    assert lines[1] == "15 of 165 rows were held back." and "  <0.1 " in lines[-1]


def test_only_trees_of_c45_are_headed_as_those_of_j48():
    heads = [to_text(iris_tree().by(learner), "weka").splitlines()[0] for learner in ("C4.5 unpruned", "ID3", "")]
    assert heads == ["J48 unpruned tree", "ID3 pruned tree", "pruned tree"]


def test_empty_values_that_share_a_line_share_a_direction():
    sky = Column("sky", tuple("abcde"))
    leaves = [[1, 0], [0, 0], [0, 2], [0, 0], [0, 0]]
    for direction, last in ((3, "sky in {b, d, e} (or missing)"), (0, "sky in {b, d, e}")):
        lines = to_text(stump(sky, leaves, missing=[direction] + [-1] * 5)).splitlines()
        assert lines[-1].split("  ")[0] == last
        assert lines[3].startswith("sky = a (or missing)") == (direction == 0)


def test_weka_style_is_extended_by_what_j48_lacks():
    assert to_text(plane_tree(weight_values=[0.8, -1e-5]), "weka").splitlines()[3:7] == [
        "0.8 * width - 1.0E-5 * length <= 2.1: a (5.0/1.0)",
        "0.8 * width - 1.0E-5 * length > 2.1 (or missing)",
        "|   sky in {sun, fog} (or missing): a (3.0/1.0)",
        "|   sky not in {sun, fog}: b (4.0)",
    ]


def test_sums_that_ask_for_values():
    build = TreeBuilder([Column("wind"), Column("sky", ("sun", "rain", "fog"))], ["a", "b"])
    inner = build.linear({("sky", "rain"): -0.5}, -0.25, [build.leaf([3, 1]), build.leaf([0, 4])], missing=0)
    plane = {("sky", "rain"): 2.0, "wind": 0.1, ("sky", "fog"): -1.0}
    tree = build.build(build.linear(plane, 0.5, [build.leaf([5, 0]), inner], missing=1)).with_spread([2.0, np.nan])
    assert to_text(tree).splitlines()[2:] == [
        "                                                            predicts  rows  of all  correct",
        "2·(sky = rain) + 0.1·wind − (sky = fog) ≤ 0.5               a            5    38 %    100 %",
        "2·(sky = rain) + 0.1·wind − (sky = fog) > 0.5 (or missing)",
        "├ −0.5·(sky = rain) ≤ −0.25                                 a            4    31 %     75 %",
        "└ −0.5·(sky = rain) > −0.25                                 b            4    31 %    100 %",
    ]
    assert to_text(tree, "weka").splitlines()[3:7] == [
        "2.0 * (sky = rain) + 0.1 * wind - 1.0 * (sky = fog) <= 0.5: a (5.0)",
        "2.0 * (sky = rain) + 0.1 * wind - 1.0 * (sky = fog) > 0.5 (or missing)",
        "|   -0.5 * (sky = rain) <= -0.25: a (4.0/1.0)",
        "|   -0.5 * (sky = rain) > -0.25: b (4.0)",
    ]


def test_sums_that_ask_for_values_of_odd_names_keep_to_their_lines():
    text = to_text(asking_tree(1).with_spread([2.0, np.nan, np.nan]))
    assert max(map(width, text.splitlines())) <= LINE_WIDTH and text.replace("\n", "").isprintable()
    assert text.count("(or missing)") == 1 and "Influence" not in text and "nan" not in text.lower()
    assert "<b>&amp;\\n\\)" in text and 'it\'s "fog")' in text


def test_branches_with_many_ways_and_an_empty_leaf():
    assert to_text(weather_tree()).splitlines()[2:] == [
        "                    predicts  rows  of all  correct",
        "outlook = sunny",
        "├ humidity ≤ 75     yes          2    14 %    100 %",
        "└ humidity > 75     no           3    21 %    100 %",
        "outlook = overcast  yes          4    29 %    100 %",
        "outlook = rainy",
        "├ windy = TRUE      no           2    14 %    100 %",
        "└ windy = FALSE     yes          3    21 %    100 %",
        "outlook = fog       yes           no rows; as above",
    ]


def test_many_values_without_rows_share_a_line():
    make = Column("make", ("audi", "bmw", "fiat", "opel", "saab"))
    lines = to_text(stump(make, [[0, 0], [2, 0], [0, 0], [0, 3], [0, 0]])).splitlines()[3:]
    assert lines == [
        "make = bmw                  c0           2    40 %    100 %",
        "make = opel                 c1           3    60 %    100 %",
        "make in {audi, fiat, saab}  c1            no rows; as above",
    ]


def test_a_single_leaf():
    assert to_text(leaf_tree([3, 1], ["a", "b"])).splitlines()[-1] == "every row  a            4   100 %     75 %"


def test_an_almost_pure_leaf_is_not_called_pure():
    lines = to_text(stump(Column("age"), [[100000, 1], [1, 0]])).splitlines()
    assert lines[3].endswith(">99 %    >99 %")
    assert lines[4].endswith("<1 %    100 %")


def test_fractional_weights_share_their_decimals():
    lines = to_text(stump(Column("age"), [[10.333333333, 0], [0, 4.6666666667]])).splitlines()
    assert "  10.33 " in lines[3]
    assert "   4.67 " in lines[4]
    assert lines[0].endswith("15 rows")


def test_control_characters_are_shown_and_not_obeyed():
    sky = Column("s\nky\x1b[2J", ("su\tn", "r\u202eain"))
    text = to_text(stump(sky, [[1, 0], [0, 1]], ["a\r", "b"], target="t\x00"))
    assert "s\\nky\\x1b[2J = su\\tn" in text
    assert text.replace("\n", "").isprintable()
    assert len(text.splitlines()) == 5


def test_long_names_are_cut():
    values = tuple(f"{v} and a remark that goes on for rather a long time" for v in "abcdefgh")
    tree = stump(
        Column("a long name " * 20, values), [[1, 2]] * 8, ["class " * 30, "other " * 30], learner="C4.5 " * 50
    )
    lines = to_text(tree).splitlines()
    assert max(map(width, lines)) <= LINE_WIDTH
    assert all("…" in line and f"= {v}" in line for line, v in zip(lines[3:], "abcdefgh", strict=True))


def test_wide_characters_keep_their_columns():
    lines = to_text(stump(Column("天気", ("晴れ", "rain")), [[1, 0], [0, 1]])).splitlines()
    assert len({width(line) for line in lines[2:]}) == 1


@pytest.mark.parametrize("seed", range(20))
def test_random_trees_stay_aligned(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, random_table(rng), max_nodes=90)
    lines = to_text(tree).splitlines()[2:]
    figures = [line for line in lines[1:] if re.search(r"( %|no rows; as above)$", line)]
    barren = [int(tree.empty[tree.children(n)].sum()) for n in np.flatnonzero(tree.kind == Kind.BRANCHES)]
    folded = sum(n - 1 for n in barren if n >= 3)
    assert len(figures) == tree.n_leaves - folded
    assert {width(line) for line in figures} == {width(lines[0])} and width(lines[0]) <= LINE_WIDTH
    assert len(lines) - 1 == max(tree.n_nodes - 1 - folded, 1)
    assert sum("no rows" in line for line in figures) == np.count_nonzero(tree.empty) - folded


@pytest.mark.parametrize("style", ["people", "weka"])
def test_a_deep_chain_is_written_without_recursion(style):
    tree = chain(2000)
    text = to_text(tree, style)
    assert calls(lambda: to_text(tree, style)) < 2.5 * calls(lambda: to_text(chain(1000), style))
    assert text.count("dose") + text.count("age") >= 4000
    if style == "people":
        assert max(map(len, text.splitlines())) <= LINE_WIDTH


def test_the_work_grows_with_the_values_and_not_with_their_square():
    def towns(n):
        return stump(Column("town", tuple(f"t{i}" for i in range(n))), [[1, i % 3] for i in range(n)])

    large, small = towns(10_000), towns(2000)
    assert to_text(large).count("town = ") == 10_000
    assert calls(lambda: to_text(large)) < 6 * calls(lambda: to_text(small))


def test_an_unknown_style_is_named():
    with pytest.raises(ValueError, match="style must be 'people' or 'weka', got 'R'"):
        to_text(iris_tree(), "R")


# -- as J48 -------------------------------------------------------------------------------------


def test_iris_as_weka_prints_it():
    assert to_text(iris_tree(), "weka") == (
        "J48 pruned tree\n------------------\n\n"
        "petalwidth <= 0.6: Iris-setosa (50.0)\n"
        "petalwidth > 0.6\n"
        "|   petalwidth <= 1.7\n"
        "|   |   petallength <= 4.9: Iris-versicolor (48.0/1.0)\n"
        "|   |   petallength > 4.9\n"
        "|   |   |   petalwidth <= 1.5: Iris-virginica (3.0)\n"
        "|   |   |   petalwidth > 1.5: Iris-versicolor (3.0/1.0)\n"
        "|   petalwidth > 1.7: Iris-virginica (46.0/1.0)\n"
        "\nNumber of Leaves  : \t5\n\nSize of the tree : \t9\n"
    )


def test_weather_as_weka_prints_it():
    lines = to_text(weather_tree(), "weka", pruned=False).splitlines()
    assert lines[:3] == ["J48 unpruned tree", "-" * 18, ""]
    assert lines[3:10] == [
        "outlook = sunny",
        "|   humidity <= 75: yes (2.0)",
        "|   humidity > 75: no (3.0)",
        "outlook = overcast: yes (4.0)",
        "outlook = rainy",
        "|   windy = TRUE: no (2.0)",
        "|   windy = FALSE: yes (3.0)",
    ]
    assert lines[10:12] == ["outlook = fog: yes (0.0)", ""]  # the class of the parent's table


def test_the_label_of_a_leaf_comes_from_its_bag():
    """The class, weight and errors of the parent's table, which the leaf's own rows here contradict."""
    bags = [[19.0, 31.2683], [13.0, 2.2683], [6.0, 29.0]]
    own = [[20, 37], [9, 1], [0, 9]]
    tree = stump(Column("wage increase"), own[1:], ["bad", "good"], bags=bags, counts=own)
    lines = to_text(tree, "weka").splitlines()
    assert lines[3] == "wage increase <= 0.5: bad (15.27/2.27)"
    assert lines[4] == "wage increase > 0.5: good (35.0/6.0)"


def test_two_way_trees_print_thresholds_as_doubles():
    tree = stump(Column("mass"), [[1, 0], [0, 1]], threshold=[127.0, np.nan, np.nan])
    assert "mass <= 127: c0 (1.0)" in to_text(tree, "weka")
    assert "mass <= 127.0: c0 (1.0)" in to_text(tree, "weka", binary_splits=True)
    sky = Column("sky", ("sun", "light rain", "fog"))
    two_way = stump(sky, [[1, 0], [0, 1]], kind=[3, 0, 0], set_start=[0, 1, 1, 1], set_values=[1])
    assert to_text(two_way, "weka").splitlines()[3:5] == ["sky = light rain: c0 (1.0)", "sky != light rain: c1 (1.0)"]


def test_a_single_leaf_as_weka_prints_it():
    assert to_text(leaf_tree([3, 1], ["a", "b"]), "weka").splitlines()[1:3] == ["-" * 18, ": a (4.0/1.0)"]


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (0.0, "0.0"), (50.0, "50.0"), (2.36, "2.36"), (0.001, "0.001"), (0.00099, "9.9E-4"), (1e-5, "1.0E-5"),
        (9999999.0, "9999999.0"), (1e7, "1.0E7"), (12345678.9, "1.23456789E7"), (1.5e300, "1.5E300"),
        (-0.25, "-0.25"), (100.0, "100.0"), (5e-324, "4.9E-324"), (0.05, "0.05"),
    ],
)  # fmt: skip
def test_java_doubles(value, printed):
    assert java_double(value) == printed


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_java_doubles_read_back(value):
    printed = java_double(value)
    assert float(printed) == value
    assert re.fullmatch(r"-?\d+\.\d+(E-?\d+)?", printed)
    assert ("E" in printed) == (value != 0 and not 1e-3 <= abs(value) < 1e7)


@given(st.floats(-1e8, 1e8) | st.integers(-(10**9), 10**9).map(lambda i: i / 128))
def test_java_decimals_round_half_to_even(value):
    expected = format(Decimal(value).quantize(Decimal("0.000001"), ROUND_HALF_EVEN), "f").rstrip("0").rstrip(".")
    assert java_decimal(value) == expected


def test_java_decimals_of_large_numbers_do_not_show_binary_noise():
    assert java_decimal(123456789012.1) == "123456789012.1"
    assert java_decimal(1.25e25) == "12500000000000000000000000"
