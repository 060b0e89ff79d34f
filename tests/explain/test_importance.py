"""Importances of features."""

import math

import numpy as np
import pytest
from nominal_planes import sky_tree, with_nominal_terms
from sample_trees import chain, iris_tree, leaf_tree, plane_tree, random_table, random_tree, stump

from clearwood import tree_reading
from clearwood.explain.importance import importances
from clearwood.table import Column
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder


def from_sklearn(fitted, names):
    """A fitted scikit-learn tree as a Tree, renumbered level by level."""
    theirs = fitted.tree_
    order, parts = [0], {"kind": [], "feature": [], "threshold": [], "first_child": [], "n_children": [], "counts": []}
    for node in order:
        inner = theirs.children_left[node] >= 0
        parts["kind"].append(int(inner))
        parts["feature"].append(theirs.feature[node] if inner else -1)
        parts["threshold"].append(theirs.threshold[node] if inner else np.nan)
        parts["first_child"].append(len(order) if inner else -1)
        parts["n_children"].append(2 if inner else 0)
        parts["counts"].append(theirs.value[node][0] * theirs.weighted_n_node_samples[node])
        if inner:
            order += [theirs.children_left[node], theirs.children_right[node]]
    columns = [Column(name) for name in names]
    return Tree(columns=columns, classes=list(fitted.classes_), empty=[False] * len(order), **parts)


@pytest.mark.parametrize("load", ["load_iris", "load_wine", "load_breast_cancer"])
@pytest.mark.parametrize("depth", [1, 3, None])
def test_agrees_with_scikit_learn(load, depth):
    datasets = pytest.importorskip("sklearn.datasets")
    tree_module = pytest.importorskip("sklearn.tree")
    data = getattr(datasets, load)()
    weights = np.random.default_rng(0).random(len(data.target))
    fitted = tree_module.DecisionTreeClassifier(criterion="entropy", max_depth=depth, random_state=0)
    fitted.fit(data.data, data.target, sample_weight=weights)
    names = [f"x{i}" for i in range(data.data.shape[1])]
    ours = importances(from_sklearn(fitted, names))
    assert [ours[name] for name in names] == pytest.approx(fitted.feature_importances_.tolist(), abs=1e-9)


def test_every_feature_is_listed_largest_first():
    found = importances(iris_tree())
    assert list(found)[:2] == ["petalwidth", "petallength"]
    assert list(found)[2:] == ["sepallength", "sepalwidth"] and found["sepalwidth"] == 0
    assert sum(found.values()) == pytest.approx(1)


def test_nothing_removed_is_zero_for_all():
    assert importances(leaf_tree([3, 1], ["a", "b"])) == {"age": 0.0}
    assert importances(stump(Column("x"), [[3, 6], [1, 2]])) == {"x": 0.0}


@pytest.mark.parametrize("seed", range(20))
def test_they_add_up_to_one_and_none_is_negative(seed):
    rng = np.random.default_rng(seed)
    found = importances(random_tree(rng, random_table(rng, missing=0.3)))
    values = list(found.values())
    assert len(found) == 5 and min(values) >= 0 and values == sorted(values, reverse=True)
    assert sum(values) == pytest.approx(1) or sum(values) == 0


def test_the_features_of_a_plane_share_by_their_influence():
    tree = plane_tree()
    plane = tree.plane(0)
    by_name = dict(zip((column.name for column in plane.columns), plane.weights, strict=True))
    spread = [{"length": 3.0, "width": 0.5}.get(column.name, 1.0) for column in tree.columns]
    equal, found = importances(tree), importances(tree.with_spread(spread))
    assert found["length"] / found["width"] == pytest.approx(abs(3.0 * by_name["length"] / (0.5 * by_name["width"])))
    assert found["length"] + found["width"] == pytest.approx(equal["length"] + equal["width"])
    assert found["sky"] == pytest.approx(equal["sky"])


def test_the_features_of_a_plane_share_equally_where_their_spread_is_unknown():
    tree = plane_tree()
    found = importances(tree)
    single = importances(plane_tree(weight_start=[0, 1, 1, 1, 1, 1], weight_features=[1], weight_values=[0.8]))
    assert found["length"] == found["width"] == pytest.approx(single["width"] / 2)
    assert found["sky"] == pytest.approx(single["sky"]) and single["length"] == 0


def test_a_deep_chain():
    assert sum(importances(chain(2000)).values()) == pytest.approx(1)


def test_a_test_is_credited_with_the_rows_that_it_put_into_its_branches():
    """At a leaf below, rows that lack a value may weigh otherwise: that is no merit of the test."""
    build = TreeBuilder([Column("a"), Column("b")], ["no", "yes"])
    inner = build.threshold("b", 0.0, [build.leaf([6, 0]), build.leaf([0, 2])])
    tree = build.build(build.threshold("a", 0.0, [inner, build.leaf([1, 7], bag=[2, 6])]))
    of_a, of_b = _bits(8, 8) - _bits(6, 2) - _bits(2, 6), _bits(6, 2)
    assert importances(tree) == pytest.approx({"a": of_a / (of_a + of_b), "b": of_b / (of_a + of_b)})


def _bits(*weights):
    total = sum(weights)
    return sum(-weight * np.log2(weight / total) for weight in weights)


def test_a_column_with_two_values_in_a_sum_has_one_part_and_loses_none():
    tree = sky_tree()
    build = TreeBuilder([Column("wind"), Column("temperature")], tree.classes)
    below = build.threshold("temperature", 0.0, [build.leaf([3, 1]), build.leaf([0, 4])])
    twin = build.build(build.linear({"temperature": 2.0, "wind": 0.1}, 0.5, [build.leaf([6, 1]), below]))
    wanted = importances(twin)
    for spread in (None, [3.0, math.nan]):
        found = importances(tree.with_spread(spread))
        assert found == pytest.approx({"sky": wanted["temperature"], "wind": wanted["wind"]})
        assert found["wind"] > 0 and sum(found.values()) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(10))
def test_they_add_up_to_one_where_sums_ask_for_values(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, missing=0.3)
    tree = with_nominal_terms(rng, random_tree(rng, table))
    values = list(importances(tree_reading.with_spread_of(tree, table)).values())
    assert min(values) >= 0 and (sum(values) == pytest.approx(1) or sum(values) == 0)
