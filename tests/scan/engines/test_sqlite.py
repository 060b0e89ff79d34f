"""A SQLite file is scanned like any other source: the same columns, the same tree, and words for what is wrong."""

import os
import signal
import sqlite3
import threading

import pytest
from awkward_tables import awkward_table
from scanned_engines import scan_in_sqlite
from scanned_tables import differences

import clearwood as cw
from clearwood.scan.engines import engine
from clearwood.scan.engines.sqlite import SQLiteEngine


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("seed", [0, 4, 7])
def test_trees_are_those_in_memory(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "SIMPLE_LOOKUP", 2)  # so that four values are looked up in two steps
    monkeypatch.setattr(SQLiteEngine, "nesting", 1)
    table = awkward_table(seed)
    learner = cw.C45Classifier(class_weight="balanced", min_leaf=3)
    scan = scan_in_sqlite(table, tmp_path, in_memory=50)
    assert scan.n_rows == table.n_rows
    assert differences(learner.fit(scan).tree_, learner.fit(table).tree_) == []


def database(folder, *statements):
    file = folder / "data.db"
    db = sqlite3.connect(file)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
    return f"sqlite:///{file}"


def test_columns_are_those_of_read(tmp_path):
    address = database(
        tmp_path,
        "CREATE TABLE t (n INTEGER, x REAL, word TEXT COLLATE NOCASE, day TEXT, class TEXT)",
        "INSERT INTO t VALUES (1, 0.5, 'a', '2020-01-02', 'no'), (2, NULL, 'A', '2020-01-03', 'yes'), "
        "(3, 1.5, NULL, NULL, 'no'), (4, 2.5, 'b', '2021-01-02', NULL)",
    )
    scan, table = cw.scan(address, table="t"), cw.read(address, query="SELECT * FROM t")
    assert scan.columns == table.columns
    assert scan.target == table.target
    assert scan.columns[2].values == ("A", "a", "b")
    assert scan.sample(3, 0).column("n").tolist() == sorted(scan.sample(3, 0).column("n").tolist())
    assert scan.sample(9).column("word").tolist() == [1, 0, -1, 2]


def test_what_is_wrong_is_said(tmp_path):
    address = database(tmp_path, "CREATE TABLE t (b, class)", "INSERT INTO t VALUES (x'00ff', 'no'), (x'01', 'yes')")
    with pytest.raises(ValueError, match="type BLOB, which a tree cannot test"):
        cw.scan(address, table="t")
    with pytest.raises(cw.scan.EngineError, match="no such table"):
        cw.scan(address, table="u")
    with pytest.raises(ValueError, match="table must name"):
        cw.scan(address)
    with pytest.raises(FileNotFoundError, match="no SQLite file"):
        cw.scan("sqlite:///nowhere.db", table="t")


def test_nothing_is_written(tmp_path):
    address = database(tmp_path, "CREATE TABLE t (x, class)", "INSERT INTO t VALUES (1, 'no'), (2, 'yes')")
    before = (tmp_path / "data.db").read_bytes()
    cw.C45Classifier(min_leaf=1).fit(cw.scan(address, table="t", in_memory=0))
    assert [file.name for file in tmp_path.iterdir()] == ["data.db"]
    assert (tmp_path / "data.db").read_bytes() == before


LONG = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) AS s FROM n"


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt(tmp_path):
    address = database(tmp_path, "CREATE TABLE t (x, class)", "INSERT INTO t VALUES (1, 'no'), (2, 'yes')")
    with cw.scan(address, table="t").open() as engine:
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            engine.numbers(LONG)
        timer.join()
        assert engine.numbers("SELECT count(*) AS n FROM t")[0].tolist() == [2.0]


def test_a_file_that_is_spoilt_meanwhile(tmp_path):
    address = database(tmp_path, "CREATE TABLE t (x, class)", "INSERT INTO t VALUES (1, 'no'), (2, 'yes')")
    scan = cw.scan(address, table="t")
    (tmp_path / "data.db").write_text("no database any more " * 500)
    with pytest.raises(cw.scan.EngineError, match="SQLite refused: file is not a database"):
        cw.C45Classifier().fit(scan)
