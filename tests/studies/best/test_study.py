"""The study of ``best`` in its small version, and its figures."""

import json

import numpy as np
import pytest

from clearwood.studies.best.report import Covered
from clearwood.studies.best.simulated import NEW_ROWS, all_simulated, noise_table, simulate
from clearwood.studies.reproduce import find_study, reproduce


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    store = tmp_path_factory.mktemp("study") / "best.sqlite"
    return store, reproduce("best", quick=True, store=store, backend="sequential", progress=False)


def test_the_small_version_has_all_tables(quick):
    _, found = quick
    text = str(found)
    assert "Coverage:" in text and "Noise: of 2 tables" in text
    assert not found.comparison.failures and not found.simulated.failures
    covered = found.covered()
    assert len(covered) == 3 and all(0 <= one.low <= one.high <= 1 for one in covered)
    assert found.noise()[1] == 2
    for one in found.regret():
        assert one["regret"] == pytest.approx(one["rival_accuracy"] - one["accuracy"])
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_second_run_does_nothing_anew(quick, monkeypatch, tmp_path):
    store, found = quick
    monkeypatch.setattr("clearwood.best.procedure.best", None)  # would fail if it were called
    again = reproduce("best", quick=True, store=store, backend="sequential", progress=False)
    assert str(again) == str(found)
    again.write_csv(tmp_path / "best.csv")
    assert (tmp_path / "best.csv").read_text(encoding="utf-8").startswith("data")


def test_simulated_tables_are_of_all_kinds_and_repeat():
    made = all_simulated(200, 0)
    assert len({(one.kind, one.n_rows, one.noise) for one in made}) == 100
    train, new = simulate(made[3])
    assert train.n_rows == made[3].n_rows and new.n_rows == NEW_ROWS
    assert np.array_equal(train.y, simulate(made[3])[0].y) and train.columns == new.columns


def test_noise_tells_nothing():
    table = noise_table(20_000, 1)
    share = (table.y == 1).mean()
    for i in range(8):
        above = table.column(i) > 0
        assert abs((table.y[above] == 1).mean() - share) < 0.03


def test_an_interval_holds_what_it_holds():
    assert Covered("steps", 60, 0.1, 0.12, 0.05, 0.2, True).holds
    assert not Covered("steps", 60, 0.3, 0.12, 0.05, 0.2, True).holds


def test_the_study_is_listed():
    study = find_study("best")
    assert len(study.published()) >= 20 and "25 data sets" in study.notes()
