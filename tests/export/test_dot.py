"""DOT text of a tree."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from sample_trees import (
    ODD_NAME,
    asking_tree,
    chain,
    iris_tree,
    plane_tree,
    random_table,
    random_tree,
    stump,
    weather_tree,
)

from clearwood.export.dot import to_dot
from clearwood.table import Column

NODE = re.compile(r'^  n(\d+) \[label=("(?:[^"\\]|\\.)*")((?:, \w+="[^"\\]*")*)\];$')
EDGE = re.compile(r'^  n(\d+) -> n(\d+) \[label=("(?:[^"\\]|\\.)*")\];$')


def read_dot(text):
    """The labels of nodes and edges, by the quoting rules of the language; nothing else may stand there."""
    lines = text.split("\n")
    assert lines[0] == "digraph tree {" and lines[-1] == "}"
    nodes, edges = {}, {}
    for line in lines[4:-1]:
        if found := NODE.match(line):
            nodes[int(found[1])] = unquoted(found[2])
        else:
            found = EDGE.match(line)
            assert found, line
            edges[int(found[1]), int(found[2])] = unquoted(found[3])
    return nodes, edges


def unquoted(label):
    shown = {"n": "\n", "\\": "\\", '"': '"'}
    plain = re.sub(r"\\(.)", lambda found: shown[found[1]], label[1:-1])
    assert not re.search(r"&(?!amp;)", plain)
    return plain.replace("&amp;", "&")


def test_iris():
    nodes, edges = read_dot(to_dot(iris_tree()))
    assert nodes[0] == "petalwidth\n150 rows"
    assert nodes[1] == "Iris-setosa\n50 rows, 100 %"
    assert edges[0, 1] == "≤ 0.6" and edges[0, 2] == "> 0.6"


def test_planes_and_branches_for_missing_values():
    nodes, edges = read_dot(to_dot(plane_tree()))
    assert nodes[0] == "0.8·width − 0.2·length\n12 rows" and nodes[2] == "sky\n7 rows"
    assert edges == {(0, 1): "≤ 2.1", (0, 2): "> 2.1 (or missing)", (2, 3): "!= rain (or missing)", (2, 4): "= rain"}


def test_sums_say_how_much_their_terms_matter():
    nodes, _ = read_dot(to_dot(plane_tree(spread=[8.0, 1.0, np.nan])))
    assert nodes[0] == "−0.2·length + 0.8·width\ninfluence: length 67 %, width 33 %\n12 rows"


def test_sums_that_ask_for_values_of_any_name():
    """Where spreads of values are not known, none is made up; only a number can be missing."""
    nodes, edges = read_dot(to_dot(asking_tree(1).with_spread([2.0, np.nan, np.nan])))
    shown = ODD_NAME.replace("\n", "\\n")
    for label in (nodes[0], nodes[2]):
        assert f"({shown} = " in label.replace("\n ", "") and "influence" not in label and "nan" not in label.lower()
    assert "0.1·wind" in nodes[0] and "(wet = True)" in nodes[0] and "0.25·(wet = False)" in nodes[2]
    assert edges == {(0, 1): "≤ 0.5", (0, 2): "> 0.5 (or missing)", (2, 3): "≤ 0.3", (2, 4): "> 0.3"}


def test_an_empty_leaf_is_dashed():
    nodes, _ = read_dot(to_dot(weather_tree()))
    assert nodes[4] == "yes\nno rows; as above"
    assert sum("dashed" in line for line in to_dot(weather_tree()).splitlines()) == 1


@pytest.mark.parametrize("name", ['say "hi"', "back\\slash\\", "\\N\\G", "<b>bold</b>", "{a|b}", "R&D &lt;", "a];\nb"])
def test_awkward_names_stay_names(name):
    tree = stump(Column(name, (name, "other")), [[1, 0], [0, 1]], [name, "c"])
    nodes, edges = read_dot(to_dot(tree))
    shown = name.replace("\n", "\\n")
    assert nodes == {0: f"{shown}\n2 rows", 1: f"{shown}\n1 row, 100 %", 2: "c\n1 row, 100 %"}
    assert edges == {(0, 1): f"= {shown}", (0, 2): "= other"}


@pytest.mark.parametrize("seed", range(10))
def test_every_node_and_edge_is_there_once(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, random_table(rng))
    nodes, edges = read_dot(to_dot(tree))
    assert sorted(nodes) == list(range(tree.n_nodes))
    assert sorted(edges) == sorted((int(tree.parent[n]), n) for n in range(1, tree.n_nodes))


def test_a_deep_chain():
    nodes, _ = read_dot(to_dot(chain(2000)))
    assert len(nodes) == 4001


def test_graphviz_reads_it():
    dot = shutil.which("dot")
    if dot is None:
        pytest.skip("the program dot of Graphviz is not installed")
    done = subprocess.run([dot, "-Tplain"], input=to_dot(weather_tree()), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
