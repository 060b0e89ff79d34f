"""What a table can hold that is no good, on every engine that runs here; Spark has its own turn in test_spark."""

import sqlite3
from functools import partial

import duckdb
import pytest
import trouble
from scanned_engines import put_in_clickhouse, put_in_duckdb, put_in_postgres, put_in_sqlite
from servers import postgres_uri

import clearwood as cw

__all__ = ["postgres_uri"]

ENGINES = ("duckdb", "sqlite", "postgres", "clickhouse")
CHANGING = """CREATE VIEW changing AS
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
SELECT i AS x, {random} AS class FROM n"""


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture
def put(engine, request, tmp_path):
    if engine == "postgres":
        pytest.importorskip("adbc_driver_postgresql")
        address = request.getfixturevalue("postgres_uri")
        return lambda rows, name: put_in_postgres(rows, address, name)
    if engine == "clickhouse":
        pytest.importorskip("chdb", reason="chdb, ClickHouse's embedded form, is not installed")
    puts = {"duckdb": put_in_duckdb, "sqlite": put_in_sqlite, "clickhouse": put_in_clickhouse}
    return lambda rows, name: puts[engine](rows, tmp_path, name)


@pytest.mark.parametrize("name", trouble.HOSTILE[:8:2])
def test_names(put, name, tmp_path):
    trouble.check_names(put, name, tmp_path)


def test_many_texts(put, monkeypatch):
    trouble.check_many_texts(put, monkeypatch)


def test_gaps_in_the_target(put, tmp_path):
    trouble.check_gaps_in_the_target(put, tmp_path)


def test_no_rows(put):
    trouble.check_no_rows(put)


def change_in_postgres(address):
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(address, autocommit=True) as db, db.cursor() as cursor:
        cursor.execute(CHANGING.format(random="CAST(floor(random() * 4) AS integer)"))


def change_in_clickhouse(folder):
    chdb = pytest.importorskip("chdb")
    db = chdb.connect(str(folder))
    db.query("CREATE VIEW changing AS SELECT number AS x, rand() % 4 AS class FROM numbers(3000)")
    db.close()


def test_a_view_that_changes(engine, request, tmp_path):
    """Every look at it gives other classes: the root's counts tell."""
    if engine == "duckdb":
        source = tmp_path / "data.duckdb"
        with duckdb.connect(str(source)) as db:
            db.execute(CHANGING.format(random="CAST(floor(random() * 4) AS INTEGER)"))
    elif engine == "sqlite":
        db = sqlite3.connect(tmp_path / "data.db")
        db.execute(CHANGING.format(random="abs(random() % 4)"))
        db.close()
        source = f"sqlite:///{tmp_path / 'data.db'}"
    elif engine == "clickhouse":
        change_in_clickhouse(tmp_path / "kept")
        source = f"clickhouse:///{tmp_path / 'kept'}"
    else:
        pytest.importorskip("adbc_driver_postgresql")
        source = request.getfixturevalue("postgres_uri")
        change_in_postgres(source)
    learn = partial(cw.C45Classifier(max_depth=2).fit, cw.scan(source, table="changing", in_memory=300))
    with pytest.raises(cw.scan.EngineError, match="no longer what it was when it was looked at"):
        learn()
