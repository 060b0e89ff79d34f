"""Starters: what may enter the first population, and what is said of the rest."""

import numpy as np
import pytest

from clearwood import C45Classifier, Column, ParetoTreeClassifier, Table
from clearwood.evolve.pareto.starters import Starters

X = np.column_stack([np.arange(12.0), np.arange(12.0) % 5])
Y = (X[:, 0] > 5).astype(int)
NAMES = [Column("size"), Column("age")]


def table(names=NAMES, classes=("no", "yes")):
    return Table(names, X.T, target=Column("ill", classes), y=Y)


def tree(**how):
    return C45Classifier(min_leaf=1).fit(table(**how)).tree_


def test_what_is_no_tree_is_named():
    for wrong in (5, 0.5, C45Classifier, [3]):
        with pytest.raises(TypeError, match="seeds must hold trees, learners of one tree or their names, got"):
            ParetoTreeClassifier(seeds=wrong)._check_parameters()


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (
            tree(names=[Column("height"), Column("age")]),
            "seeds .* tests 'height', which is not a column .* 'size', 'age'",
        ),
        (
            C45Classifier(min_leaf=1).fit(
                Table([Column("size", ("s", "l"))], [Y], target=Column("ill", ("no", "yes")), y=Y)
            ),
            "seeds .* for which 'size' is nominal, but it is numeric in the table",
        ),
        (tree(classes=("no", "maybe")), "seeds .* the class 'maybe', but the classes are 'no', 'yes'"),
        (tree(classes=("no", "yes", "maybe")), "seeds .* the class 'maybe'"),
    ],
)
def test_trees_of_other_columns_or_classes_are_refused(seed, message):
    with pytest.raises(ValueError, match=message):
        ParetoTreeClassifier(seeds=["cart", seed], generations=1, population_size=4, selection=2).fit(table())


def test_columns_that_a_tree_does_not_test_need_not_be_there():
    seed = tree(names=[Column("size"), Column("colour")])
    assert seed.features == ("size",)
    assert Starters(seed).all_trees(table()) == [seed]


@pytest.mark.parametrize("kind", [int, float, bool, str])
@pytest.mark.parametrize("own", [int, float, bool, str])
def test_classes_are_the_same_in_any_type(kind, own):
    seed = C45Classifier(min_leaf=1).fit(X, Y.astype(own))
    front = (
        ParetoTreeClassifier(seeds=seed, generations=1, population_size=4, selection=2).fit(X, Y.astype(kind)).front_
    )
    assert front.of_size(2).training_error == 0
