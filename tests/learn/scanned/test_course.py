"""A tree's way from level to level: what is told, what Ctrl-C leaves, and how a broken fit goes on."""

import signal
import warnings

import numpy as np
import pytest
from awkward_tables import awkward_table
from scanned_engines import scan_in_postgres
from scanned_tables import differences, scan_of
from servers import postgres_server

import clearwood as cw
from clearwood.scan.engines.duckdb import DuckEngine
from clearwood.scan.engines.engine import EngineError


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "(the values of column|.* rows without a class)", UserWarning)
        yield


@pytest.fixture
def table() -> cw.Table:
    """Deep enough for some levels, with rows that lack values."""
    rng = np.random.default_rng(8)
    n = 4000
    cells = [rng.random(n), rng.random(n), rng.integers(0, 4, n)]
    y = (4 * cells[0] + 3 * cells[1] + cells[2] + rng.normal(0, 0.3, n) > 5).astype(int)
    cells[0][rng.random(n) < 0.05] = np.nan
    columns = [cw.Column("a"), cw.Column("b"), cw.Column("c", tuple("wxyz"))]
    return cw.Table(columns, cells, target=cw.Column("class", ("no", "yes")), y=y)


def test_progress_is_told_by_level(table, tmp_path):
    told = []
    scan = scan_of(table, tmp_path, in_memory=300, progress=lambda *facts: told.append(facts))
    cw.C45Classifier(max_depth=5).fit(scan)
    levels, totals, facts = zip(*told, strict=True)
    assert levels == tuple(range(1, len(levels) + 1)) and len(levels) > 2
    assert set(totals[:-1]) == {5} and totals[-1] == levels[-1]
    scanned = [fact["rows_scanned"] for fact in facts]
    assert scanned == sorted(scanned) and scanned[0] >= table.n_rows and scanned[0] % table.n_rows == 0
    assert facts[-1]["open_nodes"] == 0 < facts[0]["open_nodes"]


def test_a_bar_where_it_is_asked_for(table, tmp_path, capsys):
    cw.C45Classifier(max_depth=3).fit(scan_of(table, tmp_path, in_memory=300, progress=True))
    assert "scanning rows.parquet: 1 of 3" in capsys.readouterr().err


def _interrupt_at(level: int):
    return lambda done, total, facts: signal.raise_signal(signal.SIGINT) if done == level else None


@pytest.mark.parametrize("learner", [cw.C45Classifier(), cw.C45Classifier(prune=False, collapse=False)], ids=str)
def test_ctrl_c_keeps_the_tree_so_far(learner, table, tmp_path):
    scan = scan_of(table, tmp_path, in_memory=50, progress=_interrupt_at(3))
    with pytest.warns(UserWarning, match=r"interrupted after 3 levels: the tree is what was grown by then\.$"):
        tree = learner.fit(scan).tree_
    whole = learner.fit(table).tree_
    assert 1 < tree.n_nodes < whole.n_nodes and tree.counts[0].tolist() == whole.counts[0].tolist()
    assert tree.predict(table).shape == (table.n_rows,)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_before_anything_is_finished(table, tmp_path, monkeypatch):
    numbers = DuckEngine.numbers

    def interrupted(self, statement):
        signal.raise_signal(signal.SIGINT)
        return numbers(self, statement)

    scan = scan_of(table, tmp_path, in_memory=50)
    monkeypatch.setattr(DuckEngine, "numbers", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cw.C45Classifier().fit(scan)


class _Lost:
    """A connection that is lost after some statements."""

    def __init__(self, monkeypatch, after: int) -> None:
        self.n = 0
        numbers = DuckEngine.numbers

        def counted(engine, statement):
            self.n += 1
            if self.n == after:
                raise EngineError("the connection is lost.")
            return numbers(engine, statement)

        monkeypatch.setattr(DuckEngine, "numbers", counted)


@pytest.mark.parametrize("after", [4, 12, 25, 40])
def test_a_lost_connection_and_how_it_goes_on(after, table, tmp_path, monkeypatch):
    scan = scan_of(table, tmp_path, in_memory=50, checkpoint=tmp_path / "levels.npz")
    lost = _Lost(monkeypatch, after)
    with pytest.raises(cw.scan.EngineError, match="the connection is lost"):
        cw.C45Classifier().fit(scan)
    broken, lost.n = lost.n, 1000
    assert differences(cw.C45Classifier().fit(scan).tree_, cw.C45Classifier().fit(table).tree_) == []
    resumed, lost.n = lost.n - 1000, 2000
    (tmp_path / "levels.npz").unlink()
    cw.C45Classifier().fit(scan)
    unbroken = lost.n - 2000
    assert resumed <= unbroken and (after < 12 or resumed < unbroken), (broken, resumed, unbroken)


def test_ctrl_c_goes_on_from_the_checkpoint(table, tmp_path):
    file = tmp_path / "levels.npz"
    learner = cw.C45Classifier()
    with pytest.warns(UserWarning, match="the same call goes on from the checkpoint"):
        learner.fit(scan_of(table, tmp_path, in_memory=50, checkpoint=file, progress=_interrupt_at(2)))
    told = []
    scan = scan_of(table, tmp_path, in_memory=50, checkpoint=file, progress=lambda *facts: told.append(facts[0]))
    assert differences(learner.fit(scan).tree_, cw.C45Classifier().fit(table).tree_) == []
    assert told[0] == 3


def test_cart_has_a_file_for_its_held_out_tree_too(table, tmp_path):
    scan = scan_of(table, tmp_path, in_memory=300, checkpoint=tmp_path / "levels.npz")
    first, again = cw.CARTClassifier().fit(scan), cw.CARTClassifier().fit(scan)
    assert differences(first.tree_, again.tree_) == [] and len(list(tmp_path.glob("levels.npz*"))) == 2


def test_a_file_of_something_else(table, tmp_path):
    file = tmp_path / "levels.npz"
    cw.C45Classifier().fit(scan_of(table, tmp_path, in_memory=300, checkpoint=file))
    with pytest.raises(ValueError, match="belongs to other data or other settings"):
        cw.C45Classifier(min_leaf=5).fit(scan_of(table, tmp_path, in_memory=300, checkpoint=file))
    with pytest.raises(ValueError, match="belongs to other data or other settings"):
        cw.C45Classifier(class_weight="balanced").fit(scan_of(table, tmp_path, in_memory=300, checkpoint=file))
    fewer = table.take(np.arange(table.n_rows) > 7)
    with pytest.raises(ValueError, match="belongs to other data or other settings"):
        cw.C45Classifier().fit(scan_of(fewer, tmp_path, in_memory=300, checkpoint=file))
    file.write_bytes(b"no arrays")
    with pytest.raises(ValueError, match="cannot be read"):
        cw.C45Classifier().fit(scan_of(table, tmp_path, in_memory=300, checkpoint=file))
    with pytest.raises(TypeError, match="checkpoint must be the name of a file"):
        scan_of(table, tmp_path, checkpoint=7)
    with pytest.raises(TypeError, match="progress must be a function"):
        scan_of(table, tmp_path, progress="yes")


def test_a_server_that_ends_the_connection(tmp_path):
    """PostgreSQL says so, and leaves nothing behind."""
    from adbc_driver_postgresql import dbapi

    with postgres_server() as address:

        def end(done, total, facts):
            with dbapi.connect(address, autocommit=True) as db, db.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                    "AND datname = current_database()"
                )
                cursor.fetchall()

        scan = scan_in_postgres(awkward_table(1), address, in_memory=20, progress=end)
        with pytest.raises(cw.scan.EngineError, match="PostgreSQL"):
            cw.C45Classifier().fit(scan)
