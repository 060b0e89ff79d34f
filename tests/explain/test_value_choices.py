"""Which values must be taken: no fewer features would do, and what is named does."""

import math
from itertools import chain, product

import numpy as np
import pytest
from nominal_planes import with_nominal_terms
from sample_trees import random_table, random_tree

from clearwood.conditions import Condition, Plane
from clearwood.explain import value_choices
from clearwood.explain.value_choices import is_met, least_choice
from clearwood.plane_sums import plane_sums
from clearwood.table import Column, Table

SKY, WIND = Column("sky", ("sun", "rain", "fog", "hail")), Column("wind")


def cases(seed, most_numbers):
    """Rows, each with the conditions of a leaf: some leaves can be reached by no row."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60, missing=0.1)
    tree = with_nominal_terms(rng, random_tree(rng, table), most_numbers)
    rules = [rule for rule in tree.rules(include_empty=True) if not any(c.is_empty for c in rule.conditions)]
    for row in range(6):
        cells = [table.column(i)[row].item() for i in range(5)]
        for rule in rules:
            yield table.columns, rule.conditions, cells


def values_at_hand(columns, cells):
    """For each column its codes; no value becomes a missing one."""
    return [range(min(cell, 0), column.n_values) for column, cell in zip(columns, cells, strict=True)]


@pytest.mark.parametrize("seed", range(12))
def test_where_sums_have_no_numbers_no_fewer_features_would_do(seed):
    for columns, conditions, cells in cases(seed, 0):
        least = math.inf
        fixed = sum(not is_met(c, cells) for c in conditions if c.plane is None and c.values is None)
        about_values = [c for c in conditions if c.plane is not None or c.values is not None]
        for codes in product(*values_at_hand(columns[2:], cells[2:])):
            if all(is_met(condition, [0.0, 0.0, *codes]) for condition in about_values):
                least = min(least, fixed + sum(a != b for a, b in zip(codes, cells[2:], strict=True)))
        choice = least_choice(conditions, cells)
        assert (math.inf if choice is None else len(choice.features)) == least
        if choice is not None:
            assert least_choice(conditions, cells, least) == choice and choice.sums == ()
            assert least_choice(conditions, cells, least - 1) is None


def test_any_of_the_values_will_do():
    n_chosen = 0
    for _, every, cells in chain.from_iterable(cases(seed, 2) for seed in range(12)):
        conditions = [c for c in every if c.plane is not None or c.values is not None]
        choice = least_choice(conditions, cells)
        if choice is None or choice.sums or choice.features != choice.values.keys():
            continue
        n_chosen += bool(choice.values)
        for codes in product(*choice.values.values()):
            there = list(cells)
            for feature, code in zip(choice.values, codes, strict=True):
                assert code != there[feature]
                there[feature] = code
            assert all(is_met(condition, there) for condition in conditions)
    assert n_chosen > 100


@pytest.mark.parametrize("seed", range(12))
def test_what_is_told_is_enough_wherever_the_numbers_go(seed):
    rng = np.random.default_rng(seed)
    for _, conditions, cells in cases(seed, 2):
        choice = least_choice(conditions, cells)
        if choice is None:
            continue
        own = {c.feature: c for c in conditions if c.plane is None}
        changed = [f for f in choice.features if f not in choice.values and f in own and not is_met(own[f], cells)]
        for _ in range(20):
            there = list(cells)
            for feature in choice.features & {0, 1}:
                there[feature] = float(rng.integers(-12, 13) / 2)
            for feature in changed:
                there[feature] = rng.choice(own[feature].values) if own[feature].values else there[feature]
            for feature, codes in choice.values.items():
                there[feature] = rng.choice(codes)
            told = [*choice.sums, *(own[f] for f in choice.features if f in own)]
            if all(is_met(condition, there) for condition in told):
                assert all(is_met(condition, there) for condition in conditions)


@pytest.mark.parametrize("seed", range(4))
def test_no_row_of_a_grid_comes_there_with_fewer_changes(seed):
    """A sum with one number counts no feature too many."""
    steps = np.arange(-8.0, 8.1, 0.5) + 0.25
    for columns, conditions, cells in list(cases(seed, 1))[::7]:
        numbers = [np.append(steps, cell) for cell in cells[:2]]
        grid = np.array(list(product(*numbers, *values_at_hand(columns[2:], cells[2:]))))
        there = Table(columns, list(grid.T))
        inside = np.ones(len(grid), dtype=bool)
        for c in conditions:
            found = there.column(c.feature) if c.plane is None else plane_sums(c.plane, there)
            if c.values is not None:
                inside &= np.isin(found, c.values) | ((found < 0) & (c.missing is True))
            else:
                inside &= ((found > c.lower) & (found <= c.upper)) | (np.isnan(found) & (c.missing is True))
        if inside.any():
            same = (grid == cells) | (np.isnan(grid) & np.isnan(cells))
            least = int((~same[inside]).sum(axis=1).min())
            assert len(least_choice(conditions, cells).features) <= least


def windy_rain(**bounds):
    plane = Plane((1, 0, 0), (WIND, SKY, SKY), (0.1, 2.0, -1.0), codes=(-1, 1, 2))
    return Condition(-1, plane.as_column(), plane=plane, **bounds)


def test_a_value_is_named_before_a_sum_and_all_that_count_alike_together():
    assert least_choice([windy_rain(lower=0.5)], [0, 3.0]).values == {0: (1,)}
    assert least_choice([windy_rain(upper=0.5)], [1, 3.0]).values == {0: (0, 2, 3)}
    assert least_choice([windy_rain(upper=0.0)], [1, 3.0]).values == {0: (2,)}


def test_numbers_move_where_no_value_is_enough_and_their_conditions_let_them():
    high = windy_rain(lower=5.0)
    choice = least_choice([high], [1, 3.0])
    assert choice.values == {} and choice.sums == (high,) and choice.features == {1}
    assert least_choice([high], [0, 3.0]).values == {}, "more wind is one change, rain and more wind are two"
    calm = Condition(1, WIND, upper=20.0)
    assert least_choice([high, calm], [1, 3.0]) is None
    assert least_choice([windy_rain(lower=3.9), calm], [0, 3.0]).values == {0: (1,)}
    assert least_choice([windy_rain(lower=3.9), calm], [0, 3.0]).features == {0, 1}
    assert least_choice([windy_rain(lower=4.0), calm], [0, 3.0]) is None, "not above four, with rain and the most wind"


def test_the_lower_end_of_a_condition_is_no_part_of_it():
    plane = Plane((1, 0), (WIND, SKY), (1.0, 2.0), codes=(-1, 1))
    still = Condition(-1, plane.as_column(), upper=3.0, plane=plane)
    assert least_choice([still, Condition(1, WIND, lower=3.0)], [0, 9.0]) is None
    plane = Plane((1, 0), (WIND, SKY), (-1.0, 2.0), codes=(-1, 1))
    still = Condition(-1, plane.as_column(), upper=-3.0, plane=plane)
    assert least_choice([still, Condition(1, WIND, upper=3.0)], [0, 0.0]).features == {1}


def test_a_sum_that_a_change_spoils_counts_too():
    much = Condition(1, WIND, lower=30.0)
    choice = least_choice([windy_rain(upper=2.5), much], [1, 3.0])
    assert choice.features == {0, 1} and choice.values == {0: (2,)}, "with 30 of wind the sum stays below in fog alone"


def test_a_sum_without_a_number_is_met_by_rows_that_go_on_and_no_value_is_missed():
    assert least_choice([windy_rain(lower=0.5, missing=True)], [0, math.nan]).features == frozenset()
    assert least_choice([windy_rain(lower=0.5)], [-1, 3.0]).values == {0: (1,)}
    assert least_choice([windy_rain(lower=0.5)], [1, math.nan]).features == {1}


def test_a_leaf_with_too_many_combinations_is_left_out(monkeypatch):
    columns = [Column(f"c{i}", ("no", "yes")) for i in range(30)]
    plane = Plane(tuple(range(30)), tuple(columns), (1.0,) * 30, codes=(1,) * 30)
    half = Condition(-1, plane.as_column(), lower=14.5, plane=plane)
    assert least_choice([half], [0] * 30) is None
    monkeypatch.setattr(value_choices, "MOST_TRIES", 10**6)
    few = Condition(-1, plane.as_column(), lower=2.5, plane=plane)
    assert len(least_choice([few], [0] * 30).features) == 3
