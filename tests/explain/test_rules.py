"""Rules: one for each leaf, conditions merged."""

import json
import math

import numpy as np
import pytest
from counted_work import calls
from nominal_planes import sky_tree, with_nominal_terms
from sample_trees import chain, iris_tree, leaf_tree, plane_tree, random_table, random_tree, stump, weather_tree

from clearwood.conditions import Condition, Kind, Plane
from clearwood.explain.rules import RuleList, merge, rules, rules_to_text
from clearwood.table import Column
from clearwood.tree import Tree


def holds(condition, table):
    """The rows that satisfy a condition."""
    if condition.plane is not None:
        plane = condition.plane
        cells = np.zeros(table.n_rows)
        for feature, weight, code in zip(plane.features, plane.weights, plane.codes, strict=True):
            found = table.column(feature)
            cells = cells + weight * (found if code < 0 else found == code)
    else:
        cells = table.column(condition.column.name)
    if condition.values is not None:
        return np.isin(cells, condition.values) | ((cells < 0) & (condition.missing is True))
    known = (cells > condition.lower) & (cells <= condition.upper)
    return known | (np.isnan(cells) & (condition.missing is True))


def test_iris_in_sentences():
    short = str(rules(iris_tree())).replace("Iris-", "").splitlines()
    assert short == [
        "1. If petalwidth ≤ 0.6 then class is setosa (50 rows, confidence 100 %).",
        "2. If 0.6 < petalwidth ≤ 1.7 and petallength ≤ 4.9 then class is versicolor (48 rows, confidence 98 %).",
        "3. If petalwidth > 1.7 then class is virginica (46 rows, confidence 98 %).",
        "4. If 0.6 < petalwidth ≤ 1.5 and petallength > 4.9 then class is virginica (3 rows, confidence 100 %).",
        "5. If 1.5 < petalwidth ≤ 1.7 and petallength > 4.9 then class is versicolor (3 rows, confidence 67 %).",
    ]


def test_figures_of_a_rule():
    rule = rules(iris_tree())[1]
    assert (rule.prediction, rule.code, rule.support, rule.leaf) == ("Iris-versicolor", 1, 48.0, 5)
    assert rule.share == pytest.approx(48 / 150)
    assert rule.confidence == pytest.approx(47 / 48)
    assert rule.lift == pytest.approx(47 / 48 / (50 / 150))
    assert rule.distribution == (0.0, 47.0, 1.0)


def test_empty_leaves_have_a_rule_on_request():
    assert len(rules(weather_tree())) == 5
    found = rules(weather_tree(), include_empty=True)
    assert len(found) == 6
    assert str(found[-1]) == "If outlook = fog then play is yes (no rows, confidence 64 %)."
    assert found[-1].support == 0 and found[-1].distribution == (0.0, 0.0)


def test_a_single_leaf_is_one_rule_without_conditions():
    (rule,) = rules(leaf_tree([3, 1], ["a", "b"]))
    assert rule.conditions == () and rule.lift == 1.0
    assert str(rule) == "In every case class is a (4 rows, confidence 75 %)."


@pytest.mark.parametrize("seed", range(25))
def test_without_gaps_each_row_meets_the_rule_of_its_own_leaf_only(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, missing=0.0)
    tree = random_tree(rng, table)
    found = rules(tree, include_empty=True)
    assert len(found) == tree.n_leaves
    leaf = tree.apply(table)
    for rule in found:
        subjects = [condition.subject for condition in rule.conditions]
        assert len(set(subjects)) == len(subjects)
        member = np.ones(table.n_rows, dtype=bool)
        for condition in rule.conditions:
            member &= holds(condition, table)
        assert (member == (leaf == rule.leaf)).all()
        assert (tree.predict(table)[member] == rule.code).all()
        assert member.sum() == rule.support
    assert sum(rule.support for rule in found) == table.n_rows


@pytest.mark.parametrize("seed", range(25))
def test_with_gaps_too_the_rows_of_a_rule_are_those_that_end_in_its_leaf(seed):
    """A row that is shared out ends in no leaf, and meets no rule; one that is sent on meets the rule that says so."""
    rng = np.random.default_rng(200 + seed)
    table = random_table(rng, missing=0.3)
    tree = random_tree(rng, table)
    leaf = tree.apply(table)
    for rule in rules(tree, include_empty=True):
        member = np.ones(table.n_rows, dtype=bool)
        for condition in rule.conditions:
            member &= holds(condition, table)
        assert (member == (leaf == rule.leaf)).all()


@pytest.mark.parametrize("seed", range(10))
def test_order_and_shares_with_missing_values(seed):
    rng = np.random.default_rng(100 + seed)
    table = random_table(rng, missing=0.3)
    found = rules(random_tree(rng, table))
    keys = [(-rule.support, -rule.confidence, rule.leaf) for rule in found]
    assert keys == sorted(keys)
    assert sum(rule.share for rule in found) == pytest.approx(1)
    for rule in found:
        assert 0 < rule.confidence <= 1 and rule.support == pytest.approx(sum(rule.distribution))


def test_merging():
    age, sky = Column("age"), Column("sky", ("sun", "rain", "fog"))
    assert merge([Condition(0, age, upper=30.0), Condition(0, age, upper=20.0)]) == (Condition(0, age, upper=20.0),)
    both = merge([Condition(0, age, upper=30.0), Condition(1, sky, values=(0, 1)), Condition(0, age, lower=20.0)])
    assert [str(condition) for condition in both] == ["20 < age ≤ 30", "sky != fog"]
    assert merge([Condition(1, sky, values=(0, 1)), Condition(1, sky, values=(1, 2))]) == (
        Condition(1, sky, values=(1,)),
    )
    assert merge([Condition(1, sky, values=(0, 1, 2))]) == ()


def test_parallel_planes_merge_and_others_do_not():
    columns = (Column("width"), Column("length"))
    plane, other = Plane((0, 1), columns, (0.8, -0.2)), Plane((0, 1), columns, (0.8, 0.2))
    below = Condition(-1, plane.as_column(), upper=2.1, plane=plane, missing=True)
    above = Condition(-1, plane.as_column(), lower=-1.5, plane=plane, missing=True)
    apart = Condition(-1, other.as_column(), lower=1.0, plane=other, missing=False)
    assert [str(condition) for condition in merge([below, apart, above])] == [
        "−1.5 < 0.8·width − 0.2·length ≤ 2.1 (or one missing)",
        "0.8·width + 0.2·length > 1",
    ]


def test_what_is_left_of_contradictions_is_the_missing_value():
    age, sky = Column("age"), Column("sky", ("sun", "rain"))
    assert str(merge([Condition(0, age, upper=3.0, missing=True), Condition(0, age, lower=4.0, missing=True)])[0]) == (
        "age is missing"
    )
    assert str(merge([Condition(1, sky, values=(0, 1), missing=False)])[0]) == "sky is not missing"
    assert str(merge([Condition(1, sky, values=(), missing=True)])[0]) == "sky is missing"
    assert merge([Condition(1, sky, values=(0, 1), missing=True)]) == ()
    shared = merge([Condition(0, age, upper=3.0, missing=True), Condition(0, age, upper=2.0)])
    assert shared == (Condition(0, age, upper=2.0),)


def test_planes_and_directions_in_sentences():
    assert str(rules(plane_tree())).splitlines() == [
        "1. If 0.8·width − 0.2·length ≤ 2.1 then class is a (5 rows, confidence 80 %).",
        "2. If 0.8·width − 0.2·length > 2.1 (or one missing) and sky = rain then class is b "
        "(4 rows, confidence 100 %).",
        "3. If 0.8·width − 0.2·length > 2.1 (or one missing) and sky != rain (or missing) then class is a "
        "(3 rows, confidence 67 %).",
    ]
    conditions = json.loads(rules(plane_tree()).to_json())[2]["conditions"]
    assert conditions == [
        {"weights": {"width": 0.8, "length": -0.2}, "missing": True, "above": 2.1},
        {"feature": "sky", "missing": True, "values": ["sun", "fog"]},
    ]


def test_rules_say_how_much_the_terms_of_a_sum_matter():
    found = plane_tree(spread=[8.0, 1.0, np.nan]).rules()
    assert "−0.2·length + 0.8·width ≤ 2.1" in found[0].sentence
    assert str(found[0]) == f"{found[0].sentence} Influence of the terms: length 67 %, width 33 %."
    lines = str(found).splitlines()
    assert lines[-3:] == ["", "Influence (weight × spread) of the terms:", "  length 67 %, width 33 %"]
    assert [line.partition(". ")[2] for line in lines[:3]] == [rule.sentence for rule in found]
    assert "length 67 %, width 33 %" in found._repr_html_()
    [condition] = json.loads(found.to_json())[0]["conditions"]
    assert condition["weights"] == {"width": 0.8, "length": -0.2}
    assert condition["influence"] == pytest.approx({"width": 1 / 3, "length": 2 / 3})
    assert "Influence" not in str(plane_tree().rules())


def test_a_set_below_a_branch_intersects():
    sky = Column("sky", ("sun", "rain", "fog"))
    tree = Tree(
        columns=[sky],
        classes=["a", "b"],
        kind=[Kind.SUBSET, Kind.SUBSET, 0, 0, 0],
        feature=[0, 0, -1, -1, -1],
        threshold=[math.nan] * 5,
        first_child=[1, 3, -1, -1, -1],
        n_children=[2, 2, 0, 0, 0],
        empty=[False] * 5,
        set_start=[0, 2, 4, 4, 4, 4],
        set_values=[0, 1, 1, 2],
        counts=[[3, 3], [2, 2], [1, 1], [2, 0], [0, 2]],
    )
    assert [str(rule.conditions[0]) for rule in rules(tree)] == ["sky = rain", "sky = sun", "sky = fog"]


def test_bounds_that_differ_do_not_read_the_same():
    rule = rules(stump(Column("x"), [[1, 0], [0, 1]]))[0]
    narrow = Condition(0, Column("x"), 20.0000001, 20.0000002)
    text = str(type(rule)((narrow,), "a", 0, 1.0, 1.0, 1.0, 1.0, 1, (1.0,)))
    assert "20.0000001 < x ≤ 20.0000002" in text


def test_as_a_frame():
    pandas = pytest.importorskip("pandas")
    frame = rules(iris_tree()).to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["conditions", "prediction", "support", "share", "confidence", "lift", "leaf"]
    assert frame["support"].sum() == 150
    assert frame.loc[2, "conditions"] == "petalwidth > 1.7"
    assert list(RuleList().to_frame().columns) == list(frame.columns)


def test_as_json():
    found = json.loads(rules(weather_tree(classes=[True, False])).to_json())
    assert [rule["prediction"] for rule in found] == [True, False, True, True, False]
    assert found[0]["conditions"] == [{"feature": "outlook", "values": ["overcast"]}]
    assert {"feature": "humidity", "above": 75.0} in found[1]["conditions"]
    assert json.loads(rules(leaf_tree([1.0], list(np.array([3])))).to_json())[0]["prediction"] == 3


def test_names_with_line_ends_stay_on_one_line():
    tree = stump(Column("a\nb", ("x\ny", "z")), [[1, 0], [0, 1]], ["c\n", "d"])
    assert len(rules_to_text(rules(tree)).splitlines()) == 2


def test_a_deep_chain_takes_no_recursion_and_little_work():
    found = rules(chain(2000))
    assert len(found) == 2001 and len(str(found)) > 2001
    assert all(len(rule.conditions) <= 2 for rule in found)
    assert calls(lambda: rules(chain(2000))) < 2.5 * calls(lambda: rules(chain(1000)))


def test_a_sum_of_values_loses_no_term():
    found = sky_tree(missing=1).rules()
    assert str(found[0]) == (
        "If 2·(sky = rain) + 0.1·wind − (sky = fog) ≤ 0.5 then class is go (7 rows, confidence 86 %)."
    )
    assert str(found[1]).startswith(
        "If 2·(sky = rain) + 0.1·wind − (sky = fog) > 0.5 (or missing) and sky in {sun, fog} then class is stay"
    )
    told = json.loads(found.to_json())
    assert told[0]["conditions"] == [
        {
            "terms": [
                {"feature": "sky", "value": "rain", "weight": 2.0},
                {"feature": "wind", "weight": 0.1},
                {"feature": "sky", "value": "fog", "weight": -1.0},
            ],
            "missing": False,
            "at_most": 0.5,
        }
    ]
    known = sky_tree().with_spread([3.0, np.nan]).rules()
    assert "Influence" not in str(known) and "NaN" not in known.to_json()
    assert str(found[1]).split("If ")[1].split(" then")[0] in str(found.to_frame().to_dict())
    assert "(sky = fog)" in found._repr_html_()


@pytest.mark.parametrize("seed", range(10))
def test_each_row_meets_the_rule_of_its_own_leaf_where_sums_ask_for_values(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, 80, missing=0.1)
    tree = with_nominal_terms(rng, random_tree(rng, table))
    leaf = tree.apply(table)
    for rule in rules(tree, include_empty=True):
        met = np.ones(table.n_rows, dtype=bool)
        for condition in rule.conditions:
            met &= holds(condition, table)
        assert np.array_equal(met[leaf >= 0], leaf[leaf >= 0] == rule.leaf)
