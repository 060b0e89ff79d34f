"""Conditions: what passes one, and what passes two."""

import math
from itertools import product

from clearwood.conditions import Condition, Plane
from clearwood.table import Column

AGE, SKY = Column("age"), Column("sky", ("sun", "rain", "fog"))
BOUNDS = (-math.inf, 1.0, 2.0, 3.0, math.inf)


def passes(condition, value):
    if condition.values is not None:
        return value in condition.values
    return condition.lower < value <= condition.upper


def test_what_passes_a_merged_condition_passes_both():
    numeric = [Condition(0, AGE, low, high) for low, high in product(BOUNDS, BOUNDS)]
    nominal = [Condition(1, SKY, values=values) for values in ((), (0,), (0, 2), (1, 2), (0, 1, 2))]
    for conditions, cells in ((numeric, (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5)), (nominal, (0, 1, 2))):
        for one, other in product(conditions, conditions):
            both = one.merged(other)
            assert [passes(both, x) for x in cells] == [passes(one, x) and passes(other, x) for x in cells]


def test_a_row_without_the_value_passes_both_or_is_turned_away():
    ways = (True, False, None)
    for one, other in product(ways, ways):
        both = Condition(0, AGE, missing=one).merged(Condition(0, AGE, missing=other)).missing
        assert both is (False if False in (one, other) else True if one and other else None)


def test_conditions_that_nothing_or_everything_passes():
    assert Condition(0, AGE, 2.0, 2.0).is_empty and Condition(0, AGE, 3.0, 2.0).is_empty
    assert not Condition(0, AGE, 2.0, 2.5).is_empty and not Condition(0, AGE).is_empty
    assert Condition(1, SKY, values=()).is_empty and not Condition(1, SKY, values=(1,)).is_empty
    assert Condition(1, SKY, values=(0, 1, 2)).is_void and Condition(1, SKY, values=(0, 1, 2), missing=True).is_void
    assert not Condition(1, SKY, values=(0, 1, 2), missing=False).is_void  # it turns missing values away
    assert not Condition(1, SKY, values=(0, 1)).is_void and not Condition(0, AGE).is_void


def test_conditions_are_about_a_column_or_a_plane():
    plane = Plane((0, 2), (AGE, Column("mass")), (1.0, -2.0))
    assert Condition(-1, plane.as_column(), upper=3.0, plane=plane).subject == plane
    assert Condition(1, SKY, values=(1,)).subject == 1
    assert plane.as_column() == Column("age − 2·mass")
