"""A scan's columns are those that reading the file gives, and bad sources are refused in words."""

import duckdb
import numpy as np
import pytest
from scanned_tables import differences

import clearwood as cw
from clearwood.scan import sampling


def write(folder, select, name="rows.parquet"):
    file = folder / name
    duckdb.sql(select).write_parquet(str(file))
    return file


MIXED = """
SELECT i AS number, CASE WHEN i % 5 = 0 THEN NULL ELSE 'v' || i % 12 END AS text, i % 3 = 0 AS truth,
  DATE '2020-01-01' + i::INTEGER AS day, '2021-02-' || (i % 9 + 1)::VARCHAR AS written, (i % 7)::VARCHAR AS digit,
  i % 4 AS class FROM range(60) AS t(i)
"""


def test_columns_are_those_of_read(tmp_path):
    file = write(tmp_path, MIXED)
    table, scan = cw.read(file), cw.scan(file)
    assert scan.columns == table.columns
    assert scan.target == table.target
    assert scan.n_rows == table.n_rows == len(scan)


def test_the_tree_of_a_file_with_types(tmp_path):
    file = write(tmp_path, MIXED)
    learner = cw.C45Classifier(min_leaf=1)
    scanned, read = learner.fit(cw.scan(file, in_memory=10)), learner.fit(cw.read(file))
    assert differences(scanned.tree_, read.tree_) == []


def test_missing_cells_of_a_text_file(tmp_path):
    file = tmp_path / "rows.csv"
    file.write_text("x,v,class\n1.5,a,no\n?,b,yes\n,?,no\n2,a,yes\nNA,NA,no\n")
    scan, table = cw.scan(file), cw.read(file)
    assert scan.columns == table.columns
    np.testing.assert_array_equal(scan.sample(9).column("x"), table.column("x"))
    assert scan.sample(9).column("v").tolist() == table.column("v").tolist()


def test_a_pattern_names_several_files(tmp_path):
    for part in range(3):
        write(tmp_path, f"SELECT {part} AS part, {part} > 1 AS late", f"part{part}.parquet")
    assert cw.scan(str(tmp_path / "part*.parquet"), "late").n_rows == 3


def test_a_duckdb_file(tmp_path):
    with duckdb.connect(str(tmp_path / "data.duckdb")) as db:
        db.execute('CREATE TABLE "the ""rows""" AS SELECT i AS "a ""b""", i > 4 AS "c;d" FROM range(10) AS t(i)')
    scan = cw.scan(tmp_path / "data.duckdb", table='the "rows"')
    assert scan.feature_names == ('a "b"',)
    assert cw.C45Classifier().fit(scan).tree_.threshold[0] == 4


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": "clas"}, "no such column"),
        ({"weights": "text"}, "must be numbers"),
        ({"target": "number", "nominal": "day", "ignore": "x"}, "no such column"),
        ({"in_memory": -1}, "in_memory must be"),
        ({"table": "t"}, "a file or a frame has none"),
    ],
)
def test_wrong_requests(options, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        cw.scan(write(tmp_path, MIXED), **options)


def test_columns_that_no_tree_can_test(tmp_path):
    file = write(tmp_path, "SELECT [i] AS list, i > 3 AS class FROM range(9) AS t(i)")
    with pytest.raises(ValueError, match=r"which a tree cannot test; leave it out with ignore=\['list'\]"):
        cw.scan(file)
    assert cw.scan(file, ignore="list").columns == ()


def test_infinite_cells(tmp_path):
    file = write(tmp_path, "SELECT 1.0 / 0 * i AS x, i > 3 AS class FROM range(9) AS t(i)")
    with pytest.raises(ValueError, match="infinite"):
        cw.scan(file)


def test_weights_must_be_there(tmp_path):
    file = write(tmp_path, "SELECT CASE WHEN i > 2 THEN i END AS w, i > 3 AS class FROM range(9) AS t(i)")
    with pytest.raises(ValueError, match="a row holds a missing value"):
        cw.scan(file, weights="w")


def test_sources_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError):
        cw.scan(tmp_path / "nothing.parquet")
    (tmp_path / "notes.odt").write_text("no")
    with pytest.raises(ValueError, match="not one that can be scanned"):
        cw.scan(tmp_path / "notes.odt")
    with pytest.raises(TypeError, match="source must be a path"):
        cw.scan([1, 2])


@pytest.mark.parametrize("limit", [{"threads": 2}, {"memory_limit": "2GB"}])
def test_limits_are_for_engines_that_run_here(limit):
    with pytest.raises(ValueError, match=r"is for DuckDB and ClickHouse, which run here; got"):
        cw.scan("sqlite:///rows.db", table="t", **limit)


def test_samples(tmp_path, monkeypatch):
    file = write(tmp_path, "SELECT i AS x, 'v' || i % 7 AS v, (i / 8000)::INTEGER AS class FROM range(30000) AS t(i)")
    scan, whole = cw.scan(file), cw.read(file)
    monkeypatch.setattr(sampling, "AT_ONCE", 150)  # several statements for one sample
    some, same, other = scan.sample(400, 3), scan.sample(400, 3), scan.sample(400, 4)
    rows = some.column("x").astype(int)
    assert len(set(rows.tolist())) == 400
    assert (np.diff(rows) > 0).all()
    assert abs(rows.mean() - 15000) < 5 * 30000 / np.sqrt(12 * 400)  # five standard errors
    assert some.columns == whole.columns
    for name in ("v", "x"):
        assert (some.column(name) == whole.column(name)[rows]).all()
    assert (some.y == whole.y[rows]).all()
    assert (same.column("x") == rows).all()
    assert not (other.column("x") == rows).all()
    assert scan.sample(10**6).n_rows == 30000


@pytest.mark.parametrize("n", [0, 2.5, True])
def test_samples_of_no_size(n, tmp_path):
    with pytest.raises(ValueError, match="n must be a whole number of at least 1"):
        cw.scan(write(tmp_path, MIXED)).sample(n)


def test_another_seed_deals_rows_independently(tmp_path):
    """Of the rows in one held-out half, half are in the other."""
    file = tmp_path / "rows.parquet"
    duckdb.sql("SELECT i AS id, i % 5 AS x, i % 2 = 0 AS y FROM range(20000) AS t(i)").write_parquet(str(file))
    scan = cw.scan(file, numeric="id")
    halves = [scan.split(0.5, seed)[1] for seed in range(3)]
    ids = [set(half.sample(half.n_rows).column("id").tolist()) for half in halves]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert 0.47 < len(ids[one] & ids[other]) / len(ids[one]) < 0.53
