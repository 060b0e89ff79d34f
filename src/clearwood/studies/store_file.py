"""The file of a results store: its tables, its version, and what can go wrong with it in words."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["StoreError", "connect", "in_words"]

VERSION = 1
_APPLICATION = 0x436C7764  # "Clwd" in the file's header, so that another program's database is not mistaken for ours
_PATIENCE = 60.0  # seconds to wait for another process that is writing

_TABLES = """
CREATE TABLE study_table (
    study TEXT, data TEXT, digest TEXT NOT NULL, cv INTEGER NOT NULL, seed INTEGER NOT NULL,
    n_rows INTEGER NOT NULL, n_features INTEGER NOT NULL, n_classes INTEGER NOT NULL,
    PRIMARY KEY (study, data)
) WITHOUT ROWID;
CREATE TABLE study_learner (
    study TEXT, learner TEXT, params TEXT NOT NULL, PRIMARY KEY (study, learner)
) WITHOUT ROWID;
CREATE TABLE folds (
    study TEXT, data TEXT, repeat INTEGER, numbers BLOB NOT NULL, PRIMARY KEY (study, data, repeat)
) WITHOUT ROWID;
CREATE TABLE text (id INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE);
CREATE TABLE result (
    study TEXT NOT NULL, data TEXT NOT NULL, learner TEXT NOT NULL, repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
    status TEXT NOT NULL, params INTEGER NOT NULL REFERENCES text, seed INTEGER NOT NULL,
    versions INTEGER NOT NULL REFERENCES text, seconds REAL NOT NULL, error TEXT, finished TEXT NOT NULL,
    accuracy REAL, balanced_accuracy REAL, log_loss REAL, brier REAL, auc REAL, nodes REAL, leaves REAL,
    features REAL, depth REAL, fit_seconds REAL, other_scores TEXT, probe BLOB,
    PRIMARY KEY (study, data, learner, repeat, fold)
);
CREATE TABLE holder (id INTEGER PRIMARY KEY, process TEXT NOT NULL, beat REAL NOT NULL);
CREATE TABLE claim (
    study TEXT, data TEXT, learner TEXT, repeat INTEGER, fold INTEGER, holder INTEGER NOT NULL,
    PRIMARY KEY (study, data, learner, repeat, fold)
) WITHOUT ROWID;
CREATE INDEX claim_holder ON claim (holder);
CREATE VIEW results AS
    SELECT study, data, learner, repeat, fold, status, accuracy, balanced_accuracy, log_loss, brier, auc, nodes,
           leaves, features, depth, fit_seconds, other_scores, p.content AS params, seed, v.content AS versions,
           seconds, error, finished
    FROM result JOIN text AS p ON p.id = params JOIN text AS v ON v.id = versions;
"""


class StoreError(OSError):
    """The results store cannot be used; the message says why, and what to do."""


def connect(path: Path | None) -> sqlite3.Connection:
    """Open a store, made if it is new; None gives one in memory."""
    if path is not None:
        if path.is_dir():
            raise StoreError(f"store must be a file, but {path} is a folder; name a file in it.")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"store {path}: its folder cannot be made ({error.strerror}); name another.") from error
    with in_words(path):
        connection = sqlite3.connect(
            ":memory:" if path is None else path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        try:
            _set_up(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _set_up(connection: sqlite3.Connection, path: Path | None) -> None:
    connection.execute("BEGIN")  # all that is asked is of one moment: another process may be making the store
    try:
        _check_owner(connection, path)  # before anything is changed
    finally:
        connection.execute("ROLLBACK")
    # With a write-ahead log readers never wait, and a commit that has returned survives the death of the process.
    # Only a power failure can take the last ones: they are then run again, and the file stays sound.
    _patiently(connection, "PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _check_owner(connection, path):
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _check_owner(connection: sqlite3.Connection, path: Path | None) -> bool:
    """Whether the file is still empty; one that holds anything but a store of this version raises StoreError."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application == _APPLICATION and version == VERSION:
        return False
    if application == _APPLICATION:
        raise StoreError(
            f"store {path} has version {version}, and this clearwood reads version {VERSION}; "
            "name another file, or use the clearwood that made it. Nothing in it was changed."
        )
    if version or connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise StoreError(f"store {path} is a database of another program; name another file.")
    return True


def _patiently(connection: sqlite3.Connection, statement: str) -> None:
    """A change of the journal does not wait for other processes by itself."""
    for pause in (0.01, 0.05, 0.2, 0.5, 1.0, 2.0):
        try:
            connection.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(pause)
    connection.execute(statement)


@contextmanager
def in_words(path: Path | None) -> Iterator[None]:
    """Turn SQLite's errors into ones that say what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"store {path or 'in memory'}: {_reason(error, path)}") from error


def _reason(error: sqlite3.Error, path: Path | None) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind, the rest a detail
    stored = "every result that was reported as done is in it"
    if code == sqlite3.SQLITE_FULL:
        return f"the disk is full; {stored}. Free some space and run the same command again."
    if code == sqlite3.SQLITE_IOERR:
        return f"writing failed ({error}); {stored}. See that the disk has space and run the same command again."
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        folder = path.parent if path is not None else None
        what = "its folder" if folder is not None and not os.access(folder, os.W_OK) else "the file"
        return f"{what} cannot be written ({error}); name a file elsewhere."
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"another process has kept it locked for {_PATIENCE:.0f} seconds; {stored}. Try again."
    if code == sqlite3.SQLITE_NOTADB:
        return "the file is no results store; name another."
    if code == sqlite3.SQLITE_CORRUPT:
        return f"the file is damaged ({error}); 'sqlite3 {path} .recover' may save what it holds. Name another."
    return str(error)
