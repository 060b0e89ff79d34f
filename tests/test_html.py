"""What notebooks show is sound, escaped and static."""

from html import escape
from html.parser import HTMLParser

import numpy as np
import pytest
from sample_trees import iris_tree, stump
from sklearn.datasets import load_iris

import clearwood as cw
from clearwood.evaluate import evaluate
from clearwood.html import Lines, html_table
from clearwood.table import Column, Table


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen, self.attributes = [], set(), set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in ("rect", "path"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check(html):
    tags = Tags()
    tags.feed(html)
    assert tags.open == [] and not tags.seen & {"script", "iframe", "img", "link", "style", "a"}
    assert not any(name.startswith("on") or name in ("src", "href") for name in tags.attributes)
    return html


EVIL = "<script>alert('x')</script>&amp;"


@pytest.fixture(scope="module")
def iris():
    frame = load_iris(as_frame=True)
    return cw.read(frame.data.assign(species=frame.target_names[frame.target]))


def test_values_show_themselves(iris):
    clf = cw.ParetoTreeClassifier(generations=10, population_size=40, max_leaves=5, cv=3, random_state=0).fit(iris)
    assert "<svg" in check(clf.tree_._repr_html_())
    assert "petal width (cm) ≤ 0.6" in check(cw.C45Classifier().fit(iris).tree_.rules()._repr_html_())
    assert "cross-validated" in check(clf.front_._repr_html_())
    assert "precision" in check(evaluate(cw.C45Classifier(), iris, cv=3, repeats=1)._repr_html_())
    assert "petal width (cm)" in check(iris._repr_html_())
    compared = cw.compare(["c45", "id3"], [iris], cv=3, repeats=1)
    shown = check(compared._repr_html_())
    assert shown.count("<table") == 1 and "<pre" not in shown
    cells = [cell.strip() for row in str(compared).splitlines()[4:7] for cell in row.split("  ") if cell.strip()]
    assert len(cells) > 15 and all(f">{escape(cell)}</t" in shown for cell in cells)


def test_hostile_names_stay_names():
    column = Column(EVIL, (EVIL, "b"))
    tree = stump(column, [[1, 0], [0, 1]], [EVIL, "c"], target=EVIL)
    table = Table([column], [[0, 1]], target=Column(EVIL + "t", (EVIL, "c")), y=[0, 1], name=EVIL)
    learners = {EVIL: cw.C45Classifier(), "c45": cw.C45Classifier()}
    compared = cw.compare(learners, {EVIL: table.take([0, 1] * 6), "b": table.take([0, 1] * 6)}, cv=2, repeats=1)
    for shown in (tree, tree.rules(), table, compared):
        assert "<script" not in check(shown._repr_html_())


def test_a_very_large_tree_shows_its_upper_part():
    from sample_trees import chain

    assert len(chain(400)._repr_html_()) < 100_000 < len(chain(400).to_svg())


def test_lists_of_rules_and_explanations_are_lines():
    rules = iris_tree().rules()
    assert repr(rules) == str(rules) and rules.to_frame().shape[0] == len(rules) == 5
    told = iris_tree().explain({"petallength": 5.0, "petalwidth": 1.0})
    assert repr(told) == str(told) and told.count("\n") >= 3 and check(told._repr_html_()).startswith("<pre")
    assert isinstance(told, Lines)


def test_numbers_stand_on_the_right():
    assert html_table(["a", "b"], [[1, np.int64(2)]], numbers=[1]).count("text-align:right") == 2
