"""A table in PostgreSQL, in a real server: the same columns, the same tree, and words for what is wrong."""

import os
import signal
import threading

import numpy as np
import pytest
from awkward_tables import awkward_table
from scanned_engines import scan_in_postgres
from scanned_tables import differences
from servers import postgres_uri

import clearwood as cw
from clearwood.scan.engines.postgres import PostgresEngine

__all__ = ["postgres_uri"]

dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi")


def run(address, *statements):
    with dbapi.connect(address, autocommit=True) as db, db.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("seed", [0, 4, 7])
def test_trees_are_those_in_memory(seed, postgres_uri):
    table = awkward_table(seed)
    learner = cw.C45Classifier(class_weight="balanced", min_leaf=3)
    scan = scan_in_postgres(table, postgres_uri, in_memory=50)
    assert differences(learner.fit(scan).tree_, learner.fit(table).tree_) == []


def test_columns_are_those_of_read(postgres_uri):
    run(
        postgres_uri,
        "CREATE TYPE size AS ENUM ('small', 'large')",
        "CREATE TABLE typed (a smallint, b numeric, c real, d date, e boolean, f char(5), g size, h text, class text)",
        "INSERT INTO typed VALUES (1, 1.5, 2.5, '2020-01-02', true, 'x', 'small', 'Ä', 'no'), "
        "(NULL, 'NaN', 'NaN', NULL, NULL, NULL, NULL, NULL, 'yes'), "
        "(3, 2.5, 0.1, '2020-02-02', false, 'yy', 'large', 'a', 'no')",
    )
    scan, table = cw.scan(postgres_uri, table="typed"), cw.read(postgres_uri, query="SELECT * FROM typed")
    assert scan.columns == table.columns
    assert scan.target == table.target
    view = cw.scan(postgres_uri, table="public.typed", ignore=["a"])
    assert view.n_rows == 3
    np.testing.assert_array_equal(scan.sample(9).column("d"), table.column("d"))
    assert scan.sample(2, 1).n_rows == 2


def test_what_is_wrong_is_said(postgres_uri):
    run(postgres_uri, "CREATE TABLE odd (a int[], class text)")
    with pytest.raises(ValueError, match=r"type integer\[\], which a tree cannot test"):
        cw.scan(postgres_uri, table="odd")
    with pytest.raises(cw.scan.EngineError, match='relation "nothing" does not exist'):
        cw.scan(postgres_uri, table="nothing")
    with pytest.raises(cw.scan.EngineError, match="cannot be reached") as error:
        cw.scan("postgresql://me:secret@/postgres?host=/nowhere", table="t")
    assert "secret" not in str(error.value)


def test_a_lost_connection_is_said(postgres_uri):
    run(postgres_uri, "CREATE TABLE lost AS SELECT i AS x, i % 2 AS class FROM generate_series(1, 50) AS t(i)")
    with cw.scan(postgres_uri, table="lost").open() as engine:
        (place,) = engine.numbers("SELECT pg_backend_pid() AS pid")
        run(postgres_uri, f"SELECT pg_terminate_backend({int(place[0])})")
        with pytest.raises(cw.scan.EngineError, match="PostgreSQL"):
            engine.numbers("SELECT 1 AS one")


def test_a_role_that_may_not_read(postgres_uri):
    run(
        postgres_uri,
        "CREATE TABLE secret AS SELECT i AS x, i % 2 AS class FROM generate_series(1, 50) AS t(i)",
        "CREATE ROLE stranger LOGIN",
    )
    stranger = postgres_uri.replace("user=tester", "user=stranger")
    with pytest.raises(cw.scan.EngineError, match=r"PostgreSQL refused: .*permission denied for table secret") as error:
        cw.scan(stranger, table="secret")
    assert "SELECT" not in str(error.value), str(error.value)
    scan = cw.scan(postgres_uri, table="secret", in_memory=5)
    run(postgres_uri, "GRANT SELECT (x) ON secret TO stranger")
    with pytest.raises(cw.scan.EngineError, match="permission denied"):
        cw.scan(stranger, table="secret")
    assert scan.n_rows == 50


def test_a_server_that_stops_in_the_middle(postgres_uri, monkeypatch):
    scan = scan_in_postgres(awkward_table(4), postgres_uri, "stopped", in_memory=20)
    numbers, asked = PostgresEngine.numbers, []

    def stop(self, statement):
        asked.append(statement)
        if len(asked) == 6:
            (pid,) = numbers(self, "SELECT pg_backend_pid() AS pid")
            run(postgres_uri, f"SELECT pg_terminate_backend({int(pid[0])})")
        return numbers(self, statement)

    monkeypatch.setattr(PostgresEngine, "numbers", stop)
    with pytest.raises(cw.scan.EngineError, match="PostgreSQL") as error:
        cw.C45Classifier().fit(scan)
    assert len(asked) == 6
    assert postgres_uri not in str(error.value)


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt_leaves_nothing(postgres_uri):
    ours = "SELECT count(*) AS n FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid()"
    run(postgres_uri, "CREATE TABLE few AS SELECT 1 AS x, 2 AS class")
    scan = cw.scan(postgres_uri, table="few")
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt), scan.open() as engine:
        engine.numbers("SELECT pg_sleep(60), 1 AS one")
    timer.join()
    with scan.open() as engine:
        assert engine.numbers(ours)[0].tolist() == [0.0]
        assert engine.texts("SELECT relname FROM pg_class WHERE relpersistence = 't'") == []
