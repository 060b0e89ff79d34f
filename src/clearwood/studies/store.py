"""Store: the results of studies in one file, a row for each unit, written as it is finished."""

from __future__ import annotations

import gc
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from clearwood.evaluate.scores import SCORES
from clearwood.studies.store_file import StoreError, connect, in_words
from clearwood.studies.units import Result, TableFacts, Unit, pack_codes, unpack_codes

__all__ = ["Store", "StoreError"]

_KEYS = ("study", "data", "learner", "repeat", "fold")
_FACTS = ("status", "params", "seed", "versions", "seconds", "error", "finished")
_SCORES = (*SCORES, "nodes", "leaves", "features", "depth", "fit_seconds")
_COLUMNS = (*_KEYS, *_FACTS, *_SCORES, "other_scores", "probe")
_FIRST_SCORE = len(_KEYS) + len(_FACTS)
_UPSERT = (
    f"INSERT INTO result ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))}) ON CONFLICT DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS[len(_KEYS) :])
    + " WHERE result.status <> 'done'"
)
_NAN = float("nan")
_KEY = "study = ? AND data = ? AND learner = ? AND repeat = ? AND fold = ?"


class Store:
    """The results of studies in one SQLite file.

    Each result is one row, written in a transaction of its own: whatever :meth:`add` has taken is there after the
    process dies at any moment. Several processes of one machine may use a store at the same time.

    Parameters
    ----------
    path : str, path or None
        The file, made if it does not exist; None keeps the results in memory.

    Examples
    --------
    >>> with Store(None) as store:
    ...     _ = store.add(Result(Unit("s", "iris", "c45", 0, 0), "done", {"accuracy": 0.9}))
    ...     [(result.unit.data, result.scores["accuracy"]) for result in store.results("s")]
    [('iris', 0.9)]
    """

    def __init__(self, path: str | PathLike[str] | None) -> None:
        self.path = None if path is None else Path(path).expanduser()
        self._connection = connect(self.path)
        self._lock = threading.RLock()
        self._text_ids: dict[str, int] = {}

    def close(self) -> None:
        with self._lock, in_words(self.path):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Everything done to the connection inside is written, or nothing is."""
        with self._lock, in_words(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def query(self, statement: str, values: Iterable[object] = ()) -> list[tuple[Any, ...]]:
        """The rows that a SELECT finds."""
        with self._lock, in_words(self.path):
            return self._connection.execute(statement, tuple(values)).fetchall()

    # -- results --------------------------------------------------------------------------------

    def add(self, result: Result) -> bool:
        """Write a result; False if the unit was done already, and then the first result stays."""
        try:
            return self._add(result)
        except BaseException:
            self._text_ids.clear()  # what was written with the row is gone with it
            raise

    def _add(self, result: Result) -> bool:
        more = {name: value for name, value in result.scores.items() if name not in _SCORES}
        with self.transaction() as connection:
            cursor = connection.execute(
                _UPSERT,
                (
                    *result.unit.key,
                    result.status,
                    self._text(connection, json.dumps(result.params, default=str)),
                    result.seed,
                    self._text(connection, json.dumps(result.versions)),
                    result.seconds,
                    result.error,
                    result.finished,
                    *(result.scores.get(name) for name in _SCORES),  # SQLite holds NaN as NULL
                    json.dumps(more) if more else None,
                    None if result.probe is None else pack_codes(result.probe),
                ),
            )
            connection.execute(f"DELETE FROM claim WHERE {_KEY}", result.unit.key)
            return cursor.rowcount > 0

    def _text(self, connection: sqlite3.Connection, content: str) -> int:
        """The number of a text that many rows share. Rows of texts are never removed, so numbers can be kept."""
        if content not in self._text_ids:
            connection.execute("INSERT OR IGNORE INTO text (content) VALUES (?)", (content,))
            found = connection.execute("SELECT id FROM text WHERE content = ?", (content,)).fetchone()[0]
            self._text_ids[content] = found
        return self._text_ids[content]

    def results(self, study: str | None = None, *, probes: bool = True) -> list[Result]:
        """All results of a study, or of all studies; without ``probes`` the predictions for stability stay unread."""
        with _without_collector():
            rows = self._rows(_COLUMNS if probes else (*_COLUMNS[:-1], "NULL"), study)
            texts = {i: json.loads(content) for i, content in self.query("SELECT id, content FROM text")}
            return [
                Result(
                    Unit(*row[:5]),
                    row[5],
                    _scores(row),
                    texts[row[6]],
                    row[7],
                    texts[row[8]],
                    row[9],
                    row[10],
                    row[11],
                    None if row[-1] is None else unpack_codes(row[-1]),
                )
                for row in rows
            ]

    def statuses(self, study: str | None = None) -> dict[Unit, str]:
        """The units that have a row, with what became of each: quicker than :meth:`results`."""
        with _without_collector():
            return {Unit(*row[:5]): row[5] for row in self._rows((*_KEYS, "status"), study)}

    def _rows(self, columns: tuple[str, ...], study: str | None) -> list[tuple[Any, ...]]:
        where, values = ("", ()) if study is None else (" WHERE study = ?", (study,))
        return self.query(f"SELECT {', '.join(columns)} FROM result{where}", values)

    # -- what a study consists of ---------------------------------------------------------------

    def keep_table(self, study: str, facts: TableFacts, digest: str, cv: int, seed: int) -> None:
        """Note what a study's table is, or raise ValueError if the study was begun with another one."""
        given = (digest, cv, seed)
        with self.transaction() as connection:
            row = connection.execute(
                "SELECT digest, cv, seed FROM study_table WHERE study = ? AND data = ?", (study, facts.name)
            ).fetchone()
            if row is None:
                connection.execute(
                    "INSERT INTO study_table VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (study, facts.name, *given, *facts[1:]),
                )
            elif row != given:
                differing = [
                    f"{what}={before}, now {now}"
                    for what, before, now in zip(("cv", "seed"), row[1:], given[1:], strict=True)
                    if before != now
                ]
                begun = f"with {' and '.join(differing)}" if differing else "with other rows under that name"
                raise ValueError(self._other(study, f"{facts.name!r} was begun {begun}"))

    def keep_learner(self, study: str, learner: str, params: dict[str, Any]) -> None:
        """Note a learner's parameters, or raise ValueError if the study was begun with other ones."""
        with self.transaction() as connection:
            row = connection.execute(
                "SELECT params FROM study_learner WHERE study = ? AND learner = ?", (study, learner)
            ).fetchone()
            if row is None:
                connection.execute("INSERT INTO study_learner VALUES (?, ?, ?)", (study, learner, json.dumps(params)))
                return
            before, now = json.loads(row[0]), json.loads(json.dumps(params))
            # a parameter that only one release of a library knows does not make another learner
            for key in before.keys() & now.keys():
                if before[key] != now[key] and before[key] == before[key]:  # NaN is the same as NaN
                    changed = f"{learner!r} was begun with {key}={before[key]!r}, now {now[key]!r}"
                    raise ValueError(self._other(study, changed))

    def _other(self, study: str, what: str) -> str:
        return f"in study {study!r} of store {self.path}, {what}; use another study= or another store=."

    def keep_folds(self, study: str, data: str, repeat: int, numbers: np.ndarray) -> np.ndarray:
        """The fold numbers of a table's rows: those of the store if it has any, else those given, now kept."""
        with self.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO folds VALUES (?, ?, ?, ?)", (study, data, repeat, pack_codes(numbers))
            )
        return self.folds(study, data)[repeat]

    def folds(self, study: str, data: str) -> dict[int, np.ndarray]:
        """For each repeat the fold of each row (of the rows that have a class)."""
        rows = self.query("SELECT repeat, numbers FROM folds WHERE study = ? AND data = ?", (study, data))
        return {repeat: unpack_codes(numbers) for repeat, numbers in rows}


def _scores(row: tuple[Any, ...]) -> dict[str, float]:
    """The scores of a row: all of the usual ones if it is done, NaN where one does not apply."""
    if row[5] != "done":
        return {}
    cells = row[_FIRST_SCORE:-2]
    if None in cells:
        cells = tuple(_NAN if cell is None else cell for cell in cells)
    scores = dict(zip(_SCORES, cells, strict=True))
    return scores if row[-2] is None else scores | json.loads(row[-2])


@contextmanager
def _without_collector() -> Iterator[None]:
    """No garbage is collected inside: among 100,000 new objects the search for it takes a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
