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


def test_a_team_has_members():
    with pytest.raises(ValueError, match="size must be at least 1, got 0"):
        Team(0)
