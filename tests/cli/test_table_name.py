"""``--table`` of SQL: a name, or names with points between them, as engines take them."""

import sqlite3

import duckdb
import pandas as pd
import pytest

from clearwood.cli.table_name import split_table


@pytest.mark.parametrize(
    ("typed", "schema", "name"),
    [
        ("trips", (), "trips"),
        ("my trips", (), "my trips"),
        ("public.trips", ("public",), "trips"),
        ("db.public.trips", ("db", "public"), "trips"),
        ('"trips.2024"', (), "trips.2024"),
        ('public."say ""hi"""', ("public",), 'say "hi"'),
    ],
)
def test_points_part_names_unless_they_are_quoted(typed, schema, name):
    assert split_table(typed) == (schema, name)


@pytest.mark.parametrize("typed", ["", ".", "a.", ".a", "a..b", '"a', 'a"b', '""', '"a"b'])
def test_what_is_no_name_is_refused(clearwood, tree_json, typed):
    answer = clearwood("show", tree_json, "--sql", "sqlite", "--table", typed)
    assert answer.status == 2 and f"--table must be a name such as trips or public.trips, got {typed!r}" in answer.err


@pytest.mark.parametrize(("typed", "name"), [("main.flowers", "flowers"), ('main."flo.wers"', "flo.wers")])
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_the_sql_of_every_command_runs(clearwood, tree_json, iris_csv, tmp_path, dialect, typed, name):
    rows = pd.read_csv(iris_csv)
    written = tmp_path / "best.sql"
    limits = ("--leaves", "3", "--budget", "1s", "-q")
    assert clearwood("best", iris_csv, *limits, "--sql", written, "--dialect", dialect, "--table", typed).status == 0
    statements = [
        clearwood("export", tree_json, "--format", "sql", "--dialect", dialect, "--table", typed).out,
        clearwood("show", tree_json, "--sql", dialect, "--table", typed).out,
        clearwood("show", tree_json, "--sql", dialect, "--table", typed, "--only", "setosa").out,
        written.read_text(encoding="utf-8"),
    ]
    if dialect == "sqlite":
        db = sqlite3.connect(":memory:")
        rows.to_sql(name, db, index=False)
    else:
        db = duckdb.connect()
        db.execute(f'CREATE TABLE main."{name}" AS SELECT * FROM rows')
    assert [len(db.execute(sql).fetchall()) for sql in statements] == [150, 150, 50, 150]
