"""ClickHouse inside this process: the same columns, the same tree, Ctrl-C, and words for what is wrong."""

import os
import signal
import threading
from pathlib import Path

import duckdb
import numpy as np
import pytest
from awkward_tables import awkward_table
from scanned_engines import scan_in_clickhouse
from scanned_tables import differences

import clearwood as cw
from clearwood.export.sql_dialects import CLICKHOUSE
from clearwood.scan.engines import clickhouse
from clearwood.scan.engines.clickhouse import ClickHouseEngine

chdb = pytest.importorskip("chdb", reason="chdb, ClickHouse's embedded form, is not installed")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", ["the 'rows' `", ""])
@pytest.mark.parametrize("seed", [0, 4, 7])
def test_trees_are_those_in_memory(seed, name, tmp_path, monkeypatch):
    monkeypatch.setattr(clickhouse, "SIMPLE_LOOKUP", 2)  # so that four values are looked up in a list
    table = awkward_table(seed)
    learner = cw.C45Classifier(class_weight="balanced", min_leaf=3)
    scan = scan_in_clickhouse(table, tmp_path, name, in_memory=50, threads=1)
    assert scan.n_rows == table.n_rows
    assert differences(learner.fit(scan).tree_, learner.fit(table).tree_) == []


def folder_with(folder, *statements):
    db = chdb.connect(str(folder / "kept"))
    for statement in statements:
        db.query(statement)
    db.close()
    return f"clickhouse:///{folder / 'kept'}"


def test_types(tmp_path):
    address = folder_with(
        tmp_path,
        "CREATE TABLE t (a Nullable(Int16), b Decimal(20, 4), c Float32, d Date, e Nullable(Bool), f FixedString(5), "
        "g Enum8('small' = 1, 'large' = 2), h LowCardinality(Nullable(String)), i DateTime64(3, 'Europe/Paris'), "
        "j Time, class String) ENGINE = MergeTree ORDER BY b",
        "INSERT INTO t VALUES (1, 1.5, 2.5, '2020-01-02', true, 'x', 'small', 'Ä', '1969-12-31 23:00:00.5', "
        "'10:00:01', 'no'), (NULL, 2, nan, '1970-01-01', NULL, 'yy', 'large', NULL, '2020-01-01 01:00:00', '0:00:00', "
        "'yes')",
    )
    scan = cw.scan(address, table="default.t")
    assert scan.columns == (
        cw.Column("a"),
        cw.Column("b"),
        cw.Column("c"),
        cw.Column("d", is_date=True),
        cw.Column("e", ("false", "true")),
        cw.Column("f", ("x", "yy")),
        cw.Column("g", ("large", "small")),
        cw.Column("h", ("Ä",)),
        cw.Column("i", is_date=True),
        cw.Column("j"),
    )
    rows = scan.sample(9)
    np.testing.assert_array_equal(rows.numeric[:2], [[1, np.nan], [1.5, 2]])
    assert rows.column("c").tolist()[0] == 2.5 and np.isnan(rows.column("c")[1])
    assert rows.column("d").tolist() == [18263 * 86400000, 0]
    assert rows.column("e").tolist() == [1, -1]
    assert rows.column("h").tolist() == [0, -1]
    assert rows.column("i").tolist() == [-7199500, 1577836800000]
    assert rows.column("j").tolist() == [36001000, 0]


def test_columns_of_a_file_are_those_of_read(tmp_path):
    file = tmp_path / "rows.parquet"
    duckdb.sql(
        "SELECT i AS number, CASE WHEN i % 5 = 0 THEN NULL ELSE 'v' || i % 12 END AS text, i % 3 = 0 AS truth, "
        "DATE '2020-01-01' + i::INTEGER AS day, '2021-02-' || (i % 9 + 1)::VARCHAR AS written, i % 4 AS class "
        "FROM range(60) AS t(i)"
    ).write_parquet(str(file))
    scan, table = cw.scan(f"clickhouse:///{tmp_path}/*.parquet"), cw.read(file)
    assert scan.columns == table.columns
    assert scan.target == table.target
    learner = cw.C45Classifier(min_leaf=1)
    assert differences(learner.fit(scan).tree_, learner.fit(table).tree_) == []


def test_what_is_wrong_is_said(tmp_path):
    address = folder_with(
        tmp_path,
        "CREATE TABLE t (a Array(Int32), class String) ENGINE = Memory",
        "CREATE TABLE bytes (a String, class String) ENGINE = MergeTree ORDER BY a",
        "INSERT INTO bytes VALUES (unhex('ff'), 'no')",
    )
    with pytest.raises(ValueError, match=r"type Array\(Int32\), which a tree cannot test"):
        cw.scan(address, table="t")
    with pytest.raises(cw.scan.EngineError, match="not UTF-8"):
        cw.scan(address, table="bytes")
    with pytest.raises(cw.scan.EngineError, match=r"ClickHouse refused: .*does not exist") as error:
        cw.scan(address, table="nothing")
    assert "SELECT" not in str(error.value)
    with pytest.raises(ValueError, match="table must name"):
        cw.scan(address)
    with pytest.raises(FileNotFoundError, match="no file or folder"):
        cw.scan("clickhouse:///nowhere", table="t")
    assert not Path("nowhere").exists()
    with pytest.raises(ValueError, match="a server cannot be reached"):
        cw.scan("clickhouse://host:9000", table="t")
    with pytest.raises(cw.scan.EngineError, match="Cannot parse"):
        cw.scan(address, table="t", memory_limit="much")


def test_one_folder_at_a_time(tmp_path):
    address = folder_with(tmp_path, "CREATE TABLE t (a Int8, class Int8) ENGINE = Memory")
    other = chdb.connect(":memory:")
    with pytest.raises(cw.scan.EngineError, match="cannot connect with different path"):
        cw.scan(address, table="t")
    other.close()
    assert cw.scan(address, table="t").n_rows == 0


def test_nothing_is_written():
    with ClickHouseEngine(":memory:", "numbers(9)") as engine, pytest.raises(cw.scan.EngineError, match="readonly"):
        engine.texts("CREATE TABLE t (x Int8) ENGINE = Memory")


def test_limits_are_obeyed():
    with ClickHouseEngine(":memory:", "numbers(9)", "300MB", 1) as engine:
        asked = "('max_memory_usage', 'max_threads')"
        found = engine.texts(f"SELECT name, value FROM system.settings WHERE name IN {asked} ORDER BY name")
        assert found == [("max_memory_usage", "300000000"), ("max_threads", "1")]


def test_numbers_are_written_exactly():
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.normal(size=200), rng.integers(0, 2**62, 200).view(np.float64)])
    with ClickHouseEngine(":memory:", "numbers(9)") as engine:
        for write in (engine.double, CLICKHOUSE.number):
            (found,) = engine.numbers(f"SELECT arrayJoin([{', '.join(write(float(v)) for v in values)}]) AS x")
            np.testing.assert_array_equal(found, values)


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt():
    with ClickHouseEngine(":memory:", "numbers(9)", threads=1) as engine:
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            engine.numbers("SELECT sum(sipHash64(number)) AS s FROM numbers(1000000000000)")
        timer.join()
        assert engine.numbers("SELECT 1 AS one")[0].tolist() == [1.0]
        assert engine.texts("SELECT value FROM system.settings WHERE name = 'max_threads'") == [("1",)]
