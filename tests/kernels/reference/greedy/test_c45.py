"""The plain C4.5 against J48's golden trees and figures, and its own promises."""

import dataclasses

import numpy as np
import pytest
from golden_records import compare, generated_names, load_records, load_table, options_to_params
from hypothesis import given
from reference_trees import c45_reference, to_tree
from small_tables import c45_params, small_tables
from weather import weather_numeric

from clearwood.kernels import reference
from clearwood.kernels.reference import C45Options
from clearwood.kernels.reference.common.rows import plain
from clearwood.kernels.reference.greedy import c45_split, criteria, pessimistic_error
from clearwood.table import Table
from clearwood.tree import Tree

# Small tables, weighted ones among them; the kernels are tried on all of them elsewhere.
GOLDEN = [name for i, name in enumerate(generated_names()) if i % 3 == 0 and i != 4]

# N, errors, then the extra errors at confidence 0.25, 0.05 and 0.1: section 16 of the specification.
EXTRA = [
    (10, 0, 1.2944943670387588, 2.5886554978867595, 2.0567176409207724),
    (10, 0.4, 1.341721220627051, 2.7746904484877746, 2.203177625024908),
    (10, 1, 1.4125615010094896, 3.0537428743892967, 2.422867601181111),
    (10, 2.5, 1.5469074938748903, 3.0830018702385376, 2.526282733260694),
    (10, 9, 0.7991963876462531, 0.9308961390335604, 0.9010764287236732),
    (10, 9.6, 0.40000000000000036, 0.40000000000000036, 0.40000000000000036),
    (1, 0, 0.75, 0.9499999992549419, 0.8999999985098839),
    (2, 1, 0.7914930432372691, 0.9293656950156011, 0.8982529484218542),
    (14, 5, 1.7611198072729675, 3.5052507146094065, 2.878602690489643),
    (46, 1, 1.5460263771184333, 3.9601921915541274, 2.9294821510300717),
    (768, 268, 9.479221449036856, 22.607406350767633, 17.665581290511795),
    (33.07, 1.12, 1.5581709160256123, 3.8918720595566363, 2.9111417663675114),
    (0.5, 0, 0.46875, 0.4987499999627471, 0.4949999998509884),
    (0.5, 0.2, 0.375, 0.3989999999701977, 0.3959999998807907),
]


@pytest.mark.parametrize("name", GOLDEN)
def test_every_setting_gives_the_golden_tree(name):
    table = load_table(name)
    for record in load_records(name):
        tree = c45_reference(table, **options_to_params(record["options"]))
        differences = compare(tree, record, table, predict=reference.predicted, predict_proba=reference.probabilities)
        assert not differences, record["options"]


CHANGES = {
    "leaves": lambda golden, humidity: golden.update(leaves=4),
    "nodes": lambda golden, humidity: golden.update(size=7),
    "split": lambda golden, humidity: humidity.update(sp=np.nextafter(75.0, 80.0)),
    "attribute": lambda golden, humidity: humidity.update(att=1),
    "bag": lambda golden, humidity: humidity["bags"][0].__setitem__(0, 2.00000001),
    "leaf": lambda golden, humidity: humidity["kids"][0]["dist"].__setitem__(0, 2.00000001),
    "empty": lambda golden, humidity: humidity["kids"][0].update(empty=True),
    "row 3": lambda golden, humidity: golden["predicted"].__setitem__(3, 1),
    "row 2": lambda golden, humidity: golden["probabilities"][2].__setitem__(0, 0.99999),
    "branches": lambda golden, humidity: golden["tree"]["kids"].pop(),
}


@pytest.mark.parametrize("expected", CHANGES)
def test_the_golden_comparison_sees_every_kind_of_difference(expected):
    table = weather_numeric()
    tree = c45_reference(table)
    golden = _record(tree, table)
    use = {"predict": reference.predicted, "predict_proba": reference.probabilities}
    assert compare(tree, golden, table, **use) == []
    CHANGES[expected](golden, golden["tree"]["kids"][0])
    (difference,) = compare(tree, golden, table, **use)
    assert expected in difference


def _record(tree: Tree, table: Table) -> dict:
    def node(i: int) -> dict:
        if tree.is_leaf(i):
            return {"leaf": True, "empty": bool(tree.empty[i]), "dist": tree.counts[i].tolist()}
        kids = tree.children(i)
        return {
            "leaf": False,
            "att": int(tree.feature[i]),
            "sp": None if np.isnan(tree.threshold[i]) else float(tree.threshold[i]),
            "bags": [tree.bags[kid].tolist() for kid in kids],
            "kids": [node(kid) for kid in kids],
        }

    return {
        "leaves": tree.n_leaves,
        "size": tree.n_nodes,
        "tree": node(0),
        "predicted": reference.predicted(tree, table).tolist(),
        "probabilities": reference.probabilities(tree, table).tolist(),
    }


@pytest.mark.parametrize(("n", "errors", "at_25", "at_5", "at_10"), EXTRA)
def test_extra_errors_are_those_of_j48(n, errors, at_25, at_5, at_10):
    for confidence, expected in [(0.25, at_25), (0.05, at_5), (0.1, at_10)]:
        assert reference.extra_errors(n, errors, confidence) == pytest.approx(expected, rel=1e-12)


def test_no_errors_are_added_above_one_half():
    assert reference.extra_errors(10, 3, 0.75) == 0
    assert reference.extra_errors(10, 3, 0.75, "c4.5") > 0


def test_release_8_gives_the_figures_of_quinlans_book():
    """Its worked example: leaves of 6, 9 and 1 rows without errors, against a leaf of 16 with one."""

    def upper(errors: float, n: float) -> float:
        return (errors + reference.extra_errors(n, errors, 0.25, "c4.5")) / n

    assert [round(upper(0, n), 3) for n in (6, 9, 1)] == [0.206, 0.143, 0.75]
    assert upper(1, 16) == pytest.approx(0.157, abs=0.002)


def test_release_8_deviations_are_its_table_and_linear_between():
    assert [pessimistic_error.deviation(level) for level in pessimistic_error.LEVELS] == pytest.approx(
        pessimistic_error.DEVIATIONS
    )
    assert pessimistic_error.deviation(0.3) == pytest.approx((0.84 + 0.25) / 2)
    assert pessimistic_error.deviation(0.7) == pytest.approx(0.125)


def test_root_candidates_of_the_weather_are_those_of_the_specification():
    data = plain(weather_numeric())
    rows, options = data.labelled(), C45Options()
    outlook = c45_split.branches_candidate(data, rows, 0, 14.0, options)
    windy = c45_split.branches_candidate(data, rows, 3, 14.0, options)
    overcast = c45_split.value_candidate(data, rows, 0, 14.0, options)
    assert (outlook.gain, outlook.ratio) == pytest.approx((0.246749819774, 0.156427562421), abs=1e-12)
    assert (windy.gain, windy.ratio) == pytest.approx((0.048127030408, 0.048848615512), abs=1e-12)
    assert (overcast.gain, overcast.ratio) == pytest.approx((0.226000244385, 0.261840874399), abs=1e-12)
    assert overcast.test.subset == {1}
    assert c45_split.numeric_candidate(data, rows, 1, 14.0, options) is None
    assert c45_split.numeric_candidate(data, rows, 2, 14.0, options) is None


@given(small_tables(missing=False, missing_class=False, weighted=False), c45_params())
def test_the_root_has_the_best_gain_of_all_tests(table, params):
    """Where gain alone decides: no test of another attribute or at another value would have been better."""
    options = C45Options(**{**params, "criterion": "gini", "binary_splits": True, "min_leaf": 1, "max_depth": 1})
    root = reference.grow_c45(table, options)
    taken = 0.0 if root.is_leaf else criteria.gini_gain(root.table.bags)
    n_classes = len(table.classes)
    for i, column in enumerate(table.columns):
        cells = table.column(i)
        for value in np.unique(cells):
            left = cells == value if column.is_nominal else cells <= value
            above = cells[~left]
            too_near = not column.is_nominal and len(above) and not value + options.min_gap < above.min()
            if too_near or min(left.sum(), len(above)) < max(1.0, 0.1 * len(cells) / n_classes):
                continue
            bags = [np.bincount(table.y[side], minlength=n_classes).tolist() for side in (left, ~left)]
            assert criteria.gini_gain(bags) <= taken + 2e-6


@given(small_tables(), c45_params())
def test_weights_are_kept_from_the_root_to_the_leaves(table, params):
    root = reference.grow_c45(table, C45Options(**params))
    used = table.y >= 0
    total = np.bincount(table.y[used], weights=table.weights[used], minlength=len(table.classes))
    assert root.table.class_weights == pytest.approx(total.tolist())
    at_leaves = np.sum([leaf.table.class_weights for leaf in root.leaves()], axis=0)
    assert at_leaves == pytest.approx(total, abs=1e-4)  # a share below 1e-6 is dropped


@given(small_tables(), c45_params())
def test_collapsing_and_pruning_never_grow_a_tree(table, params):
    options = C45Options(**params)
    grown = to_tree(reference.grow_c45(table, options), table)
    pruned = c45_reference(table, **params)
    assert pruned.n_leaves <= grown.n_leaves
    assert options.max_depth is None or grown.depth <= options.max_depth


@given(small_tables(missing=False, weighted=False, missing_class=False), c45_params())
def test_collapsing_alone_costs_no_training_error(table, params):
    params = {**params, "prune": False, "max_depth": None}
    whole = c45_reference(table, **{**params, "collapse": False})
    collapsed = c45_reference(table, **{**params, "collapse": True})
    errors = [(reference.predicted(tree, table) != table.y).sum() for tree in (whole, collapsed)]
    assert errors[0] == errors[1]


def test_a_threshold_is_a_value_of_the_whole_table_unless_asked_otherwise():
    table = weather_numeric()
    unpruned = {"prune": False, "collapse": False}
    relocated, midway = c45_reference(table, **unpruned), c45_reference(table, **unpruned, relocate=False)
    assert relocated.threshold[relocated.kind == 1].tolist() == [75.0]
    assert midway.threshold[midway.kind == 1].tolist() == [77.5]


def test_options_are_named_as_the_records_need_them():
    names = {field.name for field in dataclasses.fields(C45Options)}
    settings = "-U -O -S -B -J -A -C 0.1 -M 3"
    params = options_to_params(settings)
    assert set(params) <= names
    assert len(params) == 8
    with pytest.raises(ValueError, match="-R"):
        options_to_params("-R")
