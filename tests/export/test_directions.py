"""Which tests can lack their value is what routing says of rows in which every cell is missing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from random_trees import random_columns, random_tree

from clearwood.conditions import Condition, Kind
from clearwood.export.directions import all_directed, can_lack, takes_missing
from clearwood.table import Column, Table
from clearwood.tree_builder import TreeBuilder


@pytest.mark.parametrize("seed", range(30))
def test_all_are_directed_where_no_row_is_shared_out(seed):
    """Every path is walked by a row that lacks all: where nothing is shared out on any, each test says its branch."""
    rng = np.random.default_rng(seed)
    columns = random_columns(rng, 4)
    tree = random_tree(rng, 6, columns, linear=0.7, nominal_terms=0.8, directed=0.9, empty=0.0)
    shared = False
    for node in np.flatnonzero(tree.kind != Kind.LEAF).tolist():
        build = TreeBuilder(columns, ["a", "b", "c"])
        leaves = [build.leaf([1.0, 2.0, 3.0]) for _ in tree.children(node)]
        alone = build.build(_test(build, tree, node, leaves))
        gaps = Table(columns, [np.array([-1]) if column.is_nominal else np.array([math.nan]) for column in columns])
        lacks = alone.apply(gaps)[0] < 0
        assert lacks == (can_lack(tree, node) and tree.missing[node] < 0 and len(leaves) > 1)
        shared |= can_lack(tree, node) and tree.missing[node] < 0
    assert all_directed(tree) == (not shared)


def _test(build, tree, node, leaves):
    """The node's own test over leaves."""
    more = {"missing": int(tree.missing[node])}
    if tree.kind[node] == Kind.LINEAR:
        plane = tree.plane(node)
        terms = [f if code < 0 else (f, code) for f, code in zip(plane.features, plane.codes, strict=True)]
        return build.linear(dict(zip(terms, plane.weights, strict=True)), tree.threshold[node], leaves, **more)
    feature = int(tree.feature[node])
    if tree.kind[node] == Kind.THRESHOLD:
        return build.threshold(feature, tree.threshold[node], leaves, **more)
    if tree.kind[node] == Kind.SUBSET:
        return build.subset(feature, tree.subset(node), leaves, **more)
    return build.branches(feature, leaves, **more)


@pytest.mark.parametrize("missing", [None, False, True])
def test_only_what_can_be_missing_is_taken_so(missing):
    build = TreeBuilder([Column("x"), Column("sky", ("sun", "rain"))], ["a", "b"])
    inner = build.linear({("sky", "rain"): 1.0}, 0.5, [build.leaf([1, 0]), build.leaf([0, 1])])
    tree = build.build(build.linear({"x": 1.0, ("sky", "rain"): 1.0}, 0.5, [inner, build.leaf([0, 1])]))
    both, asked = tree.plane(0), tree.plane(1)
    assert takes_missing(Condition(0, Column("x"), upper=1.0, missing=missing)) == (missing is True)
    assert takes_missing(Condition(-1, both.as_column(), upper=1.0, plane=both, missing=missing)) == (missing is True)
    assert not takes_missing(Condition(-1, asked.as_column(), upper=1.0, plane=asked, missing=missing))
