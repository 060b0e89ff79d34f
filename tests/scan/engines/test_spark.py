"""Spark with a cluster of two workers: the same columns, the same tree though one dies, and words for what is wrong."""

import datetime as dt
import os
import shutil
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import trouble
from awkward_tables import awkward_table
from scanned_engines import put_in_spark, scan_in_spark, spark_session
from scanned_tables import differences

import clearwood as cw
from clearwood.scan.engines.spark import SparkEngine

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None and "JAVA_HOME" not in os.environ, reason="Spark needs Java"),
    pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning"),
]


@pytest.fixture(scope="module")
def session():
    with spark_session() as session:
        yield session


def executors(session):
    """The processes that work for a session."""
    found = set()
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            try:
                words = (place / "cmdline").read_bytes()
            except OSError:  # ended meanwhile
                continue
            if b"CoarseGrainedExecutorBackend" in words and session.sparkContext.applicationId.encode() in words:
                found.add(int(place.name))
    return found


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs Linux's /proc")
def test_the_tree_is_that_in_memory_though_a_worker_dies(session, tmp_path, monkeypatch):
    table = awkward_table(4)
    scan = scan_in_spark(table, session, tmp_path, in_memory=100)
    assert session.read.parquet(str(tmp_path / "rows.parquet")).rdd.getNumPartitions() > 1
    numbers, n_asked, killed = SparkEngine.numbers, [], []

    def kill_in_the_middle(self, statement):
        n_asked.append(statement)
        if len(n_asked) == 8:
            killed.append(min(executors(session)))
            os.kill(killed[0], signal.SIGKILL)  # Spark does not know it yet, and gives it work
        return numbers(self, statement)

    monkeypatch.setattr(SparkEngine, "numbers", kill_in_the_middle)
    learner = cw.C45Classifier(class_weight="balanced", min_leaf=3, max_depth=4)
    tree = learner.fit(scan).tree_
    assert killed and killed[0] not in executors(session)
    assert len(n_asked) > 12
    assert differences(tree, learner.fit(table).tree_) == []


def test_types(session):
    from pyspark.sql.types import StringType

    day = dt.date(2020, 1, 2)
    schema = "a smallint, b decimal(20, 4), c float, d date, e boolean, h string, i timestamp, j timestamp_ntz, k void"
    moments = [dt.datetime(2020, 1, 1, 0, 0, 0, 500), dt.datetime(1969, 12, 31, 23)]
    frame = session.createDataFrame(
        [
            (1, None, 2.5, day, True, "Ä", moments[0].replace(tzinfo=dt.UTC), moments[0], None, "no"),
            (None, None, float("nan"), None, None, None, moments[1].replace(tzinfo=dt.UTC), moments[1], None, "yes"),
        ],
        f"{schema}, class string",
    ).coalesce(1)
    assert frame.schema["h"].dataType == StringType()
    scan = cw.scan(frame, target="class")
    assert [column.is_date for column in scan.columns] == [name in "dij" for name in "abcdehijk"]
    rows = scan.sample(9)
    assert rows.column("d").tolist()[0] == 18263 * 86400000
    assert rows.column("i").tolist() == rows.column("j").tolist() == [1577836800000.5, -3600000]
    np.testing.assert_array_equal(rows.column("a"), [1, np.nan])
    np.testing.assert_array_equal(rows.column("c"), [2.5, np.nan])
    assert rows.column("e").tolist() == [1, -1]
    assert scan.columns[5].values == ("Ä",)
    assert scan.sample(1, 3).n_rows == 1


def test_a_table_by_name(session, tmp_path):
    frame = session.range(40).selectExpr("id AS `a ``b`", "id > 20 AS `c;d`")
    frame.createOrReplaceTempView("named")
    scan = cw.scan(session, table="named")
    assert scan.feature_names == ("a `b",)
    assert cw.C45Classifier().fit(scan).tree_.threshold[0] == 20
    assert scan.source == "named"


def test_what_is_wrong_is_said(session):
    odd = session.sql("SELECT array(1) AS a, 'no' AS class")
    with pytest.raises(ValueError, match=r"type array<int>, which a tree cannot test"):
        cw.scan(odd)
    with pytest.raises(cw.scan.EngineError, match=r"Spark refused, or is gone: .*cannot be found") as error:
        cw.scan(session, table="nothing")
    assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match="table must name"):
        cw.scan(session)
    with pytest.raises(ValueError, match="a frame has none"):
        cw.scan(odd, table="t")
    with pytest.raises(TypeError, match="must be a SparkSession or a DataFrame"):
        cw.scan(odd["a"])
    with pytest.raises(ValueError, match="is for DuckDB and ClickHouse"):
        cw.scan(odd, threads=2)


def test_nothing_is_left(session):
    before = session.sql("SHOW VIEWS").toArrow().to_pylist()
    frame = session.range(40).selectExpr("id AS a", "id > 20 AS class")
    cw.C45Classifier().fit(cw.scan(frame))
    with pytest.raises(ZeroDivisionError), cw.scan(frame).open():
        raise ZeroDivisionError
    assert session.sql("SHOW VIEWS").toArrow().to_pylist() == before


@pytest.mark.parametrize("check", [trouble.check_names, trouble.check_gaps_in_the_target])
def test_trouble_with_names_and_gaps(check, session, tmp_path):
    options = ("x'; DROP TABLE rows; --", tmp_path) if check is trouble.check_names else (tmp_path,)
    check(lambda rows, name: put_in_spark(rows, session, tmp_path, name), *options)


def test_trouble_with_many_texts(session, tmp_path, monkeypatch):
    trouble.check_many_texts(lambda rows, name: put_in_spark(rows, session, tmp_path, name), monkeypatch)


def test_a_view_that_changes(session):
    session.sql("CREATE TEMPORARY VIEW changing AS SELECT id AS x, CAST(rand() * 4 AS INT) AS class FROM range(3000)")
    with pytest.raises(cw.scan.EngineError, match="no longer what it was when it was looked at"):
        cw.C45Classifier(max_depth=1).fit(cw.scan(session, table="changing", in_memory=300))


LONG = "SELECT sum(hash(a.id * b.id)) AS s FROM range(10000000) AS a, range(10000000) AS b"


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt(session):
    with SparkEngine(session, "nothing") as engine:
        timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            engine.numbers(LONG)
        timer.join()
        assert engine.numbers("SELECT 1 AS one")[0].tolist() == [1.0]
    jobs, until = session.sparkContext.statusTracker(), time.monotonic() + 60
    while jobs.getActiveJobsIds() and time.monotonic() < until:  # a busy cluster takes its time to end one
        time.sleep(0.05)
    assert not jobs.getActiveJobsIds()


def test_a_statement_is_stopped_from_elsewhere(session):
    jobs = session.sparkContext.statusTracker()
    with SparkEngine(session, "nothing") as engine:

        def stop():
            while not jobs.getActiveJobsIds():
                time.sleep(0.05)
            engine.interrupt()

        thread = threading.Thread(target=stop)
        thread.start()
        with pytest.raises(cw.scan.EngineError, match="cancel"):
            engine.numbers(LONG)
        thread.join()


def test_numbers_are_written_exactly(session):
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.normal(size=100), rng.integers(0, 2**62, 100).view(np.float64)])
    with SparkEngine(session, "nothing") as engine:
        (found,) = engine.numbers(f"SELECT explode(array({', '.join(map(engine.double, values.tolist()))})) AS x")
    np.testing.assert_array_equal(found, values)
