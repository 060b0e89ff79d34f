"""A short run of every fuzzer; ``make fuzz`` makes the long one."""

import numpy as np
import pytest
from areas import AREAS, run_case
from real_files import real_case, real_sets
from servers import postgres_binaries, postgres_uri
from sql_area import POSTGRES

__all__ = ["postgres_uri"]

CASES = {"checkpoints": 60, "kernels": 40, "readers": 80, "models": 120, "sql": 25, "views": 25}


@pytest.mark.parametrize("area", AREAS)
def test_nothing_is_found(area, tmp_path, request, monkeypatch):
    if area == "sql" and postgres_binaries():
        monkeypatch.setenv(POSTGRES, request.getfixturevalue("postgres_uri"))
    outcomes = {seed: run_case(area, seed, tmp_path) for seed in range(CASES[area])}
    assert not {seed: words for seed, (outcome, words) in outcomes.items() if outcome == "finding"}
    assert len({outcome for outcome, _ in outcomes.values()}) > 1, "a fuzzer that meets one answer only tries nothing"


@pytest.mark.parametrize("name", real_sets() or [None])
def test_whole_real_files_are_read_as_another_reader_reads_them(name, tmp_path):
    if name is None:
        pytest.skip("the papers' data sets are not here; name their folder by $CLEARWOOD_DATA")
    rng = np.random.default_rng(len(name))
    assert real_case(rng, tmp_path, name=name, whole=True, form="arff") == "real arff"
    assert real_case(rng, tmp_path, name=name, whole=True, form="csv") == "real csv"


@pytest.mark.parametrize(("area", "seed"), [("kernels", 1_007_885)])
def test_what_was_found_once_is_not_found_again(area, seed, tmp_path):
    assert run_case(area, seed, tmp_path)[0] != "finding"
