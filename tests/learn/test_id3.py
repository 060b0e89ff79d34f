"""ID3 against the notes' play-tennis tree, and its own promises."""

import itertools

import numpy as np
import pytest
from weather import play_tennis, weather_numeric

from clearwood import ID3Classifier
from clearwood.conditions import Kind
from clearwood.table import Column, Table

YES_NO = Column("y", ("a", "b"))


def test_play_tennis_is_figure_1_of_the_notes():
    table = play_tennis()
    tree = ID3Classifier().fit(table).tree_
    assert tree.feature.tolist() == [0, 2, -1, 3, -1, -1, -1, -1]  # outlook, then humidity or wind
    assert tree.counts.tolist() == [[9, 5], [2, 3], [4, 0], [3, 2], [0, 3], [2, 0], [3, 0], [0, 2]]
    assert not tree.empty.any()
    assert (tree.predict(table) == table.y).all()


def test_play_tennis_reads_as_in_the_textbooks():
    lines = [line.split("  ")[0].strip("│├└ ") for line in str(ID3Classifier().fit(play_tennis()).tree_).splitlines()]
    paths = [line for line in lines if "=" in line]
    assert paths == [
        "outlook = sunny",
        "humidity = high",
        "humidity = normal",
        "outlook = overcast",
        "outlook = rain",
        "wind = weak",
        "wind = strong",
    ]


def test_a_threshold_lies_midway_at_a_class_boundary():
    tree = ID3Classifier().fit(Table([Column("x")], [[1, 2, 4, 8]], target=YES_NO, y=[0, 0, 1, 1])).tree_
    assert tree.threshold[0] == 3


def test_an_empty_branch_is_marked_and_predicts_with_its_parent():
    column = Column("x", ("u", "never", "v"))
    fitted = ID3Classifier().fit(Table([column], [[0, 0, 2]], target=YES_NO, y=[0, 0, 1]))
    assert fitted.tree_.empty.tolist() == [False, False, True, False]
    assert fitted.predict_proba(Table([column], [[1]]))[0] == pytest.approx([2 / 3, 1 / 3])


def test_a_row_of_no_weight_does_not_fill_a_branch():
    column = Column("x", ("u", "light", "v"))
    table = Table([column], [[0, 1, 2]], target=YES_NO, y=[0, 0, 1], weights=[1, 0, 1])
    assert ID3Classifier().fit(table).tree_.empty.tolist() == [False, False, True, False]


def test_exclusive_or_is_learned_though_no_column_gains_anything():
    cells = list(zip(*itertools.product([0, 1], [0, 1]), strict=True))
    table = Table([Column("p", ("0", "1")), Column("q", ("0", "1"))], cells, target=YES_NO, y=[0, 1, 1, 0])
    fitted = ID3Classifier().fit(table)
    assert fitted.tree_.n_leaves == 4
    assert fitted.predict(table).tolist() == ["a", "b", "b", "a"]


@pytest.mark.parametrize("criterion", ["gain", "gain_ratio"])
def test_no_column_is_tested_twice_along_a_path(criterion):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    tree = ID3Classifier(criterion=criterion).fit(X, rng.integers(3, size=300)).tree_
    for leaf in np.flatnonzero(tree.kind == Kind.LEAF):
        tested = [condition.feature for condition in tree.path(int(leaf))]
        assert len(set(tested)) == len(tested)
    assert tree.depth == 6


def test_gain_ratio_does_not_fall_for_a_column_of_many_values():
    """An identifier gains most; per bit of its split it gains little."""
    table = weather_numeric()
    columns = [*table.columns, Column("day", tuple(f"d{i}" for i in range(14)))]
    cells = [*(table.column(i) for i in range(4)), np.arange(14)]
    wide = Table(columns, cells, target=table.target, y=table.y)
    assert ID3Classifier(criterion="gain", max_depth=1).fit(wide).tree_.features == ("day",)
    assert ID3Classifier(criterion="gain_ratio", max_depth=1).fit(wide).tree_.features != ("day",)


def test_many_values_and_many_gaps_do_not_fill_the_memory():
    """Shares of rows that weigh less than a row are not parted: without that, nine times as many rows on each level."""
    rng = np.random.default_rng(0)
    columns = [Column(f"v{i}", tuple(map(str, range(30)))) for i in range(6)]
    codes = [np.where(rng.random(400) < 0.3, -1, rng.integers(30, size=400)) for _ in columns]
    table = Table(columns, codes, target=Column("y", ("a", "b")), y=rng.integers(2, size=400))
    tree = ID3Classifier().fit(table).tree_
    assert tree.n_nodes < 30 * 400 * 6
    weight = tree.counts.sum(axis=1)
    assert (weight[tree.kind != Kind.LEAF] >= 1 - 1e-6).all()
