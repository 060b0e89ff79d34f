"""The results store: what is in it stays, and what is wrong with it is said."""

import os
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest

from clearwood.studies.store import Store, StoreError
from clearwood.studies.units import Result, TableFacts, Unit, plan_units

NAMES = ["accuracy", "balanced_accuracy", "log_loss", "brier", "auc"]
NAMES += ["nodes", "leaves", "features", "depth", "fit_seconds"]
UNIT = Unit("s", "iris", "c45", 1, 2)
DONE = Result(
    UNIT,
    "done",
    {name: 0.1 * i for i, name in enumerate(NAMES)} | {"fidelity": 1e-300},
    {"class": "C45", "prune": True, "max_depth": None},
    seed=2**31 - 1,
    versions={"python": "3.11"},
    seconds=0.25,
    finished="2026-01-01T00:00:00.000000+00:00",
    probe=np.array([0, 1, 65535]),
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.db"


def test_a_result_comes_back_as_it_was(path):
    with Store(path) as store:
        assert store.add(DONE)
    with Store(path) as store:
        (found,) = store.results("s")
        assert found == DONE and found.probe.tolist() == [0, 1, 65535]
        assert store.results("other") == [] and store.statuses() == {UNIT: "done"}
        assert store.results(probes=False)[0].probe is None


def test_nan_is_a_score_that_does_not_apply(path):
    with Store(path) as store:
        store.add(replace(DONE, scores={"accuracy": 0.5, "nodes": float("nan")}))
        scores = store.results()[0].scores
        assert list(scores) == NAMES and scores["accuracy"] == 0.5 and np.isnan(scores["nodes"])
        assert store.query("SELECT accuracy, nodes, other_scores FROM results") == [(0.5, None, None)]


def test_the_first_done_result_stays(path):
    with Store(path) as store:
        assert store.add(replace(DONE, status="failed", error="bad luck"))
        assert store.add(DONE)
        assert not store.add(replace(DONE, seconds=99.0))
        assert store.results() == [DONE]


def test_many_threads_add_and_list(path):
    units = plan_units("s", ["a", "b"], ["x", "y"], cv=10, repeats=5)
    with Store(path) as store:
        threads = [
            threading.Thread(target=lambda part=part: [store.add(replace(DONE, unit=unit)) for unit in part])
            for part in (units[::2], units[1::2], units[::3])
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(store.statuses("s")) == set(units) and len(store.results("s")) == len(units) == 200


def test_folds_of_the_store_are_kept(path):
    first, second = np.array([0, 1, 0]), np.array([1, 1, 0])
    with Store(path) as store:
        assert store.keep_folds("s", "iris", 0, first).tolist() == [0, 1, 0]
        assert store.keep_folds("s", "iris", 0, second).tolist() == [0, 1, 0]
        assert store.keep_folds("s", "iris", 3, second).tolist() == [1, 1, 0]
        assert {repeat: folds.tolist() for repeat, folds in store.folds("s", "iris").items()} == {
            0: [0, 1, 0],
            3: [1, 1, 0],
        }


def test_a_study_keeps_its_tables_and_learners(path):
    facts = TableFacts("iris", 150, 4, 3)
    with Store(path) as store:
        store.keep_table("s", facts, "abc", 10, 0)
        store.keep_table("s", facts, "abc", 10, 0)
        store.keep_table("t", facts, "other", 5, 1)
        with pytest.raises(
            ValueError, match=r"'iris' was begun with cv=10, now 5; use another study= or another store"
        ):
            store.keep_table("s", facts, "abc", 5, 0)
        with pytest.raises(ValueError, match=r"other rows under that name"):
            store.keep_table("s", facts, "changed", 10, 0)
        store.keep_learner("s", "c45", {"confidence": 0.25, "missing": float("nan"), "old": 1})
        store.keep_learner("s", "c45", {"confidence": 0.25, "missing": float("nan"), "new": 1})
        with pytest.raises(ValueError, match=r"'c45' was begun with confidence=0.25, now 0.1"):
            store.keep_learner("s", "c45", {"confidence": 0.1})


def test_a_store_of_another_version_is_left_alone(path):
    Store(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"has version 99, and this clearwood reads version 1"):
        Store(path)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_left_alone(path):
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE customers (name TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        Store(path)
    assert path.read_bytes() == before


def test_a_store_that_another_makes_meanwhile_is_taken_for_what_it_is(path, monkeypatch):
    """It is made between two questions that are asked of the file."""
    plain, others = sqlite3.connect, []

    class Interrupted(sqlite3.Connection):
        def execute(self, statement, *values):
            found = super().execute(statement, *values)
            if statement == "PRAGMA application_id" and not others:
                others.append(threading.Thread(target=lambda: Store(path).close()))
                monkeypatch.setattr(sqlite3, "connect", plain)
                others[0].start()
                others[0].join(0.5)  # where all questions are asked at one moment it has to wait
            return found

    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: plain(*args, factory=Interrupted, **options))
    with Store(path) as store:
        assert store.results() == []
    others[0].join()


def test_a_file_that_is_no_database(path):
    path.write_text("these are not the results you are looking for\n" * 50)
    with pytest.raises(StoreError, match="no results store"):
        Store(path)


def test_a_damaged_file_says_so_and_is_not_touched(path):
    with Store(path) as store:
        for unit in plan_units("s", ["a"], ["x"], cv=10, repeats=30):
            store.add(replace(DONE, unit=unit))
    content = bytearray(path.read_bytes())
    content[8192 : len(content) // 2] = os.urandom(len(content) // 2 - 8192)
    path.write_bytes(bytes(content))
    with pytest.raises(StoreError, match=r"damaged .*recover"), Store(path) as store:
        store.results()


@pytest.mark.parametrize("place", ["folder", "under_a_file", "proc"])
def test_a_place_where_nothing_can_be_written(tmp_path, place):
    (tmp_path / "file").touch()
    path = {"folder": tmp_path, "under_a_file": tmp_path / "file" / "r.db", "proc": "/proc/r.db"}[place]
    with pytest.raises(StoreError, match=r"store"):
        Store(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match=r"its folder cannot be written"):
            Store(tmp_path / "r.db")
    finally:
        tmp_path.chmod(0o700)


def test_a_full_disk_loses_nothing_that_was_taken(path):
    units = plan_units("s", ["a"], ["x"], cv=10, repeats=100)
    taken = []
    with Store(path) as store:
        store.query("PRAGMA max_page_count = 30")  # SQLite then reports what it reports for a full disk

        def add_all():
            for unit in units:
                store.add(replace(DONE, unit=unit, params={"unit": str(unit)}))
                taken.append(unit)

        with pytest.raises(StoreError, match=r"the disk is full; every result .* is in it"):
            add_all()
        assert 0 < len(taken) < len(units)
        store.query("PRAGMA max_page_count = 100000")
        assert set(store.statuses()) == set(taken)
        for unit in units:  # the same store goes on, shared texts included
            store.add(replace(DONE, unit=unit, params={"unit": str(unit)}))
        assert all(result.params == {"unit": str(result.unit)} for result in store.results())
    with Store(path) as store:
        assert set(store.statuses()) == set(units)


FILL = """
import resource, signal, sys
from clearwood.studies.store import Store, StoreError
from clearwood.studies.units import Result, plan_units
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))  # no file may grow beyond
store = Store(sys.argv[1])
try:
    for unit in plan_units("s", ["a"], ["x"], cv=10, repeats=1000):
        store.add(Result(unit, "done", {"accuracy": 0.5}))
        print(unit.repeat, unit.fold, flush=True)
except StoreError as error:
    print(error, file=sys.stderr)
"""


def test_a_file_that_cannot_grow(path):
    done = subprocess.run([sys.executable, "-c", FILL, str(path)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "run the same command again" in done.stderr
    reported = {tuple(map(int, line.split())) for line in done.stdout.splitlines()}
    with Store(path) as store:
        stored = {(unit.repeat, unit.fold) for unit in store.statuses()}
    assert len(reported) > 50 and reported <= stored
