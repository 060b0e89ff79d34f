"""Plans: the same for the same size, larger for a larger budget."""

import pytest

from clearwood.best.plan import make_plan

SIZES = [(30, 3, 2), (100, 10, 2), (1000, 20, 2), (1000, 20, 10), (60, 500, 2), (5000, 10, 50), (20_000, 16, 26)]


@pytest.mark.parametrize("size", [*SIZES, (100_000, 20, 2), (1_000_000, 20, 2)])
def test_a_plan_keeps_to_its_budget(size):
    plan = make_plan(*size)
    assert plan.stages[0] == "greedy" and plan.seconds <= 60
    assert make_plan(*size) == plan


@pytest.mark.parametrize("size", SIZES)
def test_more_time_is_never_less_effort(size):
    small, large = make_plan(*size, budget=5), make_plan(*size, budget=600)
    assert set(small.stages) <= set(large.stages)
    assert small.effort.generations <= large.effort.generations
    assert set(large.left_out).isdisjoint(large.stages)


def test_trees_beyond_the_wanted_size_are_not_searched():
    effort = make_plan(1000, 20, 2, most=8).effort
    assert max(effort.greedy_sizes[-1], effort.distilled_sizes[-1], effort.pareto_sizes[-1]) == 8
