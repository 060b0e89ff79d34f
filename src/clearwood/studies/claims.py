"""Claims: which process works on which unit, so that two on one store do not do the same work."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clearwood.studies.store import Store
from clearwood.studies.store_file import StoreError
from clearwood.studies.units import Unit

__all__ = ["Claims", "hold_claims"]

_BEAT = 10.0  # seconds between two signs of life
_PATIENCE = 120.0  # seconds without one after which a process counts as dead

_KEY = "study = ? AND data = ? AND learner = ? AND repeat = ? AND fold = ?"


class Claims:
    """The claims of one run.

    A process that was killed on this machine is known to be dead at once. Should two runs ever do the same unit, for
    instance after a machine slept longer than claims last, the store still keeps one row.
    """

    def __init__(self, store: Store, retry_before: str | None = None) -> None:
        self._store = store
        self._retry_before = retry_before
        with store.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO holder (process, beat) VALUES (?, ?)", (_this_process(), time.time())
            )
            self._holder = int(cursor.lastrowid or 0)

    def take(self, unit: Unit) -> bool:
        """Claim a unit; False if it is finished, or if another run that is alive works on it."""
        with self._store.transaction() as connection:
            row = connection.execute(f"SELECT status, finished FROM result WHERE {_KEY}", unit.key).fetchone()
            if row is not None and not self._is_due(*row):
                return False
            row = connection.execute(
                f"SELECT holder.id, process, beat FROM claim JOIN holder ON holder.id = claim.holder WHERE {_KEY}",
                unit.key,
            ).fetchone()
            if row is not None and row[0] != self._holder and _is_alive(row[1], row[2]):
                return False
            connection.execute("INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?, ?, ?)", (*unit.key, self._holder))
            return True

    def _is_due(self, status: str, finished: str) -> bool:
        """Whether a unit that has a row is to be run again: it failed before this run began, and was asked for."""
        return status != "done" and self._retry_before is not None and finished < self._retry_before

    def missing(self, units: list[Unit]) -> list[Unit]:
        """The units that are still to be done, by whomever."""
        studies = {unit.study for unit in units}
        rows = [
            row
            for study in studies
            for row in self._store.query(
                "SELECT study, data, learner, repeat, fold, status, finished FROM result WHERE study = ?", (study,)
            )
        ]
        finished = {Unit(*row[:5]) for row in rows if not self._is_due(*row[5:])}
        return [unit for unit in units if unit not in finished]

    def beat(self) -> None:
        with self._store.transaction() as connection:
            connection.execute("UPDATE holder SET beat = ? WHERE id = ?", (time.time(), self._holder))

    def release(self) -> None:
        """Let go of everything, and forget runs that have died."""
        with self._store.transaction() as connection:
            rows = connection.execute("SELECT id, process, beat FROM holder").fetchall()
            for holder, process, beat in rows:
                if holder == self._holder or not _is_alive(process, beat):
                    connection.execute("DELETE FROM claim WHERE holder = ?", (holder,))
                    connection.execute("DELETE FROM holder WHERE id = ?", (holder,))


@contextmanager
def hold_claims(store: Store, retry_before: str | None = None) -> Iterator[Claims]:
    """Claims with a thread that shows that this process is alive, let go at the end."""
    claims = Claims(store, retry_before)
    over = threading.Event()

    def show_life() -> None:
        while not over.wait(_BEAT):
            try:
                claims.beat()
            except StoreError:  # the next result that is written will say it
                continue

    thread = threading.Thread(target=show_life, daemon=True, name="clearwood-claims")
    thread.start()
    try:
        yield claims
    finally:
        over.set()
        thread.join()
        with suppress(StoreError):  # as with a full disk: what ends the run must not be hidden, and claims run out
            claims.release()


def _this_process() -> str:
    return f"{socket.gethostname()} {os.getpid()} {_started(os.getpid())}"


def _started(pid: int) -> str:
    """When a process began, in the kernel's ticks: its number may be another's later. Empty where /proc is not."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return ""
    return "dead" if fields[0] in "ZX" else fields[19]


def _is_alive(process: str, beat: float) -> bool:
    host, pid, started = process.split(" ")
    if host == socket.gethostname():
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        if started and _started(int(pid)) != started:
            return False
    return time.time() - beat < _PATIENCE
