"""Team: threads that meet between parts and share the units of each."""

import numpy as np
import pytest

from clearwood.kernels.common.team import Team
from clearwood.threads import Crew


@pytest.mark.parametrize("size", [1, 2, 5, 40])  # more than most machines have cores: those who wait sleep
def test_every_unit_of_every_part_is_done_once(size):
    team, done = Team(size), np.zeros(7, dtype=np.int64)
    whole = Crew(size).run(lambda _: team.count_together(20, 7, done), team.break_up)
    assert whole == [True] * size
    assert done.tolist() == [sum(range(1, 21))] * 7  # parts that overlapped would have lost some


def test_nobody_waits_for_a_member_that_fails():
    team, done = Team(3), np.zeros(4, dtype=np.int64)

    def work(number):
        if number == 1:
            raise ArithmeticError("no more")
        return team.count_together(5, 4, done)

    with pytest.raises(ArithmeticError, match="no more"):
        Crew(3).run(work, team.break_up)


def follow(team, done):
    """A member that goes through parts of one unit until the team is broken up."""
    while team.count_together(1, 1, done):
        pass


def test_a_leader_may_go_and_come_back():
    team, done = Team(3), np.zeros(1, dtype=np.int64)
    others = Crew(3).call(lambda _: follow(team, done), team.break_up)
    for part in range(1, 51):
        assert team.count_together(1, 1, done)
        team.go()
        assert done.tolist() == [part]
        assert team.come()
    team.break_up()
    for other in others:
        other.result(30)
    team.go()
    assert not team.come()  # there is nobody to lead


def test_those_who_wait_long_for_a_leader_leave():
    team, done = Team(3), np.zeros(1, dtype=np.int64)
    others = Crew(3).call(lambda _: follow(team, done), team.break_up)
    assert team.count_together(1, 1, done)
    team.go()
    for other in others:
        other.result(30)
    assert not team.come()


def test_a_team_has_members():
    with pytest.raises(ValueError, match="size must be at least 1, got 0"):
        Team(0)
