"""What would have to change for another answer: fewest features, then the shortest way."""

import math

import numpy as np
import pytest
from sample_trees import iris_tree, leaf_tree, plane_tree, random_table, random_tree, weather_tree

from clearwood.explain.change import nearest_other
from clearwood.table import Table


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
        if told:
            named = [column.name for column in tree.columns if column.name in told]
            unmet = []
            for rule in others:
                broken = set()
                for c in rule.conditions:
                    features = c.plane.features if c.plane else (c.feature,)
                    weights = c.plane.weights if c.plane else (1.0,)
                    value = sum(w * row.column(f)[0] for f, w in zip(features, weights, strict=True))
                    if not (value in c.values if c.values is not None else c.lower < value <= c.upper):
                        broken |= set(features)
                unmet.append(len(broken))
            assert len(named) == min(unmet)
