"""PMML is sound XML, and another program's scorer says what the tree says where it promises to."""

import shutil
from xml.etree import ElementTree

import numpy as np
import pytest
from random_trees import random_table, random_tree
from row_dicts import row_dicts
from sample_trees import asking_table, asking_tree, chain, iris_tree, plane_tree, stump, weather_tree

from clearwood.export.pmml import to_pmml
from clearwood.table import Column, Table
from clearwood.tree_builder import TreeBuilder

NS = "{http://www.dmg.org/PMML-4_4}"


@pytest.fixture(scope="module")
def scorer():
    pypmml = pytest.importorskip("pypmml")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    yield pypmml.Model
    pypmml.PMMLContext.shutdown()


def answers(scorer, tree, table):
    """The class and probabilities of each row; None without a prediction."""
    model = scorer.fromString(to_pmml(tree))
    rows = []
    for row in row_dicts(table, "never seen"):
        told = model.predict(row)
        label = told[f"predicted_{tree.target}"]
        chances = [told[f"probability_{c}"] for c in tree.classes] if label is not None else None
        rows.append((label, chances))
    return rows


def assert_alike(scorer, tree, table):
    ends, chances, predicted = tree.apply(table), tree.predict_proba(table), tree.predict(table)
    for row, (label, told) in enumerate(answers(scorer, tree, table)):
        if ends[row] < 0:
            assert label is None  # shared out: no prediction
        else:
            assert label == tree.classes[predicted[row]]
            np.testing.assert_allclose(told, chances[row], rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_another_program_agrees(scorer, seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, 9, directed=0.0 if seed % 2 else 1.0, laplace=seed > 5, nominal_terms=0.5 * (seed > 3))
    assert_alike(scorer, tree, random_table(rng, tree, 40, missing=0.1 * (seed % 2)))


def test_levels_dates_and_planes(scorer):
    assert_alike(
        scorer, weather_tree(), Table(weather_tree().columns, [[0, 1, 2], [1.0] * 3, [70.0, 80, 90], [0, 1, 0]])
    )
    planes = plane_tree(missing=[-1] * 5)
    assert_alike(scorer, planes, Table(planes.columns, [[1.0, 2.0], [2.5, 9.0], [0, 1]]))
    sizes = stump(Column("size", levels=("S", "M", "L")), [[2, 0], [0, 3]], threshold=[1.0, np.nan, np.nan])
    assert_alike(scorer, sizes, Table(sizes.columns, [[0.0, 1.0, 2.0]]))


@pytest.mark.parametrize("missing", [-1, 0, 1])
def test_sums_that_ask_for_values(scorer, missing):
    """A missing value, and one that the tree does not know, is none of those asked for; a missing number is missing."""
    tree = asking_tree(missing)
    assert_alike(scorer, tree, asking_table(tree))
    asked = ElementTree.fromstring(to_pmml(tree)).findall(f".//{NS}NormDiscrete")
    assert len(asked) == 7 and {term.get("mapMissingTo") for term in asked} == {"0"}


def test_columns_called_like_sums(scorer):
    build = TreeBuilder([Column("clearwood sum 1"), Column("clearwood sum_", ("x", "y"))], ["a", "b"])
    plane = {"clearwood sum 1": 1.0, ("clearwood sum_", "y"): -2.0}
    tree = build.build(build.linear(plane, 0.5, [build.leaf([3, 1]), build.leaf([0, 3])], missing=0))
    assert_alike(scorer, tree, Table(tree.columns, [[0.0, 1.0, 2.0, 3.0], [0, 0, 1, 1]]))


def test_the_document_has_every_node_once_and_names_stay_names():
    root = ElementTree.fromstring(to_pmml(iris_tree()))
    assert sorted(int(n.get("id")) for n in root.iter(f"{NS}Node")) == list(range(9))
    evil = Column('<a b="c">&', ("x<y", '"q"', "z"))
    tree = stump(evil, [[1, 0], [0, 1], [1, 1]], ["<", ">"])
    assert ElementTree.fromstring(to_pmml(tree)).find(f".//{NS}DataField").get("name") == evil.name


def test_a_tree_that_is_too_deep_is_refused():
    with pytest.raises(ValueError, match="prune the tree first"):
        to_pmml(chain(500))
