"""A short run of every fuzzer; ``make fuzz`` makes the long one."""

import pytest
from areas import AREAS, run_case

CASES = {"checkpoints": 60, "kernels": 40, "readers": 80, "models": 120, "sql": 25, "views": 25}


@pytest.mark.parametrize("area", AREAS)
def test_nothing_is_found(area, tmp_path):
    outcomes = {seed: run_case(area, seed, tmp_path) for seed in range(CASES[area])}
    assert not {seed: words for seed, (outcome, words) in outcomes.items() if outcome == "finding"}
    assert len({outcome for outcome, _ in outcomes.values()}) > 1, "a fuzzer that meets one answer only tries nothing"
