"""Trees put together node by node."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import random_columns, random_tree
from sample_trees import iris_tree, plane_tree, weather_tree

from clearwood.conditions import Kind
from clearwood.table import Column
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder


def rebuilt(tree: Tree, rng: np.random.Generator) -> Tree:
    """The same tree through a builder, its nodes made in a random order that has children first."""
    build = TreeBuilder(tree.columns, tree.classes, target=tree.target, laplace=tree.laplace, learner=tree.learner)
    made: dict[int, int] = {}
    while 0 not in made:
        ready = [n for n in range(tree.n_nodes) if n not in made and all(c in made for c in tree.children(n))]
        node = int(rng.choice(ready))
        children = [made[child] for child in tree.children(node)]
        more = {"counts": tree.counts[node], "bag": tree.bags[node], "missing": int(tree.missing[node])}
        kind, feature, cut = tree.kind[node], int(tree.feature[node]), float(tree.threshold[node])
        if kind == Kind.LEAF:
            made[node] = build.leaf(tree.counts[node], bag=tree.bags[node])
        elif kind == Kind.THRESHOLD:
            made[node] = build.threshold(tree.columns[feature].name, cut, children, **more)
        elif kind == Kind.BRANCHES:
            made[node] = build.branches(feature, children, **more)
        elif kind == Kind.SUBSET:
            made[node] = build.subset(feature, tree.subset(node), children, **more)
        else:
            plane = tree.plane(node)
            about = [f if code < 0 else (f, code) for f, code in zip(plane.features, plane.codes, strict=True)]
            made[node] = build.linear(dict(zip(about, plane.weights, strict=True)), cut, children, **more)
    return build.build(made[0])


def breadth_first(tree: Tree) -> list[int]:
    order = [0]
    for node in order:
        order.extend(tree.children(node))
    return order


@given(st.integers(0, 2**32))
@settings(max_examples=60)
def test_any_tree_can_be_put_together(seed):
    rng = np.random.default_rng(seed)
    nominal_terms = float(rng.choice([0.0, 0.5]))
    tree = random_tree(rng, int(rng.integers(1, 15)), random_columns(rng, 4), empty=0.3, nominal_terms=nominal_terms)
    again = rebuilt(tree, rng)
    order = breadth_first(tree)
    for name in ("kind", "feature", "threshold", "n_children", "missing", "empty", "counts", "bags"):
        assert np.array_equal(getattr(again, name), getattr(tree, name)[order], equal_nan=name == "threshold")
    for node, old in enumerate(order):
        assert again.subset(node) == tree.subset(old) and again.plane(node) == tree.plane(old)
    assert breadth_first(again) == list(range(tree.n_nodes))


@pytest.mark.parametrize("tree", [iris_tree(), plane_tree(), weather_tree()])
def test_a_tree_numbered_breadth_first_comes_back_the_same(tree):
    assert rebuilt(tree, np.random.default_rng(0)) == tree


def test_an_inner_node_holds_what_its_children_do():
    build = TreeBuilder([Column("x"), Column("sky", ("sun", "rain"))], ["a", "b"])
    low = build.subset("sky", ["rain"], [build.leaf([1, 2]), build.leaf([0, 0])], missing=1)
    tree = build.build(build.linear({"x": 2.0, 1: 0.0}, 1.5, [low, build.leaf([3, 0])]))
    assert tree.counts.tolist() == [[4, 2], [1, 2], [3, 0], [1, 2], [0, 0]]
    assert tree.empty.tolist() == [False] * 4 + [True]
    assert tree.subset(1) == (1,) and tree.plane(0).features == (0,)


def wrong(how: str) -> None:
    build = TreeBuilder([Column("x"), Column("sky", ("sun", "rain"))], ["a", "b"])
    one, two = build.leaf([1, 0]), build.leaf([0, 1])
    if how == "counts":
        build.leaf([1, 2, 3])
    elif how == "name":
        build.threshold("y", 1.0, [one, two])
    elif how == "value":
        build.subset("sky", ["snow"], [one, two])
    elif how == "stranger":
        build.threshold("x", 1.0, [one, 7])
    elif how == "shared":
        build.threshold("x", 1.0, [build.threshold("x", 0.0, [one, two]), one])
    elif how == "childless":
        build.threshold("x", 1.0, [])
    elif how == "nominal":
        build.build(build.linear({"sky": 1.0}, 1.0, [one, two]))
    elif how == "weightless":
        build.build(build.linear({"x": 0.0}, 1.0, [one, two]))
    else:
        build.build(build.threshold("x", 1.0, [one, two], missing=2))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("counts", "counts must hold one weight for each of the 2 classes"),
        ("name", "feature must be one of x, sky, got 'y'"),
        ("value", "values must be among those of 'sky', got 'snow'"),
        ("stranger", "a node must be one of the 2 made so far, got 7"),
        ("shared", "children must not have another parent already, but node 0 has one"),
        ("childless", "children must name at least one node"),
        ("nominal", "weights must be those of numeric columns"),
        ("weightless", "weights must hold at least one weight for a linear test"),
        ("missing", "missing must be the number of a branch of the node, or -1, got 2 at node 0"),
    ],
)
def test_what_makes_no_tree_is_named(how, message):
    with pytest.raises(ValueError, match=message):
        wrong(how)


def test_values_of_nominal_features_are_weighed_by_name_or_code():
    build = TreeBuilder([Column("x"), Column("sky", ("sun", "rain", "fog"))], ["a", "b"])
    terms = {("sky", "rain"): 2.0, "x": 0.5, (1, 2): -1.0, ("sky", "sun"): 0.0}
    tree = build.build(build.linear(terms, 1.0, [build.leaf([3, 0]), build.leaf([0, 3])], missing=1))
    plane = tree.plane(0)
    assert (plane.features, plane.codes, plane.weights) == ((1, 0, 1), (1, -1, 2), (2.0, 0.5, -1.0))
    assert (plane.numbers, tree.features, tree.tested(0)) == ((0,), ("x", "sky"), (1, 0))
    rows = [{"x": 0, "sky": "rain"}, {"x": 3, "sky": "fog"}, {"x": 3, "sky": None}, {"x": None, "sky": "sun"}]
    assert tree.predict(rows).tolist() == [1, 0, 1, 1]  # without a sky none of its values counts; without x, missing


def test_a_sum_of_values_alone_never_lacks_anything():
    build = TreeBuilder([Column("sky", ("sun", "rain"))], ["a", "b"])
    tree = build.build(build.linear({("sky", "rain"): 1.0}, 0.5, [build.leaf([3, 0]), build.leaf([0, 3])], missing=1))
    assert tree.predict([{"sky": "rain"}, {"sky": "sun"}, {"sky": None}]).tolist() == [1, 0, 0]
    assert str(tree.condition(0, 1)) == "(sky = rain) > 0.5"


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({("sky", "hail"): 1.0}, "values must be among those of 'sky', got 'hail'"),
        ({("sky",): 1.0}, "weights must be of a feature, or of a nominal feature and a value, got"),
        ({("sky", 7): 1.0}, "weights must be those of numeric columns, or of declared values of nominal ones"),
        ({("x", 0): 1.0}, "weights must be those of numeric columns, or of declared values of nominal ones"),
        ({("sky", 1): 1.0, ("sky", "rain"): 2.0}, "weights must be of different columns or values"),
    ],
)
def test_values_that_there_are_not_are_refused(terms, message):
    build = TreeBuilder([Column("x"), Column("sky", ("sun", "rain"))], ["a", "b"])
    with pytest.raises(ValueError, match=message):
        build.build(build.linear(terms, 1.0, [build.leaf([3, 0]), build.leaf([0, 3])]))
