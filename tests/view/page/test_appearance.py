"""What is drawn can be told apart: long names, trees far from each other, many classes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from page_samples import iris_front, iris_table

import clearwood as cw
from clearwood.view.page.page import Page

STEM = "mean arterial pressure of the patient at the time of admission, number"


@pytest.mark.parametrize("way", ["down", "right"])
def test_long_names_that_differ_at_the_end_differ_on_the_cards(visit, way):
    rng = np.random.default_rng(0)
    cells = rng.random((4, 400))
    y = ((cells > 0.5) * [[1], [2], [4], [8]]).sum(axis=0) % 5 > 2
    columns = [cw.Column(f"{STEM} {i}") for i in range(4)]
    table = cw.Table(columns, list(cells), target=cw.Column("ill", ("no", "yes")), y=y.astype(int))
    tree = cw.CARTClassifier(pruning=None, max_leaves=8).fit(table).tree_
    visited = visit(Page(tree, table))
    visited.set(arrangement=way)
    names = visited.js(
        """() => [...document.querySelectorAll(".cw-card:not(.cw-leaf)")].map((card) =>
          [...card.querySelectorAll(".cw-name")].map((line) => line.textContent))"""
    )
    assert len(names) == tree.n_leaves - 1 and all(len(lines) == 2 for lines in names)
    assert all(lines[0].startswith("mean arterial") and lines[1].startswith("…") for lines in names)
    tested = {tree.columns[feature].name for feature in tree.feature[tree.kind > 0]}
    assert {lines[1][-1] for lines in names} == {name[-1] for name in tested} and len(tested) > 1
    inside = visited.js(
        """() => [...document.querySelectorAll(".cw-card")].every((card) => {
          const { right } = card.querySelector(".cw-edge, rect").getBoundingClientRect();
          return [...card.querySelectorAll(".cw-name")].every((line) => line.getBoundingClientRect().right <= right);
        })"""
    )
    assert inside


def test_the_words_of_a_sum_of_many_features_do_not_lie_on_each_other(visit):
    rng = np.random.default_rng(0)
    cells = rng.random((12, 300))
    table = cw.Table(
        [cw.Column(f"column {i}") for i in range(12)], list(cells),
        target=cw.Column("ill", ("no", "yes")), y=(cells.sum(axis=0) > 6).astype(int),
    )  # fmt: skip
    tree = cw.LinearTreeClassifier(generations=100, first_trees="logistic", random_state=0).fit(table).tree_
    assert len(tree.plane(0).features) > 9
    lines = visit(Page(tree, table)).js(
        """() => [...document.querySelector(".cw-card.cw-test").querySelectorAll("text")].map((line) => {
          const { top, bottom } = line.getBoundingClientRect();
          return { top, bottom, text: line.textContent };
        }).sort((a, b) => a.top - b.top)"""
    )
    assert [line["text"] for line in lines[:2]] == ["sum of 12", "features"] and "more" in lines[-2]["text"]
    for above, below in itertools.pairwise(lines):
        assert below["top"] > above["bottom"] - 4, (above, below)


def test_two_trees_far_apart_are_both_in_sight(visit):
    values = tuple("abcdefgh")
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 8, 400)
    y = np.where(rng.random(400) < 0.03, 1 - codes % 2, codes % 2)
    table = cw.Table([cw.Column("kind", values)], [codes], target=cw.Column("good", ("yes", "no")), y=y)
    page = Page([cw.C45Classifier(max_leaves=n).fit(table).tree_ for n in (2, 8)], table)
    assert [entry.n_leaves for entry in page.front] == [1, 8]
    visited = visit(page)
    frame = visited.tab.locator(".cw-front-drawing").bounding_box()
    dots = [dot.bounding_box() for dot in visited.tab.locator(".cw-dots .cw-dot").all()]
    assert len(dots) == 2
    for dot in dots:
        assert frame["y"] <= dot["y"] and dot["y"] + dot["height"] <= frame["y"] + frame["height"]


def test_the_map_shows_every_leaf_and_leaves_the_folding_elsewhere_as_it_is(visit):
    rng = np.random.default_rng(0)
    x = rng.random(1500)
    y = (np.floor(120 * x) % 2).astype(int)
    table = cw.Table([cw.Column("x")], [x], target=cw.Column("odd", ("no", "yes")), y=y)
    tree = cw.CARTClassifier(pruning=None, max_leaves=100).fit(table).tree_
    visited = visit(Page(tree, table))
    shown = "() => clearwood.app.inside.view.shown.length"
    folded = visited.js(shown)
    assert folded < tree.n_nodes
    visited.set(arrangement="map")
    assert visited.js(shown) == tree.n_nodes
    visited.set(arrangement="right")
    assert visited.js(shown) == folded


def test_twenty_six_classes_have_as_many_colours(visit):
    letters = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    y = np.tile(np.arange(26), 20)
    table = cw.Table([cw.Column("x")], [y + 0.0], target=cw.Column("letter", letters), y=y)
    visited = visit(Page(cw.CARTClassifier(pruning=None).fit(table), table))
    colours = visited.js(
        "() => [...document.querySelectorAll('.cw-legend .cw-swatch')].map((s) => getComputedStyle(s).backgroundColor)"
    )
    assert len(colours) == 26 == len(set(colours))


def test_two_trees_that_are_compared_are_both_whole(visit):
    table = iris_table()
    front = iris_front(table)
    visited = visit(Page(front, table, chosen=4), "#tab=compare&with=1", size=(1280, 760))
    trees = visited.tab.locator(".cw-views > .cw-tree").all()
    for shown, drawn in zip((front.of_size(4).tree, front.of_size(3).tree), trees, strict=True):
        frame = drawn.bounding_box()
        cards = [card.bounding_box() for card in drawn.locator(".cw-card").all()]
        assert len(cards) == shown.n_nodes
        for card in cards:
            assert frame["y"] <= card["y"] and card["y"] + card["height"] <= frame["y"] + frame["height"]
