"""Rows that go by once are counted as SQL counts them, in whatever parts and batches they come."""

import warnings

import numpy as np
import pytest
from awkward_tables import awkward_table
from scanned_tables import differences, scan_of

import clearwood as cw
from clearwood.learn.scanned import streams, tally
from clearwood.learn.scanned.nodes import Node
from clearwood.learn.scanned.questions import Questions
from clearwood.learn.scanned.segments import Range
from clearwood.learn.scanned.streams import Streams, ask
from clearwood.scan.engines import duckdb as duckdb_engine
from clearwood.scan.engines.engine import EngineError

ROWS = """SELECT i % 7 / 2 AS a, (i * 37) % 1000 / 10 AS b, CASE WHEN i % 11 > 0 THEN 'v' || i % 5 END AS v,
CASE WHEN (i * 37) % 1000 > 400 + i % 7 * 50 THEN 'high' ELSE 'low' END AS class FROM range({}, {}) AS t(i)"""


@pytest.fixture
def files(tmp_path):
    """Three Parquet files, one of them without rows."""
    import duckdb

    for place, (begin, end) in enumerate([(0, 700), (700, 700), (700, 3000)]):
        duckdb.sql(ROWS.format(begin, end)).write_parquet(str(tmp_path / f"part{place}.parquet"))
    return tmp_path


def _some_nodes(questions):
    """The root's two sides of a test of b, with what they hold."""
    root = Node.top(2)
    root.kind, root.feature, root.threshold = 1, 1, 50.0
    root.children = [Node(1, np.zeros(2), 0, np.zeros(2), root, branch) for branch in (0, 1)]
    _, rows = Questions.totals(questions, root.children)
    for child, n_rows in zip(root.children, rows.tolist(), strict=True):
        child.n_rows = n_rows
    return root.children


@pytest.mark.parametrize("threads", [1, 3])
def test_answers_are_those_of_sql(files, threads, monkeypatch):
    monkeypatch.setattr(duckdb_engine, "BATCH_ROWS", 100)
    monkeypatch.setattr(tally, "MOST_PICKED", 50)
    scan = cw.scan(files / "*.parquet", target="class", threads=threads)
    with scan.open() as engine:
        with engine.parts(9) as parts:
            assert len(parts) == threads
        assert engine.n_threads() == threads
        streamed, plain = ask(scan, engine), Questions(scan, engine)
        assert isinstance(streamed, Streams)
        nodes = _some_nodes(streamed)
        ranges = {
            1: [(0, Range(0.0, 20.0, 7)), (0, Range(20.5, 40.0, 0)), (1, Range(60.0, 99.0, 0))],
            0: [(1, Range(0.0, 3.0, 0)), (0, Range(0.5, 3.0, 4))],
        }
        ours, theirs = streamed.count(nodes, [2], ranges), plain.count(nodes, [2], ranges)
        for pair, counts in theirs[0].items():
            for column, expected in zip(ours[0][pair], counts, strict=True):
                np.testing.assert_array_equal(column, expected)
        for feature, found in theirs[1].items():
            for segments, expected in zip(ours[1][feature], found, strict=True):
                for column, wanted in zip(segments, expected, strict=True):
                    np.testing.assert_array_equal(column, wanted)
        for column, expected in zip(streamed.totals(nodes), plain.totals(nodes), strict=True):
            np.testing.assert_array_equal(column, expected)
        limits = {1: np.array([-5.0, 3.05, 50.0, 2000.0]), 0: np.array([0.7])}
        for feature, expected in plain.largest_values(limits).items():
            np.testing.assert_array_equal(streamed.largest_values(limits)[feature], expected)
        for table, other in zip(streamed.tables(nodes), plain.tables(nodes), strict=True):
            assert _sorted_rows(table) == _sorted_rows(other)


def _sorted_rows(table):
    columns = [*table.numeric, *table.nominal, table.y, table.weights]
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_several_files_in_parts(files, threads):
    learner = cw.C45Classifier(min_leaf=5)
    scan = cw.scan(files / "*.parquet", target="class", in_memory=100, threads=threads)
    table = cw.read(sorted(files.glob("*.parquet"))[0], target="class").stacked(
        cw.read(files / "part2.parquet", target="class")
    )
    assert differences(learner.fit(scan).tree_, cw.C45Classifier(min_leaf=5).fit(table).tree_) == []


def test_columns_named_like_those_that_number_rows(tmp_path):
    import duckdb

    file = tmp_path / "rows.parquet"
    rows = f"SELECT a AS file_row_number, b AS filename, class FROM ({ROWS.format(0, 900)})"
    duckdb.sql(rows).write_parquet(str(file))
    scan, learner = cw.scan(file, target="class", in_memory=50, threads=2), cw.C45Classifier()
    tree = learner.fit(scan).tree_
    assert differences(tree, cw.C45Classifier().fit(cw.read(file, target="class")).tree_) == []
    assert "filename" in str(tree)


def test_other_sources_than_parquet(tmp_path):
    import duckdb

    (tmp_path / "rows.csv").write_text(duckdb.sql(ROWS.format(0, 900)).df().to_csv(index=False))
    with duckdb.connect(str(tmp_path / "rows.duckdb")) as db:
        db.sql(f"CREATE TABLE t AS {ROWS.format(0, 900)}")
    trees = [
        cw.C45Classifier().fit(cw.scan(tmp_path / name, target="class", in_memory=50, threads=2, **more)).tree_
        for name, more in (("rows.csv", {}), ("rows.duckdb", {"table": "t"}))
    ]
    assert str(trees[0]) == str(trees[1]) and trees[0].n_leaves > 5


def test_where_counts_would_take_too_much_room_sql_counts(files, monkeypatch):
    monkeypatch.setattr(streams, "MOST_BYTES", 100)
    counted = []
    count = Questions.count
    monkeypatch.setattr(Questions, "count", lambda self, *given: counted.append(1) or count(self, *given))
    scan = cw.scan(files / "*.parquet", target="class", in_memory=100)
    cw.C45Classifier().fit(scan)
    assert counted


def test_rows_that_come_or_go_are_noticed(files):
    scan = cw.scan(files / "*.parquet", target="class", threads=2)
    with scan.open() as engine:
        questions = ask(scan, engine)
        nodes = _some_nodes(questions)
        for more in (1, -1):
            nodes[1].n_rows += more
            with pytest.raises(EngineError, match="no longer what it was"):
                questions.tables(nodes)
            nodes[1].n_rows -= more


def test_a_pass_can_be_stopped(files, monkeypatch):
    monkeypatch.setattr(duckdb_engine, "BATCH_ROWS", 100)
    scan = cw.scan(files / "*.parquet", target="class", threads=2)
    looks = []

    def look():
        looks.append(1)
        if len(looks) > 3:
            raise KeyboardInterrupt

    with scan.open() as engine:
        questions = ask(scan, engine)
        nodes = _some_nodes(questions)
        questions.before = look
        with pytest.raises(KeyboardInterrupt):
            questions.totals(nodes)
    assert len(looks) < 12


@pytest.mark.parametrize("seed", [3, 8, 9])
def test_batches_of_two_rows(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(duckdb_engine, "BATCH_ROWS", 2)
    table = awkward_table(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        scan = scan_of(table, tmp_path, in_memory=40, threads=2)
        assert differences(cw.C45Classifier().fit(scan).tree_, cw.C45Classifier().fit(table).tree_) == []
