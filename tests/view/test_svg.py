"""The SVG: sound XML with real text and tooltips, in which nothing overlaps, whatever the names are."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from nominal_planes import sky_tree
from sample_trees import iris_tree, plane_tree, stump, weather_tree
from sklearn.datasets import load_iris

import clearwood as cw
from clearwood.table import Column

NS = "{http://www.w3.org/2000/svg}"


def parsed(tree, **options):
    return ElementTree.fromstring(tree.to_svg(**options))


def texts(root):
    return [element.text for element in root.iter(f"{NS}text")]


def test_words_are_text_and_every_node_has_a_tooltip():
    root = parsed(iris_tree())
    assert {"petalwidth", "150 rows", "Iris-setosa", "100 % of 50 rows", "≤ 0.6", "class"} <= set(texts(root))
    assert root.find(f"{NS}title").text == "C4.5 tree for class: 5 leaves, 150 rows" == texts(root)[0]
    tips = [group.find(f"{NS}title").text for group in root.iter(f"{NS}g")]
    assert len(tips) == iris_tree().n_nodes + iris_tree().n_nodes - 1  # nodes and branches
    assert any("petalwidth ≤ 0.6\npetalwidth > 0.6\n150 rows" in tip for tip in tips)
    assert any(tip.startswith("class: Iris-versicolor\n") and "Iris-versicolor: 98 %" in tip for tip in tips)


def test_others_open_in_the_tooltip():
    sky = Column("sky", tuple(f"a rather long value {i}" for i in range(9)))
    tree = stump(sky, [[1, 0], [0, 1]], kind=[3, 0, 0], set_start=[0, 2, 2, 2], set_values=[0, 1])
    root = parsed(tree)
    assert "others" in texts(root)
    tips = [group.find(f"{NS}title").text for group in root.iter(f"{NS}g")]
    assert any(all(f"value {i}" in tip for i in range(2, 9)) for tip in tips)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", 'a"b&c', "x\n\x1by", "]]>"])
def test_names_are_only_names(name):
    tree = stump(Column(name, (name, "other")), [[1, 0], [0, 1]], [name, "c"], target=name, learner=name)
    svg = tree.to_svg()
    root = ElementTree.fromstring(svg)
    assert "<script" not in svg and "\x1b" not in svg
    assert not {element.tag for element in root.iter()} - {
        f"{NS}{t}" for t in ("svg", "title", "rect", "g", "text", "path")
    }
    assert not any(key.lower().startswith("on") or "href" in key for element in root.iter() for key in element.attrib)


@pytest.mark.parametrize("orientation", ["down", "right"])
@pytest.mark.parametrize("leaves", ["near", "aligned"])
@pytest.mark.parametrize("seed", range(4))
def test_boxes_keep_apart(orientation, leaves, seed, random_tree):
    tree = random_tree(np.random.default_rng(seed), 25, 4)
    root = parsed(tree, orientation=orientation, leaves=leaves)
    boxes = [r for g in root.iter(f"{NS}g") for r in g.findall(f"{NS}rect") if r.get("stroke")]
    spans = np.array([[float(b.get(k)) for k in ("x", "y", "width", "height")] for b in boxes])
    x0, y0 = spans[:, 0], spans[:, 1]
    x1, y1 = x0 + spans[:, 2], y0 + spans[:, 3]
    wide = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    tall = np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0)
    assert not np.triu((wide > 0.5) & (tall > 0.5), 1).any()
    width, height = (float(v) for v in root.get("viewBox").split()[2:])
    assert x0.min() >= 0 and y0.min() >= 0 and x1.max() <= width and y1.max() <= height


def test_leaves_stand_near_their_parents():
    iris = iris_tree()
    near, aligned = (parsed(iris, orientation="right", leaves=leaves) for leaves in ("near", "aligned"))

    def left_of(root, word):
        return next(float(t.get("x")) for t in root.iter(f"{NS}text") if t.text == word)

    assert left_of(near, "Iris-setosa") < left_of(aligned, "Iris-setosa") - 50


def test_all_terms_of_a_sum_are_there():
    root = parsed(plane_tree().with_spread([1.0, 2.0, np.nan]))
    assert "0.8·width − 0.2·length" in texts(root)
    assert any("influence: width 89 %, length 11 %" in (t.text or "") for t in root.iter(f"{NS}title"))
    assert "12 rows; influence 89 %, 11 %" in texts(root)


def test_a_sum_that_asks_for_values_has_no_shares_and_a_distribution():
    rows = {"wind": [1.0, 9.0, 4.0, np.nan], "sky": ["sun", "rain", "fog", "hail"], "class": ["go", "stay"] * 2}
    table = cw.read(rows, target="class")
    tree = sky_tree().with_spread([3.0, np.nan])
    plain, drawn = (parsed(tree, **options) for options in ({}, {"table": table}))
    told = " ".join(texts(plain)) + " ".join(t.text or "" for t in plain.iter(f"{NS}title"))
    assert "2·(sky = rain) + 0.1·wind − (sky = fog) ≤ 0.5" in told
    assert "influence" not in told and "nan" not in told.lower()
    assert {"−0.6", "2.9"} <= set(texts(drawn)) - set(texts(plain))  # the least and the greatest sum


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", 'a"b&c', "x\n\x1by", "]]>"])
def test_names_and_values_of_sums_are_only_names(name):
    build = cw.TreeBuilder([Column(name, (name, "other"))], ["a", "b"])
    svg = build.build(build.linear({(name, name): 1.0}, 0.5, [build.leaf([1, 0]), build.leaf([0, 1])])).to_svg()
    assert "<script" not in svg and "\x1b" not in svg
    assert {element.tag for element in ElementTree.fromstring(svg).iter()} <= {
        f"{NS}{t}" for t in ("svg", "title", "rect", "g", "text", "path")
    }


def test_a_long_name_is_told_from_columns_that_are_not_tested():
    names = [f"the total of the minutes that were spoken by {part}" for part in ("day", "night", "evening")]
    tree = stump(Column(names[0]), [[3, 0], [0, 2]], columns=[Column(name) for name in names])
    assert any(text.startswith("…") and text.endswith("day") for text in texts(parsed(tree)))


def test_a_title_of_ones_own_or_none():
    assert texts(parsed(iris_tree(), title="C4.5 on iris, 94 %"))[0] == "C4.5 on iris, 94 %"
    assert "C4.5 tree for class: 5 leaves, 150 rows" not in texts(parsed(iris_tree(), title=None))


def test_the_title_says_what_is_known_of_the_tree():
    known = iris_tree().with_facts(data="iris", accuracy="94.7 % right in 10-fold cross-validation")
    whole = "C4.5 tree for class (iris): 5 leaves, 150 rows; 94.7 % right in 10-fold cross-validation"
    root = parsed(known.remarked("3 rows were held back."), orientation="right")
    assert texts(root)[:2] == [whole, "3 rows were held back."] and root.find(f"{NS}title").text == whole
    narrow = parsed(known)
    assert texts(narrow)[:2] == ["C4.5 tree for class (iris)", whole.partition(": ")[2]]
    assert float(narrow.get("viewBox").split()[2]) < 360


def test_tests_show_how_their_feature_is_distributed():
    iris = load_iris(as_frame=True)
    table = cw.read(iris.data.assign(species=iris.target_names[iris.target]))
    tree = cw.C45Classifier().fit(table).tree_
    plain, drawn = (parsed(tree, **options) for options in ({}, {"table": table}))
    assert len(list(drawn.iter(f"{NS}rect"))) > len(list(plain.iter(f"{NS}rect"))) + 30
    assert {"0.1", "2.5"} <= set(texts(drawn)) - set(texts(plain))  # the least and the greatest petal width
    pictures = [tree.plot(**options) for options in ({}, {"table": table})]
    bars = [sum(len(c.get_paths()) for c in ax.collections) for ax in pictures]
    assert bars[1] > bars[0] + 30 and "2.5" in [text.get_text() for text in pictures[1].texts]
    with pytest.raises(ValueError, match="must have the tree's classes"):
        weather_tree().to_svg(table=table)


def test_many_classes_have_colours_of_their_own():
    tree = stump(Column("age"), [np.eye(60)[i] for i in (0, 1)], columns=[Column("age")])
    whole = stump(Column("v", tuple(map(str, range(60)))), list(np.eye(60)))
    fills = {r.get("fill") for r in parsed(whole).iter(f"{NS}rect") if r.get("rx") is None}
    assert len(fills) >= 60 and tree.n_classes == 60
