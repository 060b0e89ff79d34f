"""A study that is killed, shared, starved or cut off: nothing that was reported is lost, nothing is done twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from fragile_learners import Failing, Majority
from sample_study import blobs

import clearwood as cw
from clearwood.studies.store import Store, StoreError
from clearwood.studies.units import plan_units

PROGRAM = Path(__file__).parents[1] / "helpers" / "study_program.py"
UNITS = set(plan_units("compare", ["blobs"], ["slow", "slower"], cv=5, repeats=6))


def start(store, diary, pause=0.02, repeats=6, backend="threads", limit=0):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.Popen(
        [sys.executable, str(PROGRAM), str(store), str(diary), str(pause), str(repeats), backend, str(limit)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def fits(diary):
    return [tuple(line.split()) for line in diary.read_text().splitlines()] if diary.exists() else []


def test_killed_at_random_moments_it_goes_on(tmp_path):
    store, diary = tmp_path / "r.db", tmp_path / "diary"
    rng = random.Random(7)
    before, kills = {}, 0
    while True:
        began = len(fits(diary))
        process = start(store, diary)
        assert process.stdout is not None
        reported = 0
        stop_after = rng.randrange(3, 25)
        for line in process.stdout:
            reported = int(line.split()[0])
            if kills < 4 and reported >= len(before) + stop_after:
                time.sleep(rng.random() * 0.02)
                process.kill()
                kills += 1
                break
        reported = max([reported, *(int(line.split()[0]) for line in process.stdout)])
        status = process.wait(timeout=60)
        with Store(store) as kept:
            rows = {result.unit: result for result in kept.results()}
        assert len(rows) >= reported, "a unit that was reported as done is lost"
        assert all(repr(rows[unit]) == repr(result) for unit, result in before.items()), "a row has changed"
        seeds = {str(result.seed) for result in before.values()}
        assert not seeds & {seed for _, seed in fits(diary)[began:]}, "a finished unit was run again"
        before = rows
        if status == 0:
            break
        assert status == -signal.SIGKILL
    assert kills == 4 and set(rows) == UNITS
    assert len(fits(diary)) <= len(UNITS) + 4 * kills  # what two workers had in hand or just finished, no more


def test_killed_before_the_first_result(tmp_path):
    store, diary = tmp_path / "r.db", tmp_path / "diary"
    for pause in (0.0, 0.3, 0.6):  # while it imports, opens the store, deals folds
        process = start(store, diary, repeats=1)
        time.sleep(pause)
        process.kill()
        process.communicate()
    process = start(store, diary, repeats=1)
    assert process.communicate(timeout=60) and process.returncode == 0
    with Store(store) as kept:
        assert set(kept.statuses().values()) == {"done"} and len(kept.statuses()) == 10


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="needs Linux's /proc")
@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_a_killed_study_leaves_no_process_behind(tmp_path, backend):
    process = start(tmp_path / "r.db", tmp_path / "diary", pause=300, backend=backend, limit=600)
    wait_for(lambda: len(fits(tmp_path / "diary")) >= 2)
    process.kill()
    process.communicate(timeout=60)  # ends when no process holds its output any more
    workers = {int(pid) for pid, _ in fits(tmp_path / "diary")}
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.1)


def test_two_processes_share_the_work(tmp_path):
    store, diary = tmp_path / "r.db", tmp_path / "diary"
    processes = [start(store, diary, pause=0.03) for _ in range(2)]
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    with Store(store) as kept:
        assert set(kept.statuses()) == UNITS
        assert kept.query("SELECT count(*) FROM claim") == kept.query("SELECT count(*) FROM holder") == [(0,)]
    done = fits(diary)
    assert set(Counter(seed for _, seed in done).values()) == {1}, "a unit was run by both"
    assert len({process for process, _ in done}) == 2, "one process did everything"


def test_failing_units_are_recorded_and_the_rest_goes_on(tmp_path):
    cure = tmp_path / "cure"
    learners = {"good": Majority(), "bad": Failing(str(cure))}
    options = {"cv": 3, "repeats": 2, "store": tmp_path / "r.db"}

    def rows():
        with Store(tmp_path / "r.db") as store:
            return {result.unit: result for result in store.results()}

    cw.compare(learners, blobs(), **options)
    first = rows()
    assert Counter((unit.learner, result.status) for unit, result in first.items()) == {
        ("good", "done"): 6,
        ("bad", "failed"): 6,
    }
    failed = next(result for result in first.values() if result.status == "failed")
    assert failed.error.startswith("RuntimeError: no luck today\n") and "fragile_learners.py" in failed.error
    assert failed.scores == {} and failed.params["cure"] == str(cure)
    cure.touch()
    cw.compare(learners, blobs(), **options)
    assert repr(rows()) == repr(first)  # failed ones are left as they are, unless asked for
    cw.compare(learners, blobs(), retry_failed=True, **options)
    again = rows()
    assert {result.status for result in again.values()} == {"done"}
    assert all(repr(again[unit]) == repr(result) for unit, result in first.items() if result.status == "done")


def test_failing_again_is_not_tried_for_ever(tmp_path):
    options = {"cv": 2, "repeats": 1, "store": tmp_path / "r.db"}
    cw.compare({"bad": Failing()}, blobs(), **options)
    found = cw.compare({"bad": Failing()}, blobs(), retry_failed=True, **options)
    assert [result.status for result in found.results] == ["failed", "failed"]


def test_a_full_disk_ends_the_study_and_the_same_call_goes_on(tmp_path):
    table, path = blobs(), tmp_path / "r.db"
    reported = []
    with Store(path) as store:
        store.query("PRAGMA max_page_count = 60")
        with pytest.raises(StoreError, match="disk is full"):
            cw.compare(["c45", "cart"], table, store=store, repeats=20, progress=lambda done, _: reported.append(done))
    with Store(path) as store:
        before = store.results()
    assert len(before) >= max(reported) > 0
    found = cw.compare(["c45", "cart"], table, store=path, repeats=20)
    assert len(found.results) == 400 and {result.status for result in found.results} == {"done"}
    by_unit = {result.unit: result for result in found.results}
    assert all(by_unit[result.unit].finished == result.finished for result in before)


def test_an_interruption_leaves_nothing_half_done(tmp_path):
    class Stop(KeyboardInterrupt):
        pass

    def stop(done, total):
        if done == 7:
            raise Stop

    with pytest.raises(Stop):
        cw.compare(["c45", "cart"], blobs(), repeats=1, store=tmp_path / "r.db", progress=stop)
    with Store(tmp_path / "r.db") as store:
        rows = store.results()
        assert len(rows) == 7 and {result.status for result in rows} == {"done"}
        assert store.query("SELECT count(*) FROM claim") == [(0,)]
    found = cw.compare(["c45", "cart"], blobs(), repeats=1, store=tmp_path / "r.db")
    assert len(found.results) == 20
