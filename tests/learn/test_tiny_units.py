"""Columns whose values lie too close together for C4.5's gap."""

import numpy as np
import pytest

from clearwood import C45Classifier, Column, Table
from clearwood.learn.tiny_units import columns_in_tiny_units

GAP = 1e-5


def told(*columns) -> list[str]:
    names = [Column(f"x{i}") for i in range(len(columns))]
    return columns_in_tiny_units(Table(names, [np.asarray(c, dtype=float) for c in columns]), GAP)


@pytest.mark.parametrize(("range_in_gaps", "is_told"), [(990, True), (999.5, True), (1000.5, False), (5000, False)])
def test_a_range_below_a_thousand_gaps_is_told_if_some_values_lie_too_close(range_in_gaps, is_told):
    """A wider column has cuts enough: one pair that cannot be separated costs it little."""
    column = [0.0, 0.5 * GAP, range_in_gaps * GAP]
    assert told(column) == (["x0"] if is_told else [])


def test_values_further_apart_than_the_gap_are_not_told():
    assert told([0.0, 2 * GAP, 4 * GAP, 900 * GAP]) == []


def test_only_known_values_count():
    """One value, none at all, or two that are equal: there is nothing to separate."""
    nan = np.nan
    assert told([nan, nan, nan], [1.0, nan, nan], [1.0, 1.0, nan], [1.0, 1.0 + GAP / 2, nan]) == ["x3"]


def test_a_gap_of_nothing_costs_nothing():
    table = Table([Column("x")], [[0.0, 1e-9]])
    assert columns_in_tiny_units(table, 0.0) == []
    assert columns_in_tiny_units(table, 1e-5) == ["x"]


def test_nominal_columns_do_not_shift_the_names():
    table = Table(
        [Column("sky", ("sun", "rain")), Column("metres"), Column("wind", ("weak",)), Column("light years")],
        [[0, 1, 0], [1.0, 2.0, 3.0], [0, 0, 0], [1e-16, 2e-16, 3e-16]],
    )
    assert columns_in_tiny_units(table, GAP) == ["light years"]


def test_the_learner_names_the_column_and_the_remedy():
    X, y = np.array([[1e-9], [2e-9], [3e-9], [4e-9]]), [0, 0, 1, 1]
    with pytest.warns(UserWarning, match=r"column 'x0' lie closer together than min_gap=1e-05.*pass min_gap=0"):
        assert C45Classifier().fit(X, y).tree_.n_leaves == 1
    assert C45Classifier(min_gap=0).fit(X, y).tree_.n_leaves == 2
