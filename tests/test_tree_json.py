"""JSON of a tree: reads back the same, and nothing that is not a sound tree gets through."""

import copy
import json
import math

import numpy as np
import pytest
from counted_work import calls
from hypothesis import given, settings
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

from clearwood import tree_json
from clearwood.conditions import Kind
from clearwood.table import Column, Table
from clearwood.tree import Tree
from clearwood.tree_json import dump, load


def two_way_tree():
    """Every kind of test, bags of their own, and a class that never occurs."""
    return Tree(
        columns=[Column("sky", ("sun", "rain", "fog")), Column("age"), Column("sex", ("f", "m"))],
        classes=["a", "b", "never"],
        target="out",
        laplace=True,
        learner="test",
        kind=[Kind.SUBSET, Kind.THRESHOLD, Kind.BRANCHES, 0, 0, 0, 0],
        feature=[0, 1, 2, -1, -1, -1, -1],
        threshold=[math.nan, 0.1 + 0.2, *[math.nan] * 5],
        first_child=[1, 3, 5, -1, -1, -1, -1],
        n_children=[2, 2, 2, 0, 0, 0, 0],
        empty=[False] * 6 + [True],
        set_start=[0, 2] + [2] * 6,
        set_values=[0, 2],
        counts=[[3, 4, 0], [1 / 3, 1, 0], [8 / 3, 3, 0], [1 / 3, 0, 0], [0, 1, 0], [8 / 3, 3, 0], [0, 0, 0]],
        bags=[[3, 4, 0], [0.3, 1, 0], [8 / 3, 3, 0], [1 / 3, 0, 0], [0, 1, 0], [8 / 3, 3, 0], [0, 0, 0]],
    )


def same(first, second):
    """Equal in everything, the types of the classes and the learner included."""
    types = [type(label) for label in first.classes] == [type(label) for label in second.classes]
    return first == second and types and first.learner == second.learner


# -- there and back -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tree", [iris_tree(), weather_tree(), two_way_tree(), plane_tree(), leaf_tree([0.1, 2], ["a", "b"])]
)
def test_reads_back_the_same(tree):
    text = dump(tree)
    assert same(load(text), tree)
    assert dump(load(text)) == text
    assert same(load(text.encode()), tree) and same(load("\ufeff" + text), tree)
    assert same(Tree.from_json(tree.to_json()), tree)


@pytest.mark.parametrize("seed", range(20))
def test_random_trees_read_back_and_predict_the_same(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, missing=0.3)
    tree = random_tree(rng, table, laplace=bool(seed % 2))
    back = load(dump(tree))
    assert same(back, tree)
    assert np.array_equal(back.predict_proba(table), tree.predict_proba(table))


@given(
    names=st.lists(st.text(), min_size=1, max_size=4, unique=True),
    values=st.lists(st.text(), max_size=5, unique=True),
    classes=st.lists(st.text(), min_size=2, max_size=2, unique=True)
    | st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=2, unique=True)
    | st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2, unique=True)
    | st.just([False, True]),
    cut=st.floats(allow_nan=False, allow_infinity=False),
    weights=st.lists(st.floats(0, 1e300), min_size=4, max_size=4),
)
def test_any_names_and_numbers_read_back(names, values, classes, cut, weights):
    columns = [Column(names[0]), *(Column(name, tuple(values)) for name in names[1:])]
    leaves = [[1.0, weights[0]], [weights[1], weights[2]]]
    tree = stump(columns[0], leaves, classes, columns=columns, threshold=[cut, math.nan, math.nan], target=names[0])
    back = load(dump(tree))
    assert same(back, tree)
    assert back.threshold[0].hex() == tree.threshold[0].hex()


def test_numpy_labels_become_plain_ones():
    tree = leaf_tree([1, 2], list(np.array([3, 4])))
    assert load(dump(tree)) == tree and type(load(dump(tree)).classes[0]) is int


def test_bags_and_sets_are_written_only_where_they_say_something():
    assert {"bags", "sets"}.isdisjoint(json.loads(dump(iris_tree())))
    assert {"bags", "sets"} <= json.loads(dump(two_way_tree())).keys()


def test_a_tree_that_older_releases_can_read_is_written_for_them():
    documents = [json.loads(dump(tree)) for tree in (iris_tree(), two_way_tree(), plane_tree())]
    assert [document["version"] for document in documents] == [1, 1, 2]
    assert {"weights", "missing"}.isdisjoint(documents[1].keys())
    assert documents[2]["weights"] == [[[1, 0.8], [0, -0.2]], None, None, None, None]
    assert documents[2]["missing"] == [1, -1, 0, -1, -1]


def test_a_sum_that_asks_for_values_needs_version_five():
    tree = asking_tree().remarked("made up")
    document = json.loads(dump(tree))
    assert document["version"] == 5
    assert document["weights"][0] == [[1, -2, 1], [0, 0.1], [1, 2, 3], [2, -1, 0]]
    assert load(dump(tree)) == tree


def test_a_direction_alone_needs_version_two():
    document = json.loads(dump(stump(Column("x"), [[1, 0], [0, 1]], missing=[1, -1, -1])))
    assert document["version"] == 2 and "weights" not in document and document["missing"] == [1, -1, -1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weight_start": [0, 1, 2, 2, 2, 2]}, "weights must be absent where the test is not linear"),
        ({"weight_start": [0, 3, 3, 3, 3, 3]}, "weight_start must rise from 0 to the 2 weights"),
        ({"weight_start": [0, 2]}, r"weight_start must have the shape \(6,\), got \(2,\)"),
        ({"weight_features": [0]}, r"weight_features must have the shape \(2,\), got \(1,\)"),
        ({"weight_values": [math.nan, 1.0]}, "weights must be finite and not 0"),
        ({"missing": [1, 1]}, r"missing must have the shape \(5,\)"),
        ({"missing": [-3, -1, -1, -1, -1]}, "missing must be the number of a branch"),
    ],
)
def test_planes_and_directions_that_are_unsound_are_not_written(changes, message):
    with pytest.raises(ValueError, match=message):
        dump(plane_tree(**changes))


def test_a_deep_chain():
    tree, half = chain(5000), chain(2500)
    assert load(dump(tree)) == tree
    assert calls(lambda: load(dump(tree))) < 2.5 * calls(lambda: load(dump(half)))


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (leaf_tree([1, 2], [math.nan, 1.0]), "classes must be strings, finite numbers or bools, got nan"),
        (leaf_tree([1, 2], [None, "a"]), "classes must be strings, finite numbers or bools, got None"),
        (leaf_tree([math.nan, 2], ["a", "b"]), "counts must be finite"),
        (leaf_tree([1, 2], ["a", "\ud800"]), "classes must be valid Unicode"),
        (stump(Column("x"), [[1, 0], [0, 1]], threshold=[math.inf, math.nan, math.nan]), "threshold must be a finite"),
    ],
)
def test_what_cannot_be_read_back_is_not_written(tree, message):
    with pytest.raises(ValueError, match=message):
        dump(tree)


# -- forged -------------------------------------------------------------------------------------

# The nodes of the sample: 0 subset (1, 2), 1 threshold (3, 4), 2 branches (5, 6); 6 is empty.
FORGED = [
    ("format", "pickle", "format must be 'clearwood-tree', got 'pickle'"),
    ("version", 6, "version of the tree must be 1 or 2 or 3 or 4 or 5, those that this release reads, got 6"),
    ("version", True, "version of the tree must be 1 or 2"),
    ("version", 1.0, "version of the tree must be 1 or 2"),
    ("version", None, "version of the tree must be 1 or 2"),
    ("version", [1], "version of the tree must be 1 or 2.*got a list"),
    ("extra", 1, "has a field 'extra' that version 1 does not know"),
    ("missing", [-1] * 7, "has a field 'missing' that version 1 does not know"),
    ("weights", [None] * 7, "has a field 'weights' that version 1 does not know"),
    ("laplace", 1, "laplace must be true or false, got 1"),
    ("target", 5, "target must be given as strings, got 5"),
    ("learner", None, "learner must be given as strings, got None"),
    ("classes", [], "classes must hold at least one class"),
    ("classes", "abc", "classes must be a list, got a string"),
    ("classes", ["a", "b", "a"], "classes must differ from one another, but 'a' occurs more than once"),
    ("classes", ["a", "b", ["c"]], "classes must be strings, finite numbers or bools, got a list"),
    ("classes", ["a", "b", 10**30], "classes must be strings, finite numbers or bools"),
    ("classes", ["a", "b"], "counts must hold a list of 2 weights"),
    ("columns", {}, "columns must be a list, got an object"),
    ("columns", [{"name": "sky"}, {"name": "age"}, {"name": "sex"}], "feature must be a nominal column"),
    ("columns/0", ["sky"], "columns must hold objects with a name .*; item 0 is not one"),
    ("columns/1/name", "sky", "columns must differ from one another, but 'sky' occurs more than once"),
    ("columns/1/name", "\ud800", "columns must be valid Unicode"),
    ("columns/1/values", ["x"], "feature must be a numeric column for a threshold, got 1 at node 1"),
    ("columns/0/values", ["sun", "sun", "fog"], "values of column 'sky' must differ"),
    ("columns/0/values", [1, 2, 3], "values of column 'sky' must be given as strings, got 1"),
    ("columns/0/values", None, "values of column 'sky' must be a list, got null"),
    ("columns/2/values", ["f", "m", "x"], "n_children must be"),
    ("columns/2/values", [], "n_children must be"),
    ("kind", [], "must hold one item for each of the 0 nodes"),
    ("kind/0", "oblique", "kind must be one of leaf, threshold, branches, subset, linear, got 'oblique'"),
    ("kind/0", "linear", "kind must not be linear in a tree of version 1"),
    ("kind/0", 3, "kind must be one of"),
    ("kind/0", ["leaf"], "kind must be one of .* got a list"),
    ("kind/3", "threshold", "feature must be the index of one of the 3 columns, got -1 at node 3"),
    ("feature/0", 3, "feature must be the index of one of the 3 columns, got 3 at node 0"),
    ("feature/0", -2, "feature must hold whole numbers from -1"),
    ("feature/0", True, "feature must hold whole numbers from -1 .* got True"),
    ("feature/0", 1.0, "feature must hold whole numbers"),
    ("feature/0", 2**31, "feature must hold whole numbers"),
    ("feature/0", 10**100, "feature must hold whole numbers .* got an integer of more than 20 digits"),
    ("feature/3", 0, "feature must be -1 for a leaf, got 0 at node 3"),
    ("feature", [0, 1], "feature must hold one item for each of the 7 nodes, got 2"),
    ("threshold/1", None, "threshold must be a finite number, got nan at node 1"),
    ("threshold/1", "0.3", "threshold must hold numbers, got '0.3'"),
    ("threshold/1", True, "threshold must hold numbers, got True"),
    ("threshold/1", 10**400, "threshold must hold finite numbers"),
    ("threshold/0", 1.5, "threshold must be absent where the test has none, got 1.5 at node 0"),
    ("first_child/0", 0, "first_child must come after its parent, got 0 at node 0"),
    ("first_child/2", 1, "first_child must come after its parent, got 1 at node 2"),
    ("first_child/1", 1, "first_child must come after its parent, got 1 at node 1"),
    ("first_child/1", 2, "node 2 has more than one parent"),
    ("first_child/1", 5, "node 3 has no parent"),
    ("first_child/2", 6, "node 5 has no parent"),
    ("first_child/2", 2**31 - 1, "node 5 has no parent"),
    ("first_child/0", 2, "node 1 has no parent"),
    ("n_children/0", 3, "n_children must be .* got 3 at node 0"),
    ("n_children/3", 1, "n_children must be 0 for a leaf"),
    ("n_children/2", 2**31 - 1, "n_children must be"),
    ("empty/6", 1, "empty must hold true or false"),
    ("empty/1", True, "empty must be true for leaves only, got True at node 1"),
    ("sets", None, "sets must be a list, got null"),
    ("sets/0", None, "sets must hold at least one value for a subset test"),
    ("sets/0", [], "sets must hold at least one value for a subset test"),
    ("sets/0", [0, 3], "sets must hold codes of the column's declared values, which those of node 0"),
    ("sets/0", [-1, 0], "sets must hold codes of the column's declared values"),
    ("sets/0", [2, 0], "sets must hold different codes in ascending order, which that of node 0"),
    ("sets/0", [0, 0], "sets must hold different codes in ascending order"),
    ("sets/0", [False], "sets must hold whole numbers"),
    ("sets/3", [0], "sets must be absent where the test is not a subset"),
    ("counts/0/0", -1, "counts must be finite and not negative, in sum too; those of node 0 are not"),
    ("counts/2", [1, 2], "counts must hold a list of 3 weights, one for each class"),
    ("counts/2/1", None, "counts must hold numbers, got None"),
    ("counts/2/1", 10**400, "counts must hold finite numbers"),
    ("counts/2", [1e308, 1e308, 1e308], "counts must be finite and not negative, in sum too"),
    ("counts/0", [0, 0, 0], "counts must hold some weight at the root"),
    ("bags/0/0", -0.5, "bags must be finite and not negative"),
    ("bags/0", [0, 0, 0], "bags must hold some weight at the root"),
]


# The nodes of the sample: 0 linear (1, 2), 2 subset (3, 4); missing values go to 2 and 3.
FORGED_PLANES = [
    ("version", 1, "has a field 'missing' that version 1 does not know"),
    ("missing", None, "missing must be a list, got null"),
    ("missing", [1, -1], "missing must hold one item for each of the 5 nodes, got 2"),
    ("missing/0", 2, "missing must be the number of a branch of the node, or -1, got 2 at node 0"),
    ("missing/0", -2, "missing must hold whole numbers from -1"),
    ("missing/0", True, "missing must hold whole numbers"),
    ("missing/1", 0, "missing must be the number of a branch of the node, or -1, got 0 at node 1"),
    ("feature/0", 0, "feature must be -1 for a linear test, got 0 at node 0"),
    ("kind/0", "threshold", "feature must be the index of one of the 3 columns, got -1 at node 0"),
    ("n_children/0", 3, "n_children must be"),
    ("threshold/0", None, "threshold must be a finite number, got nan at node 0"),
    ("weights", {}, "weights must be a list, got an object"),
    ("weights", [], "weights must hold one item for each of the 5 nodes, got 0"),
    ("weights/0", 3, "weights must hold a list of columns and weights or null for each node"),
    ("weights/0", [], "weights must hold at least one weight for a linear test"),
    ("weights/0", None, "weights must hold at least one weight for a linear test"),
    ("weights/2", [[0, 1.0]], "weights must be absent where the test is not linear"),
    ("weights/0/0", [0], "weights must hold pairs of a column's index and its weight"),
    ("weights/0/0", "ab", "weights must hold pairs"),
    ("weights/0/0/0", 0, "weights must be of different columns or values, which those of node 0 are not"),
    ("weights/0/0/0", 2, "weights must be those of numeric columns, or of declared values of nominal ones, which"),
    ("weights/0/0/0", 3, "weights must be those of numeric columns"),
    ("weights/0/0/0", -1, "weights must be those of numeric columns"),
    ("weights/0/0/0", 2**40, "weights must hold whole numbers"),
    ("weights/0/0/0", 0.0, "weights must hold whole numbers"),
    ("weights/0/0/1", 0, "weights must be finite and not 0, which those of node 0 are not"),
    ("weights/0/0/1", None, "weights must hold numbers, got None"),
    ("weights/0/0/1", 10**400, "weights must hold finite numbers"),
]


# The nodes of the sample: 0 linear (1, 2), of which 2 is linear (3, 4); columns are a number and two nominal ones.
FORGED_VALUES = [
    ("version", 4, "weights must hold pairs of a column's index and its weight."),
    ("weights/0/0", [1, -2.0, 1, 0], "weights must hold pairs of a column's index and its weight, and for a nominal"),
    ("weights/0/0/2", 4, "weights must be those of numeric columns, or of declared values of nominal ones"),
    ("weights/0/0/2", -1, "weights must be those of numeric columns, or of declared values of nominal ones"),
    ("weights/0/0/2", 3, "weights must be of different columns or values, which those of node 0 are not"),
    ("weights/0/0/2", "sun", "weights must hold whole numbers"),
    ("weights/0/1", [0, 0.1, 0], "weights must be those of numeric columns"),
    ("weights/0/0", [1, -2.0], "weights must be those of numeric columns"),
]


def replaced(document, path, value):
    document = copy.deepcopy(document)
    *way, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    place = document
    for step in way:
        place = place[step]
    place[last] = value
    return document


@pytest.mark.parametrize(
    ("make", "path", "value", "message"),
    [
        (make, *forged)
        for make, forgeries in ((two_way_tree, FORGED), (plane_tree, FORGED_PLANES), (asking_tree, FORGED_VALUES))
        for forged in forgeries
    ],
)
def test_a_forged_field_is_named(make, path, value, message):
    document = json.loads(dump(make()))
    with pytest.raises(ValueError, match=message) as caught:
        load(json.dumps(replaced(document, path, value)))
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 250


def test_an_empty_root_is_refused():
    document = json.loads(dump(leaf_tree([1, 2], ["a", "b"])))
    with pytest.raises(ValueError, match="empty must be false for the root"):
        load(json.dumps(replaced(document, "empty/0", True)))


@pytest.mark.parametrize(
    "name", sorted(json.loads(dump(two_way_tree())).keys() - {"format", "version", "bags", "sets"})
)
def test_a_missing_field_is_named(name):
    document = json.loads(dump(two_way_tree()))
    del document[name]
    with pytest.raises(ValueError, match=f"lacks the field '{name}'"):
        load(json.dumps(document))


SOUND = dump(iris_tree())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not whole JSON"),
        ("null", "must be an object with fields, got null"),
        ("[1]", "must be an object with fields, got a list"),
        ("1e400", "must be an object with fields, got a number"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ("9" * 100_000, "an integer with too many digits"),
        (SOUND.replace("0.6", "NaN"), "must hold finite numbers, got NaN"),
        (SOUND.replace("0.6", "-Infinity"), "must hold finite numbers, got -Infinity"),
        (SOUND.replace("0.6", "1e400"), "threshold must hold finite numbers"),
        (SOUND.replace("[50, 0, 0]", "[1e999, 0, 0]"), "counts must hold finite numbers"),
        (SOUND.replace('"version": 1', '"version": 1, "version": 1'), "'version' occurs more than once"),
        (SOUND.encode("utf-16"), "must be UTF-8"),
        (b"\xff" + SOUND.encode(), "must be UTF-8, but byte 0 is not"),
        (b"\x80\x04\x95pickle", "must be UTF-8"),
        ("PK\x03\x04", "not whole JSON"),
    ],
)
def test_what_is_not_a_trees_json(text, message):
    with pytest.raises(ValueError, match=message):
        load(text)


def test_a_text_that_is_too_long_is_refused_before_it_is_parsed(monkeypatch):
    monkeypatch.setattr(tree_json, "MAX_CHARACTERS", 100)
    with pytest.raises(ValueError, match="must have at most 100 characters"):
        load(SOUND)


def test_something_other_than_text_is_a_type_error():
    with pytest.raises(TypeError, match="read from str or bytes, got dict"):
        load({})


# -- cut and fuzzed -----------------------------------------------------------------------------


def loads_or_refuses(text):
    """The tree, which must then be of use, or None after a ValueError with one sentence; anything else fails."""
    try:
        tree = load(text)
    except ValueError as error:
        refusal = error
    else:
        refusal = None
    if refusal is not None:
        assert type(refusal) is ValueError and str(refusal).endswith(".") and "\n" not in str(refusal)
        return None
    assert load(dump(tree)) == tree
    assert tree.depth < tree.n_nodes and sorted(tree.walk()) == list(range(tree.n_nodes))
    assert str(tree) and tree.to_text("weka") and tree.to_dot() and tree.importances() is not None
    assert len(tree.rules()) <= tree.n_leaves
    data = [[-1, 0 if column.n_values else -1] if column.is_nominal else [math.nan, 0.0] for column in tree.columns]
    if data:
        table = Table(tree.columns, data)
        assert np.isfinite(tree.predict_proba(table)).all() and tree.explain(table, 0) and tree.explain(table, 1)
    return tree


def test_a_text_cut_anywhere_is_refused():
    text = dump(two_way_tree()).rstrip()
    for end in range(len(text)):
        with pytest.raises(ValueError, match="not whole JSON"):
            load(text[:end])
        with pytest.raises(ValueError, match="not whole JSON"):
            load(text[:end].encode())


@pytest.mark.parametrize("make", [two_way_tree, weather_tree, plane_tree])
def test_changed_bytes(make):
    rng = np.random.default_rng(0)
    sound = dump(make()).encode()
    alphabet = b'0123456789-+.eE,:[]{}" \x00\xff\ntrufalsn\\'
    survived = 0
    for _ in range(3000):
        forged = bytearray(sound)
        for _ in range(int(rng.integers(1, 4))):
            at = int(rng.integers(len(forged)))
            change = rng.integers(3)
            if change == 0:
                forged[at] = alphabet[rng.integers(len(alphabet))]
            elif change == 1:
                del forged[at]
            else:
                forged.insert(at, alphabet[rng.integers(len(alphabet))])
        survived += loads_or_refuses(bytes(forged)) is not None
    assert 0 < survived < 2000  # letters of names may change; most else may not


def places(value, way=()):
    """The way to every value inside a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in inside:
        yield (*way, step)
        yield from places(item, (*way, step))


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 8),
    st.integers(),
    st.just(10**400),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=3),
    st.lists(st.integers(-1, 3), max_size=3),
    st.just({}),
    st.sampled_from(["leaf", "threshold", "subset", "linear"]),
)


@settings(max_examples=400)
@given(st.data())
def test_changed_structure(data):
    document = json.loads(dump(data.draw(st.sampled_from([two_way_tree(), weather_tree(), iris_tree(), plane_tree()]))))
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from(list(places(document))))
        place = document
        for step in way:
            place = place[step]
        change = data.draw(st.sampled_from(["delete", "replace", "duplicate", "swap"]))
        if change == "delete":
            del place[last]
        elif change == "replace":
            place[last] = data.draw(JUNK)
        elif isinstance(place, list) and change == "duplicate":
            place.insert(last, copy.deepcopy(place[last]))
        elif isinstance(place, list):
            place[last], place[0] = place[0], place[last]
        if not document:
            break
    loads_or_refuses(json.dumps(document))


@settings(max_examples=300)
@given(st.lists(st.integers(-1, 9), min_size=9, max_size=9), st.lists(st.integers(0, 3), min_size=9, max_size=9))
def test_forged_children_never_make_a_cycle(first_child, n_children):
    document = json.loads(SOUND)
    document["first_child"] = first_child
    loads_or_refuses(json.dumps(document))
    document["n_children"] = n_children
    loads_or_refuses(json.dumps(document))


def test_an_empty_leaf_that_holds_weight_is_refused():
    document = json.loads(dump(iris_tree()))
    document["empty"][1] = True
    with pytest.raises(ValueError, match="empty must be false for a leaf with weight"):
        load(json.dumps(document))


def test_a_test_whose_branches_hold_no_weight_is_refused():
    document = json.loads(dump(iris_tree()))
    document["bags"] = [list(row) for row in document["counts"]]
    document["bags"][1] = document["bags"][2] = [0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match="bags must hold some weight in a branch of each test"):
        load(json.dumps(document))


def test_a_leaf_that_says_nothing_is_refused():
    document = json.loads(dump(iris_tree()))
    document["counts"][1] = [0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match="counts must hold some weight at each leaf"):
        load(json.dumps(document))


def test_the_data_and_the_accuracy_are_kept_by_version_4():
    tree = iris_tree().with_facts(data="iris", accuracy="94.7 % right in 10-fold cross-validation")
    document, again = json.loads(dump(tree)), load(dump(tree))
    assert document["version"] == 4 and again == tree
    assert (again.data, again.accuracy) == (document["data"], document["accuracy"]) == (tree.data, tree.accuracy)
    assert tree.with_facts(data="other").accuracy == tree.accuracy and "data" not in json.loads(dump(iris_tree()))
    for name in ("data", "accuracy"):
        with pytest.raises(ValueError, match=name):
            load(json.dumps(document | {name: 3}))


def test_remarks_and_spreads_are_kept_by_version_4():
    tree = plane_tree().remarked("3 rows were held back.").with_spread([1.5, 2.0, np.nan])
    document = json.loads(dump(tree))
    assert (document["version"], document["remark"]) == (4, "3 rows were held back.")
    assert document["spread"] == [1.5, 2, None]
    again = load(dump(tree))
    assert again == tree and again.remark == tree.remark
    np.testing.assert_array_equal(again.spread, tree.spread)
    for spread, message in (
        ([1.0], "one item for each of the 3 columns"),
        ([1, -2, None], "not be negative"),
        (["a", 1, 1], "numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            load(json.dumps(document | {"spread": spread}))
