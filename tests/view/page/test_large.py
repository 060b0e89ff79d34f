"""A tree of two thousand leaves: only what is in sight is drawn, so that every step stays quick.

How long the steps take is measured by ``python -m benchmarks page``; here it is counted what they make.
"""

from __future__ import annotations

import numpy as np
import pytest
from page_samples import chessboard

import clearwood as cw
from clearwood.evaluate.fronts import FrontEntry
from clearwood.view.page.page import Page

MOST_ELEMENTS = 9000


@pytest.fixture(scope="module")
def large():
    table = chessboard(np.random.default_rng(0), 12_000, 50)
    tree = cw.CARTClassifier(pruning=None, max_leaves=2000).fit(table).tree_
    assert tree.n_leaves == 2000
    return Page(tree, table)


def elements(visited):
    return visited.js("() => document.querySelectorAll('*').length")


def test_every_direction_draws_only_what_is_in_sight(visit, large):
    visited = visit(large)
    assert visited.tab.locator(".cw-card").count() < 100  # folded at first
    visited.tab.get_by_role("button", name="Unfold all").click()
    assert visited.js("() => clearwood.app.inside.view.shown.length") == 3999
    for way in ("right", "down", "list", "map"):
        visited.set(arrangement=way)
        visited.tab.get_by_role("button", name="Show the whole tree").click()
        visited.tab.wait_for_timeout(100)
        assert elements(visited) < MOST_ELEMENTS, way
        for node in (3000, 57, 3998):
            visited.set(node=node)
            visited.tab.wait_for_timeout(50)
            assert visited.tab.locator(".cw-card.cw-selected").count() == 1, (way, node)
            box = visited.tab.locator(".cw-card.cw-selected").bounding_box()
            view = visited.tab.locator(".cw-tree").first.bounding_box()
            assert view["x"] - 5 <= box["x"] + box["width"] / 2 <= view["x"] + view["width"] + 5, (way, node)
            assert view["y"] - 5 <= box["y"] + box["height"] / 2 <= view["y"] + view["height"] + 5, (way, node)


def test_rules_are_shown_in_parts_and_the_selected_one_always(visit, large):
    visited = visit(large)
    assert visited.tab.locator(".cw-rule").count() == 40
    visited.tab.get_by_role("button", name="Show 40 more").click()
    assert visited.tab.locator(".cw-rule").count() == 80
    leaf = visited.js(
        "() => { const tree = clearwood.app.model.tree(0); return tree.walk().filter((n) => tree.isLeaf(n)).at(-1); }"
    )
    visited.set(node=leaf)
    assert visited.tab.locator(".cw-rule.cw-current").count() == 1
    assert visited.tab.locator(f".cw-rule[data-leaf='{leaf}']").count() == 1


def test_a_chain_of_five_hundred_tests(visit):
    import sample_trees

    tree = sample_trees.chain(500)
    visited = visit(Page(tree))
    visited.tab.get_by_role("button", name="Unfold all").click()
    for way in ("down", "right", "list", "map"):
        visited.set(arrangement=way, node=1000)
        visited.tab.wait_for_timeout(50)
        assert visited.tab.locator(".cw-card.cw-selected").count() == 1
    assert (
        visited.js("() => clearwood.pieces.rules(clearwood.app.model.tree(0), clearwood.app.model.columns).length")
        == 501
    )


def test_five_thousand_trees_can_be_walked(visit):
    rng = np.random.default_rng(0)
    table = chessboard(rng, 300, 4)
    trees = []
    for _ in range(250):
        part = table.with_weights(rng.integers(0, 3, 300).astype(float))
        whole = cw.CARTClassifier(pruning=None, max_leaves=22).fit(part).tree_
        trees += cuts(whole)
    page = Page([FrontEntry(tree.n_leaves, tree, 0.5 / tree.n_leaves, learner="CART") for tree in trees], table)
    visited = visit(page)
    assert elements(visited) < MOST_ELEMENTS
    front = visited.tab.locator(".cw-front")
    front.focus()
    visited.tab.keyboard.press("Home")
    for key, leaves in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowDown", 3), ("ArrowLeft", 2)):
        visited.tab.keyboard.press(key)
        assert visited.js("() => clearwood.app.inside.context.tree().nLeaves") == leaves
    assert visited.state("entry") > 0


def cuts(whole):
    from clearwood.learn.weakest_links import cut_to_size

    return [cut_to_size(whole, n) for n in range(2, 22)]
