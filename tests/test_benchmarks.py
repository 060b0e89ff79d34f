"""The benchmarks on tiny sizes: they run, fill their fields and check what they claim; times are never judged."""

from __future__ import annotations

import json
import math
import runpy
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from clearwood.learn.registry import LEARNERS, make_learner

pytest.importorskip("rich")
ROOT = Path(__file__).resolve().parents[1]
needs_proc = pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="needs Linux's /proc")


@pytest.fixture(autouse=True)
def _checkout_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT)])  # last, so that the build under test stays first


def module(name: str) -> ModuleType:
    return import_module(f"benchmarks.{name}")


def tiny(n_rows: int = 120, n_columns: int = 4) -> Any:
    return module("tables").two_classes(n_rows, n_columns)


def check_fields(rows: list[Any], name: str) -> None:
    assert rows
    for row in rows:
        assert row.benchmark == name and row.what and row.size and row.peer
        assert row.ours > 0 and row.theirs > 0
        better = row.ours / row.theirs if row.unit == "trees/s" else row.theirs / row.ours
        assert math.isclose(row.ratio, better)
        assert "DIFFER" not in row.note and (row.reached is None or row.goal)
        assert all(isinstance(cell, str) for cell in module("report").cells(row))


def test_many_small_trees() -> None:
    tables = module("tables")
    rows = list(module("many_small_trees").measure(tables.as_table(tiny()), "tiny", n_subsets=3, n_peer=1, repeat=1))
    check_fields(rows, "many_small_trees")
    assert [row.what for row in rows] == ["tiny", "tiny, 2 threads"]


def test_the_peer_scores_each_subset_in_each_fold() -> None:
    from sklearn.model_selection import PredefinedSplit, cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    data, benchmark = tiny(), module("many_small_trees")
    subsets = benchmark.random_subsets(200, 4)
    assert subsets.any(axis=1).all() and 0.4 < subsets.mean() < 0.65
    folds = np.arange(len(data.y)) % benchmark.FOLDS
    found = benchmark.peer_scores(data.X, data.y, folds, subsets[:2])
    for scores, subset in zip(found, subsets, strict=False):
        tree = DecisionTreeClassifier(criterion="entropy", random_state=0)
        expected = cross_val_score(tree, data.X[:, subset], data.y, cv=PredefinedSplit(folds))
        np.testing.assert_allclose(scores, expected)


def test_scores_that_differ_are_seen() -> None:
    from clearwood.learn.batch import Scores

    one = Scores(*(np.ones((2, 3)) for _ in range(4)))
    other = one._replace(n_leaves=np.array([[1, 1, 1], [1, 1, 2.0]]))
    assert module("many_small_trees").identical(one, one) and not module("many_small_trees").identical(one, other)


def test_one_tree() -> None:
    rows = list(module("one_tree").measure(tiny(), 1, threads=True, repeat=1))
    check_fields(rows, "one_tree")
    assert rows[0].goal == "≥ 1×" and rows[1].peer == "1 thread"
    assert next(module("one_tree").measure(tiny(), None, threads=False, repeat=1)).reached is None


def test_scanned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scanned = module("scanned")
    few = {name: scanned.CONTESTANTS[name] for name in ("scan", "in memory")}
    monkeypatch.setattr(scanned, "CONTESTANTS", few)
    peak, ours = scanned.measure(0.003)
    assert peak.ours > 0.01 and "a row" in peak.note and peak.reached is None
    check_fields([ours], "scanned")
    assert (ours.size, ours.peer) == ("3,000 × 8", "in memory")
    accuracies = ours.note.partition("accuracy ")[2].split(", theirs ")
    assert accuracies[0] == accuracies[1] and float(accuracies[0]) > 0.8
    assert "half of this machine's memory" in scanned.compete(tmp_path, "in memory", 10**12)


def test_other_learners() -> None:
    rows = list(module("other_learners").measure(tiny(), repeat=1))
    check_fields(rows, "other_learners")
    assert {row.what.partition(",")[0] for row in rows} == {"CART", "ID3"}


def test_feature_search() -> None:
    benchmark, tables = module("feature_search"), module("tables")
    rows = list(benchmark.measure(tables.as_table(tiny()), "tiny", evaluations=30, quick=True, repeat=1))
    assert rows[0].ours > 0 and "different subsets" in rows[0].note
    if rows[1].ours is None:
        assert "not installed" in rows[1].note
        return
    for row in rows[1:]:
        assert row.benchmark == "feature_search" and math.isclose(row.ratio, row.ours / row.theirs)


def test_every_size(monkeypatch: pytest.MonkeyPatch) -> None:
    every_size = module("every_size")
    row = every_size.front(module("tables").as_table(tiny()), "tiny", 5, 1.0, 3.0, 1)
    assert row.ours > 0 and row.theirs == 3.0 and row.ratio == pytest.approx(3.0 / row.ours) and "2: " in row.note
    monkeypatch.setattr(sys, "argv", ["every_size"])
    found = every_size.measure(2000, 2)
    assert found["seconds"] > 0 and found["peak"] > 1 << 20
    assert every_size.by_rows(500, 2).note.endswith("GiB in all")


def test_linear_trees() -> None:
    from clearwood import artificial

    benchmark = module("linear_trees")
    costs = list(benchmark.cost_of_rows((200, 400)))
    assert [row.size for row in costs] == ["200 × 2", "400 × 2"] and all(row.ours > 0 for row in costs)
    (row,) = benchmark.trees_a_second("tiny", artificial.ls2(200, random_state=0), quick=True, repeat=1)
    assert row.ours > row.theirs > 0 and math.isclose(row.ratio, row.ours / row.theirs)


def test_prediction() -> None:
    rows = list(module("prediction").measure(tiny(), 1, repeat=1))
    check_fields(rows, "prediction")
    assert {row.what for row in rows} == {"predict", "predict_proba"}


@needs_proc
def test_memory_sees_an_array_that_is_freed_again() -> None:
    peak = module("peak")
    peak.settle()
    before = peak.status("VmRSS")
    if peak.status("VmHWM") > before + 5e6:
        pytest.skip("the high-water mark cannot be set back here")
    np.ones(8_000_000).sum()
    assert 60e6 < peak.status("VmHWM") - before < 90e6


@needs_proc
def test_memory() -> None:
    rows = list(module("memory").measure(tiny(20_000, 5), 3))
    check_fields(rows, "memory")
    assert [row.what for row in rows] == ["peak in fit(X, y)", "peak in fit(table)"]


def test_weka_is_left_out_with_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    weka = module("weka")
    monkeypatch.delenv(weka.VARIABLE, raising=False)
    (row,) = weka.run()
    assert weka.VARIABLE in row.note and row.ours is None
    monkeypatch.setenv(weka.VARIABLE, str(tmp_path / "weka.jar"))
    assert "no file" in weka.missing()
    (tmp_path / "weka.jar").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert weka.missing() == "no java on the path"
    with pytest.raises(RuntimeError, match="J48 printed no model: out of memory"):
        weka.parse("", "out of memory")


def test_weka_gets_the_same_table(tmp_path: Path) -> None:
    import clearwood as cw

    module("weka").write_arff(tiny(), tmp_path / "data.arff")
    table = cw.read(tmp_path / "data.arff")
    assert np.array_equal(table.numeric, tiny().X.T) and np.array_equal(table.y, tiny().y)


def test_weka() -> None:
    weka = module("weka")
    if weka.missing():
        pytest.skip(weka.missing())
    rows = list(weka.measure(tiny(), repeat=1))
    assert rows[0].ours > 0 and "BUT" not in rows[0].note


def test_timing_takes_turns_and_keeps_the_best() -> None:
    timing, calls = module("timing"), []

    def slow(name: str, seconds: list[float]) -> str:
        calls.append(name)
        time.sleep(seconds.pop(0))
        return name

    first, second = [0.12, 0.16, 0.14], [0.13, 0.11, 0.12]
    timings = timing.alternate({"a": lambda: slow("a", first), "b": lambda: slow("b", second)}, repeat=3)
    assert sorted(calls[:2]) == sorted(calls[2:4]) == sorted(calls[4:]) == ["a", "b"]
    assert timings["a"].result == "a" and timings["a"].seconds >= 0.12 and timings["b"].seconds >= 0.11
    with pytest.raises(ValueError, match="repeat must be at least 1, got 0"):
        timing.alternate({}, repeat=0)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = module("__main__")
    command.main(["--list"])
    listed = capsys.readouterr().out
    assert all(name in listed for name in command.BENCHMARKS)
    rows = command.main(["--quick", "--only", "weka", "--repeat", "1", "--json", str(tmp_path / "rows.json")])
    assert "goals reached" in capsys.readouterr().out
    saved = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert len(saved["rows"]) == len(rows) == 1 and saved["quick"] and saved["machine"]["cores"] >= 1
    for wrong in (["--repeat", "0"], ["--only", "nothing"]):
        with pytest.raises(SystemExit) as stopped:
            command.main(wrong)
        assert stopped.value.code == 2


def test_page() -> None:
    import shutil

    pytest.importorskip("playwright")
    if not (shutil.which("chromium") or shutil.which("google-chrome")):
        pytest.skip("no Chromium on this machine")
    benchmark = module("page")
    rows = list(benchmark.run(quick=True, repeat=1))
    assert [row.what for row in rows] == list(benchmark.STEPS)
    assert all(row.ours > 0 and row.size == "200 leaves" and row.reached is None for row in rows)


@pytest.mark.parametrize("backend", ["sequential", "threads"])
def test_the_overhead_is_measured(backend):
    row = module("studies").overhead(backend, 10, judged=True, seconds=0.01)
    assert row.ours > row.theirs > 0.01 * 10 / 2 and row.size == "10 units"
    assert row.goal == "overhead < 5%" and row.note.startswith("overhead ")


def test_a_large_store_is_listed():
    rows = list(module("studies").listing(450, judged=True, repeat=1))  # each listing is checked to be whole
    assert [row.what for row in rows] == ["list status of each", "list results", "list results, predictions too"]
    assert all(row.ours > 0 and row.theirs > 0 for row in rows) and rows[0].goal == "< 1 s"


def test_distilled() -> None:
    benchmark = module("distilled")
    table = benchmark.made_table()
    check_fields([benchmark.measure_forest(table.take(range(60)), repeat=1)], "distilled")
    row = benchmark.measure_distilled(table.take(range(60)), "axis", 5.0)
    assert row.what == "made, axis tests" and row.ours > 0 and row.goal == "≤ 5 s" and "leaves" in row.note


def tiny_work(do: Any, prepare: Any = None) -> Any:
    works = module("thread_works")
    return works.Work("tiny", 9, prepare or (lambda quick: do), works.equal)


def test_threads_are_timed_beside_one_and_their_results_compared() -> None:
    threads, asked = module("threads"), []

    def do(n: int) -> list[np.ndarray]:
        asked.append(n)
        time.sleep(0.12 / n)
        return [np.arange(3)]

    gains = threads.measure_work(tiny_work(do), [1, 4], quick=True, repeat=1)
    assert set(asked) == {1, 4} and gains.equal and gains.most == 4 and 1 < gains.gain <= 4.5 and not gains.note
    line = threads.as_lines([gains])[1]
    assert line.startswith("tiny") and "≥ 9" in line and "yes" in line


def test_threads_that_change_a_result_are_seen() -> None:
    threads = module("threads")
    gains = threads.measure_work(tiny_work(lambda n: (np.arange(3), n > 2)), [1, 2, 7], quick=True, repeat=1)
    assert not gains.equal and gains.note == "RESULTS DIFFER with 7 threads" and "NO" in threads.as_lines([gains])[1]


def test_works_that_cannot_be_done_are_left_out() -> None:
    threads = module("threads")

    def lacks(quick: bool) -> Any:
        raise FileNotFoundError("no letter")

    gains = threads.measure_work(tiny_work(None, lacks), [1, 2], quick=True, repeat=1)
    assert gains.note == "left out: no letter" and "–" in threads.as_lines([gains])[1]


@pytest.mark.parametrize("name", ["machine", "pareto_large", "predict", "read_csv", "read_parquet"])
def test_everyday_works_give_the_same_by_threads(name: str) -> None:
    threads = module("threads")
    gains = threads.measure_work(threads.WORKS[name], [1, 2], quick=True, repeat=1)
    assert gains.equal and gains.goal is None and not gains.note and gains.seconds[2] > 0


def test_tiny_tables() -> None:
    benchmark = module("tiny_tables")
    row = benchmark.measure("c45", module("tables").as_table(tiny()), repeat=1)
    check_fields([row], "tiny_tables")
    assert row.what == "c45, n_jobs=-1" and row.goal == "≤ 1.1 × one thread" and not row.note


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_no_thread_is_begun_for_a_tiny_table(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    begin = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        begun.append(thread.name)
        begin(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    table = module("tables").as_table(module("tables").iris())
    learner = make_learner(name + module("tiny_tables").SHORT.get(name, ""), random_state=0, n_jobs=2)
    if "progress" in learner.get_params():
        learner.set_params(progress=False)
    learner.fit(table).predict_proba(table)
    assert begun == []


def test_the_command_for_threads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = module("__main__")
    command.main(["--threads", "--list"])
    assert "one C4.5 tree" in capsys.readouterr().out
    file = tmp_path / "threads.json"
    command.main(["--threads", "1", "2", "--quick", "--only", "tree", "pareto", "--json", str(file)])
    assert "goal at 16" in capsys.readouterr().out
    saved = json.loads(file.read_text(encoding="utf-8"))["threads"]
    assert [one["equal"] for one in saved] == [True, True] and set(saved[0]["seconds"]) == {"1", "2"}
    with pytest.raises(SystemExit):
        command.main(["--threads", "--only", "weka"])


def test_the_picture_and_the_table_of_threads_are_those_of_the_measurement() -> None:
    drawing = runpy.run_path(str(ROOT / "docs" / "images" / "threads.py"))
    measured = json.loads(drawing["MEASURED"].read_text(encoding="utf-8"))
    for made, file in (("picture", "PICTURE"), ("table", "TABLE")):
        assert drawing[made](measured) == drawing[file].read_text(encoding="utf-8"), "run python docs/images/threads.py"
    assert all(work["equal"] for work in measured["threads"])
    names = [work["work"] for work in measured["threads"]]
    learning, all_works = module("thread_works").WORKS, module("threads").WORKS
    assert len(names) >= len(learning) and names == [w.name for w in all_works.values()][: len(names)], "measure again"
