"""The picture: nothing overlaps, nothing leaves the page, and it says what the tree says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch
from matplotlib.transforms import Bbox

from clearwood.table import Column
from clearwood.tree import Tree
from clearwood.view.colours import contrast

RandomTree = Callable[..., Tree]


def extents(ax: Axes, kind: type) -> list[Bbox]:
    """Where words (or boxes) lie on the page, in pixels."""
    renderer = ax.figure.canvas.get_renderer()
    if kind is FancyBboxPatch:
        return [patch.get_window_extent(renderer) for patch in ax.patches if isinstance(patch, FancyBboxPatch)]
    spans = []
    for text in ax.texts:
        text.set_bbox(None)  # the paper behind a label is not the label
        spans.append(text.get_window_extent(renderer))
    return spans


def overlaps(spans: list[Bbox], slack: float = 0.5) -> int:
    """How many pairs share more than a sliver."""
    x0, y0, x1, y1 = np.array([span.extents for span in spans]).T
    wide = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    tall = np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0)
    return int(np.triu((wide > slack) & (tall > slack), 1).sum())


def inside(spans: list[Bbox], page: Bbox) -> bool:
    return all(
        s.x0 >= page.x0 - 0.5 and s.x1 <= page.x1 + 0.5 and s.y0 >= page.y0 - 0.5 and s.y1 <= page.y1 + 0.5
        for s in spans
    )


@pytest.mark.parametrize("orientation", ["down", "right"])
@pytest.mark.parametrize(("n_leaves", "n_classes"), [(1, 2), (2, 2), (5, 1), (9, 3), (17, 5), (30, 26), (40, 4)])
def test_words_and_boxes_keep_apart_and_stay_on_the_page(
    orientation: str, n_leaves: int, n_classes: int, random_tree: RandomTree
) -> None:
    for seed in range(3):
        tree = random_tree(np.random.default_rng([seed, n_leaves]), n_leaves, n_classes)
        ax = tree.plot(orientation=orientation)
        words, boxes = extents(ax, str), extents(ax, FancyBboxPatch)
        assert overlaps(words) == 0
        assert overlaps(boxes) == 0
        assert inside([*words, *boxes], ax.figure.bbox)
        plt.close(ax.figure)


@pytest.mark.parametrize("orientation", ["down", "right"])
def test_words_lie_inside_their_boxes_and_labels_outside_all(orientation: str, random_tree: RandomTree) -> None:
    tree = random_tree(np.random.default_rng(4), 12)
    ax = tree.plot(orientation=orientation, show=["rows", "bars"], title=None)
    labels = [i for i, text in enumerate(ax.texts) if text.get_ha() == "center"]
    words, boxes = extents(ax, str), extents(ax, FancyBboxPatch)
    assert len(labels) == tree.n_nodes - 1
    for i, word in enumerate(words):
        homes = [box for box in boxes if inside([word], box)]
        touched = [box for box in boxes if box.overlaps(word)]
        assert (len(homes), len(touched)) == ((0, 0) if i in labels else (1, 1))


def test_a_picture_in_given_axes_keeps_to_them(random_tree: RandomTree) -> None:
    _, (one, other) = plt.subplots(1, 2, figsize=(10, 3), layout="constrained")
    tree = random_tree(np.random.default_rng(0), 14)
    assert tree.plot(ax=one) is one
    words = extents(one, str)
    assert overlaps(words) == 0
    assert inside(words, one.get_window_extent())
    assert not other.texts


def test_forty_leaves_make_a_figure_of_bearable_size(random_tree: RandomTree) -> None:
    tree = random_tree(np.random.default_rng(0), 40, linear=0)
    width, height = tree.plot().figure.get_size_inches()
    assert width < 32
    assert height < 22


def test_a_tree_says_its_tests_branches_and_leaves() -> None:
    tree = Tree(
        columns=[Column("x"), Column("sky", ("sun", "rain", "fog"))],
        classes=["no", "yes"],
        target="ill",
        kind=[1, 0, 3, 0, 0],
        feature=[0, -1, 1, -1, -1],
        threshold=[-2.5, np.nan, np.nan, np.nan, np.nan],
        first_child=[1, -1, 3, -1, -1],
        n_children=[2, 0, 2, 0, 0],
        empty=[False, False, False, False, True],
        counts=[[6, 1205], [1, 3], [5, 1202], [5, 1202], [0, 0]],
        set_start=[0, 0, 0, 1, 1, 1],
        set_values=[1],
    )
    assert [text.get_text() for text in tree.plot().texts] == [
        "Tree for ill: 3 leaves, 1,211 rows",
        *("x", "1,211 rows", "yes", "75 % of 4 rows", "≤ −2.5", "sky", "1,207 rows", "> −2.5"),
        *("yes", ">99 % of 1,207 rows", "rain", "yes", "no rows", "sun, fog"),
        *("ill", "no", "yes"),
    ]


def test_wider_boxes_hold_more_rows(random_tree: RandomTree) -> None:
    tree = random_tree(np.random.default_rng(7), 20)
    for orientation in ("down", "right"):
        ax = tree.plot(orientation=orientation)
        widths = np.array([patch.get_width() for patch in ax.patches if isinstance(patch, FancyBboxPatch)])
        leaves = np.flatnonzero(tree.n_children == 0)
        rows = tree.counts[leaves].sum(axis=1)
        slope = np.polyfit(rows, widths[leaves], 1)[0]
        assert slope > 0
        assert np.corrcoef(rows, widths[leaves])[0, 1] == pytest.approx(1)


def test_names_are_shown_as_they_are(random_tree: RandomTree, tmp_path: Path) -> None:
    plt.rcParams["svg.fonttype"] = "none"
    tree = random_tree(np.random.default_rng(3), 12)
    ax = tree.plot(max_width=500)
    assert all(not text.get_parse_math() and not text.get_usetex() for text in ax.texts)
    ax.figure.savefig(tmp_path / "tree.svg")
    svg = ElementTree.parse(tmp_path / "tree.svg").getroot()
    written = {"".join(node.itertext()).strip() for node in svg.iter("{http://www.w3.org/2000/svg}text")}
    assert "the $target$" in written
    shown = {tree.columns[f].name.replace("\n", r"\n") for f in tree.feature if f >= 0}
    assert shown
    assert shown <= written


def test_letters_stay_readable_on_every_leaf(random_tree: RandomTree) -> None:
    from matplotlib.colors import to_hex

    tree = random_tree(np.random.default_rng(2), 30, 24)
    ax = tree.plot(show=[])
    for patch in ax.patches:
        assert contrast(to_hex(patch.get_facecolor()), "#000000") >= 4.5
    assert {text.get_color() for text in ax.texts} == {"#000000"}


def test_max_depth_folds_what_lies_below(random_tree: RandomTree) -> None:
    tree = random_tree(np.random.default_rng(5), 20)
    ax = tree.plot(max_depth=1)
    boxes = [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]
    assert len(boxes) == 1 + tree.n_children[0]
    folded = sum(not tree.is_leaf(child) for child in tree.children(0))
    assert sum(text.get_text().endswith(" leaves") for text in ax.texts) == folded
    assert len([p for p in tree.plot(max_depth=0).patches if isinstance(p, FancyBboxPatch)]) == 1


def test_the_picture_is_saved_as_svg_png_and_pdf(random_tree: RandomTree, tmp_path: Path) -> None:
    ax = random_tree(np.random.default_rng(6), 7).plot()
    for name, start in (("tree.svg", b"<?xml"), ("tree.png", b"\x89PNG"), ("tree.pdf", b"%PDF")):
        ax.figure.savefig(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)


def test_a_tree_without_rows_can_be_drawn(random_tree: RandomTree) -> None:
    tree = random_tree(np.random.default_rng(6), 7)
    arrays = {key: getattr(tree, key) for key in ("kind", "feature", "threshold", "first_child", "n_children", "empty")}
    sets = {"set_start": tree.set_start, "set_values": tree.set_values}
    bare = Tree(columns=tree.columns, classes=tree.classes, counts=np.zeros_like(tree.counts), **arrays, **sets)
    assert "no rows" in [text.get_text() for text in bare.plot().texts]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"max_depth": -1}, "max_depth must be at least 0.*-1"),
        ({"orientation": "up"}, "orientation must be 'auto', 'down' or 'right', got 'up'"),
        ({"show": ["rows", "colour"]}, "show must be a collection of names among 'rows'"),
        ({"show": "rows"}, "show must be a collection"),
        ({"max_width": 3}, "max_width must be at least 20"),
    ],
)
def test_wrong_options_are_named(wrong: dict[str, object], message: str, random_tree: RandomTree) -> None:
    with pytest.raises(ValueError, match=message):
        random_tree(np.random.default_rng(0), 3).plot(**wrong)
