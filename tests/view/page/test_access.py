"""The page can be used by everyone: axe-core finds no violation, in any panel, width or theme."""

from __future__ import annotations

import numpy as np
import pytest
from browser import axe_source
from page_samples import iris_front, iris_table, sample_table

import clearwood as cw
from clearwood.view.page.document import Reference, Stability
from clearwood.view.page.page import Page

RUN = """() => axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.map(({ id, impact, nodes }) =>
    `${impact} ${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")}`))"""


def violations(visited):
    visited.tab.wait_for_timeout(350)  # colours fade in
    return visited.js(RUN)


@pytest.fixture(scope="module")
def page():
    table = iris_table()
    front = iris_front(table)
    tree = front[2].tree
    return Page(
        front, table, title="Iris", chosen=4, reason="Because.\nAnd more.", references=[Reference("a forest", 0.04)],
        stability=[Stability(tree, 20, np.where(tree.kind > 0, 0.4, np.nan))],
    )  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_no_violations(visit, page, scheme, size):
    source = axe_source()
    visited = visit(page, size=size, color_scheme=scheme, reduced_motion="reduce")
    visited.js(source)
    for tab in ("rules", "node", "try", "steer", "compare", "report"):
        visited.set(tab=tab, node=2, other=1)
        assert violations(visited) == [], tab
    for way in ("down", "right", "list", "map"):
        visited.set(arrangement=way)
        assert violations(visited) == [], way


def test_no_violations_with_many_classes(visit):
    source = axe_source()
    table = sample_table("soybean")
    visited = visit(Page(cw.C45Classifier().fit(table), table), reduced_motion="reduce")
    visited.js(source)
    for tab in ("rules", "node", "try"):
        visited.set(tab=tab, node=0)
        assert violations(visited) == [], tab


def test_everything_can_be_reached_by_the_keyboard(visit, page):
    visited = visit(page)
    reached = set()
    for _ in range(60):
        visited.tab.keyboard.press("Tab")
        reached.add(visited.js("() => document.activeElement.getAttribute('role') ?? document.activeElement.tagName"))
        if visited.js("() => document.activeElement === document.body"):
            break
    assert {"slider", "tree", "tab", "BUTTON", "SELECT", "INPUT", "SUMMARY"} <= reached
    visited.tab.locator("[role=tab][aria-selected=true]").focus()
    visited.tab.keyboard.press("ArrowRight")
    assert visited.state("tab") == "node"
    visited.tab.keyboard.press("End")
    assert visited.state("tab") == "report"


def test_those_who_want_no_motion_get_none(visit, page):
    visited = visit(page, reduced_motion="reduce")
    assert visited.js("() => getComputedStyle(document.querySelector('.cw-card')).transitionDuration") in ("0s", "")
