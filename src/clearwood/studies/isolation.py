"""Isolation: run units in processes that can be ended, because a thread cannot."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any

from clearwood.studies.dealt import DealtTable
from clearwood.studies.units import Result
from clearwood.studies.work import Job, failure, run_here

__all__ = ["children_end", "follow", "run_isolated", "serve"]

_START_SECONDS = 300.0  # for imports on a slow or busy machine

_idle: queue.LifoQueue[_Child] = queue.LifoQueue()
_all: set[_Child] = set()
_lock = threading.Lock()
_studies = 0


def run_isolated(job: Job, dealt: DealtTable) -> Result:
    """Run a unit in a process of its own, and end that if the unit's time is over.

    Processes are kept for the next unit, so that each does its imports once. The time is counted from the moment
    when the process has the unit in hand.
    """
    start = perf_counter()
    child = _take_child()
    try:
        result = child.run(job, dealt)
        _idle.put(child)
        return result
    except TimeoutError:
        status, error = "timeout", f"TimeLimit: the unit took more than {job.limit:g} seconds"
    except (EOFError, OSError):
        status, error = "failed", f"WorkerDied: {child.last_words()}"
    except Exception as strange:  # what cannot be pickled, or not be unpickled there
        status, error = "failed", f"{type(strange).__name__}: {strange}"
    except BaseException:
        child.end()
        raise
    child.end()
    return failure(job, status, error, perf_counter() - start)


@contextmanager
def children_end() -> Iterator[None]:
    """End the processes that this one has started, busy or not, when the last study in it is over."""
    global _studies
    with _lock:
        _studies += 1
    try:
        yield
    finally:
        with _lock:
            _studies -= 1
            children = list(_all) if _studies == 0 else []
        for child in children:
            child.end()  # one that is waiting for work is found dead by the next who looks for one


def _take_child() -> _Child:
    while True:
        try:
            child = _idle.get_nowait()
        except queue.Empty:
            return _Child()
        if child.is_alive():
            return child
        child.end()


class _Child:
    """A process that runs one unit after the other, and keeps the last table that it was sent."""

    def __init__(self) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from clearwood.studies.isolation import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to = Connection(os.dup(self._process.stdin.fileno()), readable=False)
        self._from = Connection(os.dup(self._process.stdout.fileno()), writable=False)
        self._process.stdin.close()
        self._process.stdout.close()
        self._digest = ""
        with _lock:
            _all.add(self)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def run(self, job: Job, dealt: DealtTable) -> Result:
        """Run a unit; TimeoutError when its time is over, EOFError or OSError when the process dies."""
        # a learner may be defined in a script or a notebook, which the other process cannot import
        self._to.send_bytes(_cloudpickle().dumps((job, dealt if dealt.digest != self._digest else None)))
        if not self._from.poll(_START_SECONDS):
            raise RuntimeError(f"the process of the unit did not start within {_START_SECONDS:g} seconds")
        problem = self._from.recv()
        if problem is not None:
            raise RuntimeError(f"the process of the unit cannot read the learner: {problem}")
        self._digest = dealt.digest
        if not self._from.poll(job.limit):
            raise TimeoutError
        result: Result = self._from.recv()
        return result

    def last_words(self) -> str:
        """How a process ended that no longer answers."""
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "the process of the unit does not answer"
        if code < 0:
            return f"the process of the unit was ended by {signal.Signals(-code).name}"
        return f"the process of the unit ended with status {code}"

    def end(self) -> None:
        with _lock:
            if self not in _all:
                return
            _all.remove(self)
        self._process.kill()
        self._process.wait()
        self._to.close()
        self._from.close()


def serve() -> None:
    """What the process does: take a unit, say so, run it, send its result, until nobody sends any more."""
    import pickle

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who started it decides when it ends
    source, drain = Connection(os.dup(0), writable=False), Connection(os.dup(1), readable=False)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what a learner prints must not get between the messages
    follow(os.getppid())
    dealt: DealtTable | None = None
    with suppress(EOFError, BrokenPipeError):
        while True:
            message = source.recv_bytes()
            try:
                job, sent = pickle.loads(message)
            except Exception as error:  # such as a module that is not there
                drain.send(f"{type(error).__name__}: {error}")
                continue
            dealt = sent or dealt
            assert dealt is not None
            drain.send(None)  # the unit is in hand
            drain.send(run_here(job, dealt))


def _cloudpickle() -> Any:
    try:
        import cloudpickle
    except ImportError:  # joblib before 1.6 has it inside
        from joblib.externals import cloudpickle
    return cloudpickle


@cache
def follow(parent: int) -> None:
    """End this process with its parent; joblib's workers would live on for minutes."""
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End with the process that started this one: a killed one cannot say goodbye."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
