"""Databases through ADBC, for real: SQLite, and PostgreSQL where its binaries are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from servers import postgres_server

from clearwood.read import read
from clearwood.table import Column
from clearwood.tree_builder import TreeBuilder

pytest.importorskip("pyarrow")
sqlite_driver = pytest.importorskip("adbc_driver_sqlite.dbapi")

ROWS = [(1, 31.5, "f", "no"), (2, None, "m", "yes"), (3, 54.0, None, "yes"), (4, 40.0, "NA", "no")]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "patients.db"
    with sqlite3.connect(path) as connection:
        connection.execute('create table patients (id integer, age real, "the sex" text, ill text)')
        connection.executemany("insert into patients values (?, ?, ?, ?)", ROWS)
    connection.close()
    return path


def test_sqlite(database: Path) -> None:
    table = read(f"sqlite:///{database}", query="SELECT * FROM patients ORDER BY id", ignore=["id"])
    assert table.feature_names == ("age", "the sex") and table.n_rows == 4
    np.testing.assert_array_equal(table.column("age"), [31.5, np.nan, 54, 40])
    assert table.columns[1].values == ("f", "m") and table.column("the sex").tolist() == [0, 1, -1, -1]
    assert table.classes == ("no", "yes") and table.y.tolist() == [0, 1, 1, 0]


def test_sqlite_faults(database: Path, tmp_path: Path) -> None:
    uri = f"sqlite:///{database}"
    with pytest.raises(ValueError, match="query must say what to read"):
        read(uri)
    with pytest.raises(ValueError, match=r"sqlite query failed: .*no such table"):
        read(uri, query="SELECT * FROM nowhere")
    with pytest.raises(ValueError, match="more than one column named 'id'"):
        read(uri, query="SELECT id, id FROM patients")
    with pytest.raises(FileNotFoundError, match="no SQLite file"):
        read(f"sqlite:///{tmp_path}/absent.db", query="SELECT 1")
    assert not (tmp_path / "absent.db").exists()
    with pytest.raises(ValueError, match="query is for a database"):
        read(str(database), query="SELECT 1")


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    pytest.importorskip("adbc_driver_postgresql.dbapi")
    with postgres_server() as uri:
        yield uri


def test_postgres(postgres: str) -> None:
    query = '''
        SELECT * FROM (VALUES
            (1::int, 31.5::float8, 1.25::numeric(10, 2), 'f'::text, true, '1970-01-02'::date,
             '1970-01-01 00:00:01.5'::timestamp, 'x'::varchar(5), 'no'),
            (2, NULL, NULL, '?', NULL, NULL, NULL, NULL, 'yes'),
            (3, 54, 100, 'm', false, '1969-12-31', '2020-01-01', 'y', 'yes')
        ) AS t(id, age, dose, "the ""sex""", smokes, born, seen, short, ill) ORDER BY id'''
    table = read(postgres, query=query)
    assert table.feature_names == ("id", "age", "dose", 'the "sex"', "smokes", "born", "seen", "short")
    np.testing.assert_array_equal(
        table.numeric,
        [
            [1, 2, 3],
            [31.5, np.nan, 54],
            [1.25, np.nan, 100],
            [86_400_000, np.nan, -86_400_000],
            [1500, np.nan, 1577836800000],
        ],
    )
    assert [c.values for c in table.columns if c.is_nominal] == [("f", "m"), ("false", "true"), ("x", "y")]
    assert table.nominal.tolist() == [[0, -1, 1], [1, -1, 0], [0, -1, 1]]
    assert table.classes == ("no", "yes") and table.y.tolist() == [0, 1, 1]


def test_postgres_faults(postgres: str) -> None:
    with pytest.raises(ValueError, match=r"postgresql query failed: .*nowhere"):
        read(postgres, query="SELECT * FROM nowhere")
    with pytest.raises(ValueError, match="postgresql query failed") as caught:
        read("postgresql://someone:secret@127.0.0.1:1/none", query="SELECT 1")
    assert "secret" not in str(caught.value)


def test_the_padding_of_char_is_no_part_of_a_value(postgres: str) -> None:
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(postgres, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.execute("create table padded (sex char(6), note text, ill text)")
        cursor.execute("insert into padded values ('f', ' x ', 'no'), ('m', 'x', 'yes'), (null, 'x', 'no')")
    table = read(postgres, query="select * from padded")
    assert table.columns[0].values == ("f", "m") and table.column("sex").tolist() == [0, 1, -1]
    assert table.columns[1].values == (" x ", "x")
    tree = TreeBuilder([Column("sex", ("f", "m"))], ["no", "yes"])
    tree = tree.build(tree.branches("sex", [tree.leaf([1, 0]), tree.leaf([0, 1])]))
    with dbapi.connect(postgres) as connection, connection.cursor() as cursor:
        cursor.execute(tree.to_sql("padded", only="yes"))
        assert [row[0].rstrip() for row in cursor.fetchall()] == ["m"]
