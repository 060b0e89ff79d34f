"""Units in processes of their own: what takes too long or dies fails alone."""

from __future__ import annotations

from collections import Counter

import pytest
from fragile_learners import Deadly, Majority
from sample_study import blobs, essence

import clearwood as cw


@pytest.mark.parametrize("backend", ["sequential", "threads", "processes"])
def test_a_time_limit_ends_what_takes_too_long(backend):
    learners = {"quick": Majority(), "slow": Majority(pause=3600)}  # who waits for it waits for an hour
    found = cw.compare(learners, blobs(), cv=2, repeats=1, time_limit=0.5, backend=backend, n_jobs=2)
    assert Counter((r.unit.learner, r.status) for r in found.results) == {("quick", "done"): 2, ("slow", "timeout"): 2}
    assert found.failures[0].error == "TimeLimit: the unit took more than 0.5 seconds"


def test_a_time_limit_changes_no_result():
    learners = ["c45", "sklearn.tree:DecisionTreeClassifier"]
    tables = [blobs(missing=True), blobs(seed=1, name="more")]
    free = cw.compare(learners, tables, cv=3, repeats=1)
    limited = cw.compare(learners, tables, cv=3, repeats=1, time_limit=60, n_jobs=1)
    assert essence(free.results) == essence(limited.results)


@pytest.mark.parametrize("n_jobs", [1, 2])  # a single worker must not be this process
def test_a_unit_that_always_kills_its_worker_fails_alone(tmp_path, n_jobs):
    learners = {"good": Majority(), "deadly": Deadly(str(tmp_path / "never"), leaves_marker=False)}
    found = cw.compare(learners, blobs(), cv=2, repeats=1, backend="processes", n_jobs=n_jobs)
    assert Counter((r.unit.learner, r.status) for r in found.results) == {("good", "done"): 2, ("deadly", "failed"): 2}
    assert found.failures[0].error == "WorkerDied: the process of the unit was ended by SIGKILL"
