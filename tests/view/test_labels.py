"""Labels fit their room, tell branches apart, and count what they leave out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nominal_planes import sky_tree
from sample_trees import plane_tree, stump

from clearwood.conditions import Kind
from clearwood.table import Column, Table
from clearwood.tree import Tree
from clearwood.tree_builder import TreeBuilder
from clearwood.view.labels import branch_labels, cut, row_count


def one_test(kind: Kind, column: Column, n_branches: int, inside: list[int] | None = None, cut: float = np.nan) -> Tree:
    n = 1 + n_branches
    inside = inside or []
    return Tree(
        columns=[column],
        classes=["a"],
        kind=[kind] + [0] * n_branches,
        feature=[0] + [-1] * n_branches,
        threshold=[cut] + [np.nan] * n_branches,
        first_child=[1] + [-1] * n_branches,
        n_children=[n_branches] + [0] * n_branches,
        empty=[False] * n,
        counts=[[1.0]] * n,
        set_start=[0] + [len(inside)] * n,
        set_values=inside,
    )


@given(st.lists(st.text(min_size=1, max_size=30), max_size=5), st.integers(4, 20))
def test_a_cut_text_fits_and_a_text_that_fits_is_not_cut(texts: list[str], width: int) -> None:
    for text, short in zip(texts, cut(texts, width, len), strict=True):
        assert len(short) <= width
        assert short == text if len(text) <= width else "…" in short


def test_texts_that_would_look_the_same_keep_their_ends() -> None:
    mean, worst = cut(["concavity (mean)", "concavity (worst)"], 12, len)
    assert mean.endswith("an)")
    assert worst.endswith("st)")


def test_a_threshold_has_two_sides_and_a_true_minus() -> None:
    tree = one_test(Kind.THRESHOLD, Column("x"), 2, cut=-1234567.5)
    assert branch_labels(tree, 0, 99, len) == ["≤ −1234568", "> −1234568"]


def test_each_value_is_a_branch() -> None:
    tree = one_test(Kind.BRANCHES, Column("x", ("a", "", "line\nend")), 3)
    assert branch_labels(tree, 0, 99, len) == ["a", "(empty)", r"line\nend"]


@pytest.mark.parametrize(
    ("width", "labels"),
    [(20, ["red, blue", "green, grey, black"]), (12, ["red, blue", "others"]), (8, ["red + 1", "others"])],
)
def test_sets_are_listed_as_far_as_they_fit(width: int, labels: list[str]) -> None:
    tree = one_test(Kind.SUBSET, Column("x", ("red", "green", "blue", "grey", "black")), 2, inside=[0, 2])
    assert branch_labels(tree, 0, width, len) == labels


def test_the_smaller_set_is_listed_whichever_side_it_is_on() -> None:
    tree = one_test(Kind.SUBSET, Column("x", tuple("abcdefgh")), 2, inside=[0, 1, 2, 3, 4, 6])
    assert branch_labels(tree, 0, 10, len) == ["others", "f, h"]


def test_a_branch_for_missing_values_says_so() -> None:
    tree = plane_tree()
    assert branch_labels(tree, 0, 99, len) == ["≤ 2.1", "> 2.1, missing"]
    assert branch_labels(tree, 2, 99, len) == ["sun, fog, missing", "rain"]
    assert branch_labels(tree, 2, 16, len) == ["others, missing", "rain"]
    alone = plane_tree(set_start=[0, 0, 0, 3, 3, 3], set_values=[0, 1, 2], missing=[-1, -1, 1, -1, -1])
    assert branch_labels(alone, 2, 99, len) == ["sun, rain, fog", "missing"]


def test_a_plane_is_the_title_of_its_box() -> None:
    assert "0.8·width − 0.2·length" in [text.get_text() for text in plane_tree().plot().texts]
    names = [Column(f"a feature with the number {i}") for i in range(6)]
    tree = plane_tree(
        columns=[*names, Column("sky", ("sun", "rain", "fog"))],
        feature=[-1, -1, 6, -1, -1],
        weight_start=[0, 6, 6, 6, 6, 6],
        weight_features=range(6),
        weight_values=[0.5] * 6,
    )
    lines = [text.get_text() for text in tree.plot().texts if "·" in text.get_text()]
    assert " ".join(line.strip() for line in lines) == " + ".join(f"0.5·{column.name}" for column in names)


def test_values_in_a_sum_are_in_the_title_of_its_box_and_never_look_the_same() -> None:
    texts = [text.get_text() for text in sky_tree(missing=1).plot().texts]
    assert "2·(sky = rain) + 0.1·wind − (sky = fog)" in " ".join(text.strip() for text in texts)
    assert branch_labels(sky_tree(missing=1), 0, 99, len) == ["≤ 0.5", "> 0.5, missing"]
    long = [f"a value that takes very much room, of kind {i} and no other" for i in range(3)]
    build = TreeBuilder([Column("$a_1$ of the columns with the longest names", tuple(long))], ["no", "yes"])
    terms = {(build.columns[0].name, value): i + 1.0 for i, value in enumerate(long)}
    tree = build.build(build.linear(terms, 1.5, [build.leaf([3, 0]), build.leaf([0, 2])]))
    lines = [text.get_text().strip() for text in tree.plot().texts if " = " in text.get_text()]
    values = [line.partition(" = ")[2].partition(")")[0] for line in lines]
    assert len(set(values)) == len(values) == 3


def test_a_set_of_values_names_only_those_that_come_there() -> None:
    build = TreeBuilder([Column("sky", tuple("abcde"))], ["no", "yes"])
    below = build.subset("sky", ["a"], [build.leaf([3, 0]), build.leaf([0, 2])])
    tree = build.build(build.subset("sky", ["a", "b"], [below, build.leaf([1, 4])]))
    assert branch_labels(tree, 1, 100, len) == ["a", "b"]
    assert "├ sky = a" in str(tree) and "└ sky = b" in str(tree)
    assert '[label="= a"]' in tree.to_dot() and '[label="= b"]' in tree.to_dot()
    row = Table(tree.columns, [[1]])
    assert tree.explain(row, 0).splitlines()[:2] == ["sky is b, one of {a, b}", "sky is b, not a"]


def test_names_that_differ_never_look_the_same() -> None:
    names = [f"{a}{'x' * 30}{b}{'y' * 30}{c}" for a in "ab" for b in "cd" for c in "ef"]
    assert len(set(cut(names, 12, len))) == len(names)


def test_leaves_of_probabilities_are_not_counted_as_rows() -> None:
    soft = stump(Column("age"), [[0.82, 0.18], [1.5, 1.5]])
    assert "82 % likely, 1 row" in [text.get_text() for text in soft.plot().texts]
    assert str(soft).splitlines()[2].endswith("likely")


@pytest.mark.parametrize(
    ("rows", "text"),
    [(0, "no rows"), (1, "1 row"), (1.5, "1.5 rows"), (2.0000001, "2 rows"), (123456.7, "123,457 rows")],
)
def test_rows_are_counted(rows: float, text: str) -> None:
    assert row_count(rows) == text


def test_ten_thousand_values_are_no_trouble() -> None:
    values = tuple(f"value {i}" for i in range(10_000))
    tree = one_test(Kind.SUBSET, Column("x" * 100_000, values), 2, inside=list(range(4_000)))
    said = [text.get_text() for text in tree.plot().texts]
    assert any(text.startswith("value 0") and " + 399" in text for text in said)
    assert "others" in said
