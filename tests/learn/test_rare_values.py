"""Columns of names: no learner of value sets wins by memorising them."""

import numpy as np
import pandas as pd
import pytest

import clearwood as cw
from clearwood.learn.rare_values import RareValues
from clearwood.table import Column, Table
from clearwood.tree import Tree


def named_rows(n_rows=200, seed=0):
    """A name for each row, and a number that tells the class in nine rows of ten."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n_rows)
    truth = np.where(x > 0, "high", "low")
    noisy = np.where(rng.random(n_rows) < 0.1, np.where(truth == "high", "low", "high"), truth)
    return pd.DataFrame({"name": [f"row {i}" for i in range(n_rows)], "x": x, "level": noisy})


LEARNERS = {
    "cart": lambda least: cw.CARTClassifier(min_value_rows=least, random_state=0),
    "pareto": lambda least: cw.ParetoTreeClassifier(
        generations=30, max_leaves=6, cv=3, min_value_rows=least, random_state=0
    ),
    "mixed": lambda least: cw.LinearTreeClassifier(
        tests="mixed", generations=60, min_value_rows=least, random_state=0
    ),
    "setgen": lambda least: cw.SetGenClassifier(
        base_learner=cw.CARTClassifier(min_value_rows=least, random_state=0),
        evaluations=20, population_size=10, cv=3, accuracy_weight=1.0, random_state=0,
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*identifier")
@pytest.mark.parametrize("name", LEARNERS)
def test_a_column_of_names_is_not_tested(name):
    table = cw.read(named_rows())
    tree = LEARNERS[name](10).fit(table).tree_
    assert tree.features == ("x",)
    new = named_rows(seed=1).assign(name="another")
    found = np.array(tree.classes)[tree.predict(cw.read(new, target="level"), allow_unknown=True)]
    assert np.mean(found == new["level"]) > 0.8


@pytest.mark.filterwarnings("ignore:.*identifier")
def test_one_allows_every_set():
    tree = cw.CARTClassifier(min_value_rows=1, pruning=None).fit(cw.read(named_rows())).tree_
    assert tree.features == ("name",) and tree.n_leaves == 2, "a set of names divides the rows at will"


def test_few_values_are_told_apart_however_rare():
    golf = pd.DataFrame({"sky": ["sun", "fog", "rain"] * 4, "y": ["go", "stay", "stay"] * 4})
    assert cw.CARTClassifier(random_state=0).fit(cw.read(golf)).tree_.n_leaves == 2


LETTERS = Column("letter", tuple("abcdefghijklmn"))
CODES = [0] * 5 + [1] * 5 + list(range(2, 13))
Y = Column("y", ("no", "yes"))


def letters(**more):
    return Table([Column("x"), LETTERS], [np.zeros(21), CODES], target=Y, y=[0, 1] * 10 + [0], **more)


def test_rare_values_pass_for_the_first_of_them():
    table = letters()
    pooled = RareValues(table, 5).table
    assert pooled.column("letter").tolist() == [0] * 5 + [1] * 5 + [2] * 11
    assert pooled.columns == table.columns and pooled.numeric is table.numeric
    assert RareValues(table, 1).table is table and RareValues(table.take(np.arange(12)), 5).table.n_rows == 12


def test_weight_counts_and_rows_without_class_do_not():
    heavy = letters(weights=[1.0] * 10 + [5.0] + [1.0] * 10)
    assert RareValues(heavy, 5).table.column("letter").tolist()[10:13] == [2, 3, 3]
    y = np.array([0, 1] * 10 + [0])
    y[:5] = -1  # nothing is known of the first value
    without = letters().with_target(Y, y)
    assert RareValues(without, 5).table.column("letter").tolist()[:11] == [0] * 5 + [1] * 5 + [2]


def test_all_rare_values_go_where_the_first_went():
    rare = RareValues(letters(), 5)
    gap = float("nan")
    tree = Tree(
        columns=letters().columns, classes=Y.values, kind=[3, 0, 3, 0, 0], feature=[1, -1, 1, -1, -1],
        threshold=[gap] * 5, first_child=[1, -1, 3, -1, -1], n_children=[2, 0, 2, 0, 0], empty=[False] * 5,
        counts=[[3, 3], [1, 1], [2, 2], [1, 1], [1, 1]], set_start=[0, 2, 2, 3, 3, 3], set_values=[0, 2, 1],
    )  # fmt: skip
    spread = rare.spread(tree)
    assert spread.subset(0) == (0, *range(2, 13)) and spread.subset(2) == (1,)
    assert spread.subset(1) == () and spread.columns == tree.columns


def test_rare_values_that_the_search_had_no_rows_of_are_not_torn_from_the_first():
    build = cw.TreeBuilder(letters().columns, Y.values)
    tree = build.build(build.subset("letter", "acd", [build.leaf([1, 0]), build.leaf([0, 1])]))
    assert RareValues(letters(), 5).spread(tree).subset(0) == (0, *range(2, 13))
    build = cw.TreeBuilder(letters().columns, Y.values)
    tree = build.build(build.subset("letter", "ade", [build.leaf([1, 0]), build.leaf([0, 1])]))
    assert RareValues(letters(), 5).spread(tree).subset(0) == (0,)


@pytest.mark.filterwarnings("ignore:.*identifier")
@pytest.mark.parametrize("seed", range(5))
def test_training_errors_are_those_of_the_tree_on_its_rows(seed):
    rng = np.random.default_rng(seed)
    names = np.where(rng.random(150) < 0.5, rng.integers(3, size=150), np.arange(150))
    y = (rng.random(150) > 0.5) ^ (names == 1)
    frame = pd.DataFrame({"name": [f"n{i}" for i in names], "x": rng.random(150), "y": np.where(y, "yes", "no")})
    table = cw.read(frame, target="y")
    search = cw.ParetoTreeClassifier(
        generations=5,
        population_size=40,
        max_leaves=8,
        leaf_classes="evolved",
        improvements=0,
        selection=8,
        random_state=0,
    ).fit(table)
    for entry in search.front_:
        assert entry.training_error == pytest.approx(np.mean(entry.tree.predict(table) != table.y))
