"""The picture of a partition: every point of the plane lies in the region of its own leaf."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex
from nominal_planes import sky_tree
from random_trees import random_tree
from sample_trees import iris_tree, leaf_tree, plane_tree

from clearwood.table import Column, Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder
from clearwood.view.colours import class_colours, tint
from clearwood.view.partition import plot_partition
from clearwood.view.regions import regions


def flat_tree(seed: int) -> Tree:
    return random_tree(np.random.default_rng(seed), 12, [Column("a"), Column("b")], linear=0.5)


def test_a_picture_of_iris() -> None:
    rng = np.random.default_rng(0)
    columns = iris_tree().columns
    table = Table(
        columns,
        [rng.uniform(0, 7, 60) for _ in columns],
        target=Column("class", iris_tree().classes),
        y=np.repeat([0, 1, 2], 20),
    )
    ax = iris_tree().plot_partition(table, features=["petalwidth", "petallength"])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("petalwidth", "petallength")
    found, cuts = regions(iris_tree(), (3, 2), (*ax.get_xlim(), *ax.get_ylim()))
    (paper,) = [c for c in ax.collections if isinstance(c, PolyCollection)]
    (lines,) = [c for c in ax.collections if isinstance(c, LineCollection)]
    wanted = [tint(class_colours(3)[iris_tree().leaf_class[region.leaf]], 0.32).lower() for region in found]
    assert [to_hex(colour) for colour in paper.get_facecolor()] == wanted
    assert [segment.tolist() for segment in lines.get_segments()] == [cut.ends.tolist() for cut in cuts]
    dots = [c for c in ax.collections if c not in (paper, lines)]
    assert [len(dot.get_offsets()) for dot in dots] == [20, 20, 20]
    assert [to_hex(dot.get_facecolor()[0]).upper() for dot in dots] == class_colours(3)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(iris_tree().classes)


def test_arrays_frames_and_tables_give_the_same_picture() -> None:
    pandas = pytest.importorskip("pandas")
    tree = flat_tree(3)
    cells = np.random.default_rng(1).normal(size=(30, 2))
    cells[4, 0] = np.nan  # a row that has no place is left out
    classes = [tree.classes[i % 3] for i in range(30)]
    table = Table(tree.columns, list(cells.T), target=Column("class", tree.classes), y=[i % 3 for i in range(30)])
    pictures = [
        plot_partition(tree, cells, y=classes),
        plot_partition(tree, pandas.DataFrame(cells, columns=["a", "b"]), y=classes),
        plot_partition(tree, table),
    ]
    drawn = [[c.get_offsets().tolist() for c in ax.collections[2:]] for ax in pictures]
    assert drawn[0] == drawn[1] == drawn[2]
    assert sum(map(len, drawn[0])) == 29
    without = plot_partition(tree, cells)
    assert len(without.collections) == 3
    assert without.get_legend() is None


def test_given_axes_are_used_and_names_shown_as_they_are() -> None:
    _, ax = plt.subplots()
    build = TreeBuilder([Column("$a_b$"), Column("c\nd")], ["$x$", "y"], target="$t$")
    tree = build.build(build.threshold(0, 0.5, [build.leaf([1, 0]), build.leaf([0, 1])]))
    assert tree.plot_partition([[0.0, 1.0], [1.0, 1.0]], ax, y=["$x$", "y"]) is ax
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("$a_b$", r"c\nd")
    assert not ax.xaxis.label.get_parse_math()
    assert not ax.get_legend().get_texts()[0].get_parse_math()
    ax.figure.canvas.draw()


@pytest.mark.parametrize(
    ("tree", "data", "options", "message"),
    [
        (plane_tree(), [[0, 0, 0]], {}, "the tree tests 'sky', a nominal one"),
        (sky_tree(), [[0, 0]], {}, "the tree tests 'sky', a nominal one"),
        (
            random_tree(np.random.default_rng(0), 30, [Column(n) for n in "abc"]),
            [[0] * 3],
            {},
            "tests 3: 'a', 'b', 'c'",
        ),
        (leaf_tree([1, 2], ["a", "b"]), [[1.0]], {}, r"tests 0 features, and a partition needs two; name them"),
        (flat_tree(0), [[0.0, 1.0]], {"features": ["a", "z"]}, "features must be two different numeric columns"),
        (flat_tree(0), [[0.0, 1.0]], {"features": ["a"]}, "features must be two different numeric columns"),
        (flat_tree(0), [[0.0, 1.0]], {"features": [0, 0]}, "features must be two different numeric columns"),
        (iris_tree(), np.ones((2, 4)), {"features": [0, 3]}, "must hold those that the tree tests.*without 'petall"),
        (flat_tree(0), [[0.0]], {}, r"data must have a column for each of the tree's 2, got \(1, 1\)"),
        (flat_tree(0), [[np.nan, 1.0]], {}, "at least one row with finite values"),
        (flat_tree(0), [[0.0, 1.0]], {"y": ["c0", "c1"]}, "y must hold a class for each of the 1 rows, got 2"),
    ],
)
def test_what_cannot_be_drawn_is_named(tree: Tree, data: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tree.plot_partition(data, **options)


def test_axes_of_moments_show_dates_and_axes_of_levels_their_names() -> None:
    day = 86_400_000.0
    build = TreeBuilder([Column("when", is_date=True), Column("size", levels=("S", "M", "$L$"))], ["a", "b"])
    tree = build.build(build.threshold("when", 18_300 * day, [build.leaf([2, 0]), build.leaf([0, 1])]))
    ax = tree.plot_partition([[18_262 * day, 0.0], [18_400 * day, 2.0]], features=["when", "size"])
    ax.figure.canvas.draw()
    shown = [label.get_text() for label in ax.get_xticklabels()]
    assert len(shown) >= 2 and all(text.startswith("2020-0") and text.endswith("-01") for text in shown)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["S", "M", r"\$L\$"]


def test_moments_beyond_the_calendar_are_drawn_as_numbers() -> None:
    build = TreeBuilder([Column("when", is_date=True), Column("b")], ["a", "b"])
    tree = build.build(build.threshold("when", 0.0, [build.leaf([2, 0]), build.leaf([0, 1])]))
    ax = tree.plot_partition([[-1e17, 0.0], [1e17, 2.0]], features=["when", "b"])
    ax.figure.canvas.draw()
    assert any(label.get_text().endswith("ms") for label in ax.get_xticklabels())
