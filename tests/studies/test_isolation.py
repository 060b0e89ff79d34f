"""Units in processes of their own: what takes too long or dies fails alone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

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


def test_workers_end_with_a_killed_parent_even_if_they_never_had_a_unit(tmp_path):
    """joblib keeps an idle worker for five minutes; two units leave two of four without any."""
    code = (
        "import clearwood as cw; table = cw.artificial.chess2(random_state=0); "
        "cw.compare({'slow': cw.LinearTreeClassifier(generations=10**9, patience=10**9)}, [table], cv=2, repeats=1, "
        "backend='processes', n_jobs=4)"
    )
    paths = os.pathsep.join([*sys.path, str(tmp_path)])
    process = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths})
    try:
        workers = _eventually(lambda: _loky_workers(process.pid), lambda found: len(found) == 4)
    finally:
        process.kill()
        process.wait()
    assert _eventually(lambda: [pid for pid in workers if _is_alive(pid)], lambda left: not left) == []


def _eventually(look, enough):
    """What is seen when it is enough, or after two minutes, which no idle worker's five have passed by then."""
    for _ in range(1200):
        found = look()
        if enough(found):
            break
        time.sleep(0.1)
    return found


def _loky_workers(parent):
    workers = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (
                f"PPid:\t{parent}\n" in (folder / "status").read_text()
                and b"popen_loky" in (folder / "cmdline").read_bytes()
            ):
                workers.append(int(folder.name))
        except OSError:  # it ended while we looked
            continue
    return workers


def _is_alive(pid):
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
