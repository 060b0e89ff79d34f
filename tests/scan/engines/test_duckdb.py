"""DuckDB as an engine: what it refuses is said without the statement, and Ctrl-C is Ctrl-C."""

import os
import signal
import tempfile
import threading

import duckdb
import pytest

import clearwood as cw
from clearwood.scan.engines.duckdb import DuckEngine
from clearwood.scan.engines.engine import EngineError

LONG = "SELECT sum(a.i * b.i) AS s FROM range(10000000) AS a(i), range(10000000) AS b(i)"


def test_a_complaint_is_short():
    with (
        DuckEngine("range(9)", threads=1) as engine,
        pytest.raises(EngineError, match="nowhere") as e,
    ):
        engine.numbers("SELECT 1 AS one FROM nowhere")
    assert "SELECT" not in str(e.value)


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt():
    with DuckEngine("range(9)", threads=1) as engine:
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            engine.numbers(LONG)
        timer.join()
        assert engine.numbers("SELECT 1 AS one")[0].tolist() == [1.0]


def test_a_limit_on_memory_is_obeyed():
    with DuckEngine("range(9)", memory_limit="300MB", threads=1) as engine:
        ((limit,),) = engine.texts("SELECT current_setting('memory_limit') AS m")
        assert limit == "286.1 MiB"
        assert engine.texts("SELECT current_setting('threads') AS t") == [(1,)]


def test_a_limit_that_is_none():
    with pytest.raises(EngineError, match="DuckDB refused"):
        DuckEngine("range(9)", memory_limit="much")


SORTED = "SELECT max(n) AS n FROM (SELECT row_number() OVER (ORDER BY hash(i)) AS n FROM range(3000000) AS t(i))"


def test_what_is_written_to_disk_is_gone_afterwards(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with DuckEngine("range(9)", memory_limit="60MB", threads=1) as engine:
        engine.numbers(SORTED)
        assert [folder.name[:10] for folder in tmp_path.iterdir()] == ["clearwood-"]
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_gone(tmp_path):
    file = tmp_path / "rows.parquet"
    duckdb.sql("SELECT i AS x, i > 4 AS class FROM range(9) AS t(i)").write_parquet(str(file))
    scan = cw.scan(file)
    file.unlink()
    with pytest.raises(EngineError, match=r"DuckDB refused: .*No files found"):
        cw.C45Classifier().fit(scan)
