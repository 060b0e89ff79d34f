"""What would have to change for another answer: fewest features, then the shortest way."""

import math
import re

import numpy as np
import pytest
from nominal_planes import sky_tree, with_nominal_terms
from sample_trees import iris_tree, leaf_tree, plane_tree, random_table, random_tree, weather_tree

from clearwood.explain.change import nearest_other
from clearwood.explain.value_choices import least_choice
from clearwood.table import Column, Table
from clearwood.tree_builder import TreeBuilder


def row_of(tree, *cells):
    return Table(tree.columns, [[cell] for cell in cells])


def test_the_nearest_of_several_leaves_with_one_change():
    tree = iris_tree()
    assert nearest_other(tree, row_of(tree, 5.9, 3.2, 4.8, 1.8)) == (
        "It would be Iris-versicolor if petalwidth were above 0.6 and at most 1.7."
    )
    assert nearest_other(tree, row_of(tree, 5.0, 3.0, 1.4, 0.2)) == (
        "It would be Iris-versicolor if petalwidth were above 0.6 and at most 1.7."
    )


def test_values_planes_and_gaps():
    tree = weather_tree()
    assert nearest_other(tree, row_of(tree, 1, 20.0, 70.0, 0)) == "It would be no if outlook were rainy."
    assert nearest_other(tree, row_of(tree, 0, 20.0, math.nan, 0)) == "It would be yes if outlook were overcast."
    assert nearest_other(plane_tree(), row_of(plane_tree(), 0.0, 1.0, 1)) == (
        "It would be b if 0.8·width − 0.2·length were above 2.1."
    )
    below = plane_tree(threshold=[-2.1, *[math.nan] * 4])
    assert nearest_other(below, row_of(below, 0.0, -4.0, 1)) == (
        "It would be b if 0.8·width − 0.2·length were above −2.1."
    )
    assert nearest_other(leaf_tree([1, 2], ["a", "b"]), row_of(leaf_tree([1, 2], ["a", "b"]), 3.0)) == ""


@pytest.mark.parametrize("seed", range(15))
def test_no_leaf_with_another_class_needs_fewer_changes(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60, missing=0.0)
    tree = random_tree(rng, table)
    for i in range(8):
        row = table.take([i])
        told = nearest_other(tree, row)
        code = int(tree.predict(row)[0])
        others = [rule for rule in tree.rules() if rule.code != code and not any(c.is_empty for c in rule.conditions)]
        assert bool(told) == bool(others)
        cells = [row.column(f)[0].item() for f in range(5)]
        needed = []
        for rule in others:
            changed = least_choice(rule.conditions, cells).features
            if not rule.conditions or all(c.plane is None for c in rule.conditions):
                broken = {c.feature for c in rule.conditions if not holds(c, cells[c.feature])}
                assert changed == broken
            needed.append(len(changed))
        if told:
            named = [column.name for column in tree.columns if column.name in told]
            # a sum is told with all its terms, also where one number of it moves
            assert len(named) >= min(needed) if "·" in told else len(named) == min(needed)


def holds(condition, cell):
    return cell in condition.values if condition.values is not None else condition.lower < cell <= condition.upper


def test_another_value_changes_a_sum():
    tree = sky_tree()
    assert tree.predict(row_of(tree, 1.0, 0)).tolist() == [0]
    # rain would lift the sum too, but with rain it is "go" on both sides
    assert nearest_other(tree, row_of(tree, 1.0, 0)) == (
        "It would be stay if 2·(sky = rain) + 0.1·wind − (sky = fog) were above 0.5."
    )
    build = TreeBuilder(tree.columns, tree.classes)
    terms = {("sky", "rain"): 2.0, "wind": 0.1, ("sky", "fog"): -1.0}
    tree = build.build(build.linear(terms, 0.5, [build.leaf([6, 1]), build.leaf([1, 6])]))
    assert nearest_other(tree, row_of(tree, 1.0, 0)) == "It would be stay if sky were rain."
    assert nearest_other(tree, row_of(tree, 1.0, -1)) == "It would be stay if sky were rain."
    assert nearest_other(tree, row_of(tree, 1.0, 1)) == "It would be go if sky were one of {sun, fog, hail}."
    assert nearest_other(tree, row_of(tree, 6.0, 1)) == "It would be go if sky were fog."
    assert nearest_other(tree, row_of(tree, math.nan, 1)) == (
        "It would be stay if 2·(sky = rain) + 0.1·wind − (sky = fog) were above 0.5."
    )


def test_a_value_and_a_number_may_both_have_to_change():
    build = TreeBuilder([Column("wind"), Column("sky", ("sun", "rain"))], ["go", "stay"])
    terms = {("sky", "rain"): 2.0, "wind": 0.1}
    far = build.linear(terms, 3.0, [build.leaf([3, 0]), build.leaf([0, 3])])
    tree = build.build(build.threshold("wind", 20.0, [far, build.leaf([4, 0])]))
    assert nearest_other(tree, row_of(tree, 1.0, 0)) == (
        "It would be stay if sky were rain and 2·(sky = rain) + 0.1·wind were above 3."
    )
    assert nearest_other(tree, row_of(tree, 30.0, 0)) == (
        "It would be stay if wind were at most 20 and sky were rain and 2·(sky = rain) + 0.1·wind were above 3."
    )


def test_a_number_that_a_sum_needs_must_be_known():
    build = TreeBuilder([Column("wind"), Column("sky", ("sun", "rain"))], ["go", "stay"])
    calm = build.linear({("sky", "rain"): -2.0, "wind": 0.1}, 0.5, [build.leaf([0, 3]), build.leaf([9, 0])])
    tree = build.build(build.threshold("wind", 5.0, [calm, build.leaf([2, 0])], missing=0))
    row = row_of(tree, math.nan, 0)
    assert tree.predict(row).tolist() == [0]
    assert nearest_other(tree, row) == "It would be stay if wind were at most 5."


def test_names_and_values_are_shown_as_they_are():
    strange = Column("<b>sky\n", ('"rain"', "snow = fog", "ä😀"))
    build = TreeBuilder([strange], ["go", "stay"])
    tree = build.build(build.linear({(strange.name, 1): 1.0}, 0.5, [build.leaf([1, 0]), build.leaf([0, 1])]))
    assert nearest_other(tree, row_of(tree, 0)) == "It would be stay if <b>sky\\n were snow = fog."
    assert nearest_other(tree, row_of(tree, 1)) == 'It would be go if <b>sky\\n were one of {"rain", ä😀}.'


def test_rows_with_the_values_named_get_the_other_answer():
    n_tried = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        table = random_table(rng, 40, missing=0.1)
        tree = with_nominal_terms(rng, random_tree(rng, table))
        for i in range(12):
            told = nearest_other(tree, table.take([i]))
            assert " if ." not in told
            if not told or re.search("above|at most", told):
                continue
            answer, wishes = re.fullmatch(r"It would be (\w) if (.*)\.", told).groups()
            rows = [[table.column(f)[i]] * 2 for f in range(5)]
            for name, values in re.findall(r"(x\d) were (v\d|one of {[^}]*})", wishes):
                codes = [int(code) for code in re.findall(r"v(\d)", values)]
                rows[int(name[1])] = [codes[0], codes[-1]]
            predicted = tree.predict(Table(table.columns, rows))
            assert [tree.classes[code] for code in predicted] == [answer] * 2
            n_tried += 1
    assert n_tried > 50
