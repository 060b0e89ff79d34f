"""Constraints: read, checked, written, and matched with a table by names."""

from __future__ import annotations

import json

import pytest

from clearwood.conditions import Kind
from clearwood.constraints import Constraints, Demand, ForcedTest
from clearwood.table import Column

COLUMNS = [Column("age"), Column("dose"), Column("sky", ("sun", "rain", "fog"))]


def text(root, **head):
    return json.dumps({"format": "clearwood-constraints", "version": 1, "root": root} | head)


def test_every_kind_of_test_is_read_and_written():
    weights = [["age", 0.5], ["sky", -2, "fog"], ["sky", 1, "sun"]]
    root = {
        "forbid": ["dose"],
        "test": {"feature": "age", "at_most": 30},
        "branches": {
            "yes": {
                "test": {"feature": "sky", "values": ["sun", "fog"], "missing": "no"},
                "branches": {"no": {"leaf": True}},
            },
            "no": {
                "test": {"feature": "sky", "each": True},
                "branches": {"rain": {"test": {"weights": weights, "at_most": 1.5}}},
            },
        },
    }
    constraints = Constraints.from_json(text(root, target="ill"))
    constraints.check(COLUMNS, "ill")
    below = constraints.root.branches
    assert constraints.root.test.kind == Kind.THRESHOLD and below["yes"].test.kind == Kind.SUBSET
    assert below["no"].test.kind == Kind.BRANCHES and below["no"].branches["rain"].test.kind == Kind.LINEAR
    assert below["no"].branches["rain"].test.weights == (("age", 0.5), ("sky", -2.0, "fog"), ("sky", 1.0, "sun"))
    assert below["no"].branches["rain"].test.terms == (("age", 0.5, None), ("sky", -2.0, "fog"), ("sky", 1.0, "sun"))
    assert below["yes"].test.missing == "no" and below["yes"].branches["no"].leaf
    assert Constraints.from_json(constraints.to_json()) == constraints
    assert json.loads(constraints.to_json())["root"] == root


def test_nothing_demanded_is_fine():
    assert Constraints.from_json(text({})) == Constraints()
    Constraints().check(COLUMNS)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("{", "not JSON"),
        ("[]", "must be an object"),
        ('{"format": "clearwood-tree"}', "format"),
        (text({}, version=2), "version must be 1"),
        (text({}, extra=1), "unknown field 'extra'"),
        (text({}, target=3), "target must be a string"),
        (text([]), "root: must be an object"),
        (text({"prune": True}), "root: unknown field 'prune'"),
        (text({"leaf": 1}), "leaf must be true or false"),
        (text({"forbid": "age"}), "forbid must be a list"),
        (text({"branches": {"yes": {}}}), "branches need a test"),
        (text({"leaf": True, "test": {"feature": "age", "at_most": 1}}), "cannot be a leaf and make a test"),
        (text({"test": {"feature": "age"}}), "at_most, values or each"),
        (text({"test": {"feature": "age", "at_most": 1, "values": ["a"]}}), "at_most, values or each"),
        (text({"test": {"at_most": 1}}), "must name a feature"),
        (text({"test": {"feature": "age", "at_most": True}}), "at_most must be a finite number"),
        (text({"test": {"feature": "age", "at_most": 1e999}}), "at_most must be a finite number"),
        (text({"test": {"feature": "sky", "values": []}}), "at least one value"),
        (text({"test": {"weights": [["age", 0]], "at_most": 1}}), "none may be 0"),
        (text({"test": {"weights": [["age", 1], ["age", 2]], "at_most": 1}}), "different features"),
        (text({"test": {"weights": [["sky", 1, "a"], ["sky", 2, "a"]], "at_most": 1}}), "different features or values"),
        (text({"test": {"weights": [["sky", 1, 0]], "at_most": 1}}), "list of pairs"),
        (text({"test": {"weights": [["sky", 1, "a", "b"]], "at_most": 1}}), "triples of a nominal feature"),
        (text({"test": {"weights": {"age": 1}, "at_most": 1}}), "list of pairs"),
        (text({"test": {"feature": "age", "at_most": 1, "missing": 0}}), "missing must be the name"),
        (text({"test": {"feature": "age", "at_most": 1}, "branches": {"yes": {"leaf": 0}}}), "root, yes: leaf"),
    ],
)
def test_what_is_not_sound_is_refused_with_its_place(given, complaint):
    with pytest.raises(ValueError, match=complaint):
        Constraints.from_json(given)


def test_deep_nesting_is_refused():
    level = '{"test": {"feature": "age", "at_most": 1}, "branches": {"yes": '
    deep = text("DEEP").replace('"DEEP"', level * 502 + "{}" + "}}" * 502)
    with pytest.raises(ValueError, match="nested"):
        Constraints.from_json(deep)
    with pytest.raises(ValueError, match="nested"):
        Constraints.from_json('{"a":' * 100_000)


@pytest.mark.parametrize(
    ("demand", "complaint"),
    [
        (Demand(forbid=("name",)), "no feature 'name'"),
        (Demand(ForcedTest("sky", 1.0)), "'sky' is nominal"),
        (Demand(ForcedTest("age", values=("sun",))), "'age' is numeric"),
        (Demand(ForcedTest("sky", values=("snow",))), "'snow' is no value of 'sky'"),
        (Demand(ForcedTest("age", 1.0, missing="maybe")), "missing must be the name of a branch"),
        (Demand(ForcedTest("age", 1.0), branches={"left": Demand()}), "no branch 'left'"),
        (
            Demand(ForcedTest("age", 1.0), branches={"no": Demand(forbid=("x",))}),
            "root, no: the table has no feature 'x'",
        ),
        (Demand(ForcedTest(weights=(("sky", 1.0),), at_most=1.0)), "'sky' is nominal"),
        (Demand(ForcedTest(weights=(("age", 1.0, "old"),), at_most=1.0)), "'age' is numeric"),
        (Demand(ForcedTest(weights=(("sky", 1.0, "snow"),), at_most=1.0)), "'snow' is no value of 'sky'"),
    ],
)
def test_names_that_the_table_lacks_are_refused_with_their_place(demand, complaint):
    with pytest.raises(ValueError, match=complaint):
        Constraints(demand).check(COLUMNS)


def test_another_target_is_refused():
    with pytest.raises(ValueError, match="for the target 'ill'"):
        Constraints(target="ill").check(COLUMNS, "well")
