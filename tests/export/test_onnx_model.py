"""The ONNX model gives onnxruntime's callers what the tree gives, missing cells included."""

import numpy as np
import pytest
from hypothesis import given, settings
from random_trees import random_costs, trees_with_tables
from sample_trees import asking_table, asking_tree, chain, leaf_tree, plane_tree, stump

from clearwood.export.onnx_model import to_onnx
from clearwood.table import Column, Table

pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")


def answers(tree, table, unseen=""):
    session = runtime.InferenceSession(to_onnx(tree), providers=["CPUExecutionProvider"])
    fed = {}
    for given_input in session.get_inputs():
        if given_input.name == "rows":
            fed["rows"] = np.zeros((table.n_rows, 1))
            continue
        column, cells = table.columns[table.index(given_input.name)], table.column(given_input.name)
        if column.declared is not None:
            named = [*column.declared, unseen]
            texts = [named[-1 if code != code or code < 0 else int(code)] for code in cells.tolist()]
            fed[column.name] = np.array(texts, dtype=object).reshape(-1, 1)
        else:
            fed[column.name] = cells.reshape(-1, 1)
    return session.run(["label", "probabilities"], fed)


def assert_alike(tree, table, unseen=""):
    labels, chances = answers(tree, table, unseen)
    np.testing.assert_allclose(chances, tree.predict_proba(table), rtol=0, atol=1e-12)
    assert labels.tolist() == [tree.classes[code] for code in tree.predict(table)]
    assert chances.dtype == np.float64


@settings(max_examples=25)
@given(pair=trees_with_tables(max_leaves=12))
def test_probabilities_and_labels_are_the_trees_own(pair):
    assert_alike(*pair)


@settings(max_examples=10)
@given(pair=trees_with_tables(max_leaves=12))
def test_labels_are_what_costs_least(pair):
    tree, table = pair
    assert_alike(tree.with_costs(random_costs(np.random.default_rng(1), tree.n_classes)), table)


def test_a_row_on_the_threshold_in_double_precision():
    cut = 0.1 + 0.2
    tree = stump(Column("x"), [[2, 0], [0, 3]], threshold=[cut, np.nan, np.nan])
    table = Table(tree.columns, [[cut, np.nextafter(cut, 1), np.nextafter(cut, 0), np.nan]])
    assert_alike(tree, table)
    assert answers(tree, table)[0].tolist() == ["c0", "c1", "c0", "c1"]


def test_planes_levels_truth_values_numbers_as_classes_and_one_leaf():
    table = Table(plane_tree().columns, [[1.0, 2.0, np.nan], [2.5, 9.0, 1.0], [0, 1, -1]])
    assert_alike(plane_tree(laplace=True), table)
    sizes = stump(
        Column("size", levels=("S", "M", "L")), [[2, 0], [0, 3]], classes=[3, 7], threshold=[1.0, np.nan, np.nan]
    )
    assert_alike(sizes, Table(sizes.columns, [[0.0, 1.0, 2.0, np.nan]]))
    wet = stump(Column("wet", ("false", "true")), [[2, 0], [0, 3]])
    assert_alike(wet, Table(wet.columns, [[0, 1, -1]]))
    assert_alike(leaf_tree([1, 3], ["no", "yes"]), Table(leaf_tree([1, 3], ["a", "b"]).columns, [[1.0, np.nan]]))


@pytest.mark.parametrize("missing", [-1, 0, 1])
@pytest.mark.parametrize("unseen", ["", "never seen"])
def test_sums_that_ask_for_values(missing, unseen):
    assert_alike(asking_tree(missing, laplace=True), asking_table(asking_tree()), unseen)


def test_a_deep_tree():
    tree = chain(60)
    rng = np.random.default_rng(0)
    assert_alike(tree, Table(tree.columns, rng.random((2, 50)) * 70))
    with pytest.raises(ValueError, match="too many for one graph"):
        to_onnx(chain(2000))
