"""Threads: work in parts that several threads share, crews that work together, and rows dealt out in blocks."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

__all__ = [
    "Crew",
    "Shared",
    "allowed",
    "at_most",
    "check_jobs",
    "cores",
    "count_threads",
    "each",
    "if_worth",
    "row_blocks",
    "share_out",
    "within_cores",
]

Part = TypeVar("Part")
Result = TypeVar("Result")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Allowance(threading.local):
    """How many threads the work of this thread may have, itself among them; None: as many as it asks for."""

    threads: int | None = None


_allowance = _Allowance()


@contextmanager
def at_most(threads: int) -> Iterator[None]:
    """Let what this thread does have no more threads than these, whatever it asks for.

    Folds that run side by side share the cores out: a learner within a fold gets its part of them.

    >>> with at_most(2):
    ...     count_threads(8), count_threads(1)
    (2, 1)
    """
    before = _allowance.threads
    _allowance.threads = threads if before is None else min(before, threads)
    try:
        yield
    finally:
        _allowance.threads = before


def allowed() -> int | None:
    """How many threads this thread's work may have; None if nothing was said."""
    return _allowance.threads


def _do_with(threads: int, work: Callable[..., Result], *arguments: object) -> Result:
    with at_most(threads):
        return work(*arguments)


class _Free:
    """How many threads are free; work that needs several gets them in the order in which it asks."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._first_in_line, self._changed = threading.Lock(), threading.Condition()

    def do_with(self, threads: int, work: Callable[..., Result], *arguments: object) -> Result:
        with self._first_in_line, self._changed:
            self._changed.wait_for(lambda: self._n >= threads)
            self._n -= threads
        try:
            return _do_with(threads, work, *arguments)
        finally:
            with self._changed:
                self._n += threads
                self._changed.notify_all()


def within_cores(work: Callable[..., Result], n_workers: int) -> Callable[..., Result]:
    """The same work for one of several workers of this machine, with its part of the cores; it can be pickled."""
    if n_workers <= 1:
        return work
    from joblib import cpu_count

    return partial(_do_with, max(1, int(cpu_count()) // n_workers), work)


def check_jobs(n_jobs: Any) -> None:
    """Refuse a number of threads or workers that is none.

    >>> check_jobs(0)
    Traceback (most recent call last):
    ...
    ValueError: n_jobs must be a whole number other than 0, -1 for all cores, or None, got 0.
    """
    whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is None or (whole and n_jobs != 0):
        return
    message = f"n_jobs must be a whole number other than 0, -1 for all cores, or None, got {n_jobs!r}."
    raise ValueError(message) if whole else TypeError(message)


def count_threads(n_jobs: int | None, most: int | None = None) -> int:
    """How many threads ``n_jobs`` stands for, as joblib has it: None is one unless ``parallel_config`` says otherwise.

    Never more than are allowed (:func:`at_most`) to the thread that asks.

    >>> count_threads(3), count_threads(3, most=2), count_threads(None)
    (3, 2, 1)
    """
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):  # nothing can have been said yet
        n = 1
    else:
        from joblib import effective_n_jobs

        check_jobs(n_jobs)
        n = effective_n_jobs(n_jobs)
    limits = [limit for limit in (most, _allowance.threads) if limit is not None]
    return max(1, min([n, *limits]))


def if_worth(n_jobs: int | None, work: float, least: float) -> int | None:
    """``n_jobs`` where there is as much work as threads need to be worth their beginning; else one.

    >>> if_worth(-1, 20_000, 10_000), if_worth(-1, 150, 10_000)
    (-1, 1)
    """
    return n_jobs if work >= least else 1


def share_out(n_threads: int, work: Sequence[float]) -> list[int]:
    """How many threads each of several pieces of work gets that are done side by side: at least one.

    Else in proportion, rounded down, for what one thread does alone it does with least effort; those that remain where
    the pieces are few go to whatever would take longest.

    >>> share_out(16, [50, 30, 20]), share_out(2, [5, 3, 1]), share_out(4, [90, 1, 1, 1, 1])
    ([8, 5, 3], [1, 1, 1], [3, 1, 1, 1, 1])
    """
    total = max(sum(work), 1e-300)
    shares = [max(1, int(n_threads * one / total)) for one in work]
    for _ in range(n_threads - sum(shares) if work else 0):
        shares[max(range(len(work)), key=lambda place: work[place] / shares[place])] += 1
    return shares


def each(
    work: Callable[[Part], Result],
    parts: Iterable[Part],
    n_jobs: int | None = None,
    *,
    share: Callable[[Part], int] | None = None,
    tell: Callable[[int, int], object] | None = None,
    give_up: Callable[[], object] = lambda: None,
) -> list[Result]:
    """What a function makes of each part, in order; threads take one part after the other.

    Where there are fewer parts than threads, the work on a part may have several: never more in all than ``n_jobs``.

    Parameters
    ----------
    share : function or None
        How many threads the work on a part may have; a part waits until so many are free. None: the same for all.
    tell : function or None
        Told (done, total) when a part is done.
    give_up : function
        Called when a part failed, or Ctrl-C was pressed, so that the parts in hand can end soon; no other is begun.

    Examples
    --------
    >>> each(len, ["a", "bc", ""], n_jobs=2)
    [1, 2, 0]
    """
    given = list(parts)
    n_all = count_threads(n_jobs) if len(given) > 1 else 1  # to count cores takes longer than some parts
    n_threads = min(n_all, len(given))
    if n_threads <= 1:
        return list(_in_turn(work, given, tell))
    from concurrent.futures import ThreadPoolExecutor, as_completed

    free = _Free(n_all)
    with ThreadPoolExecutor(n_threads) as pool:
        futures = [
            pool.submit(_do_with, n_all // n_threads, work, part)
            if share is None
            else pool.submit(free.do_with, min(share(part), n_all), work, part)
            for part in given
        ]
        try:
            for done, future in enumerate(as_completed(futures) if tell else futures, 1):
                future.result()
                if tell:
                    tell(done, len(given))
        except BaseException:
            give_up()
            for future in futures:
                future.cancel()
            raise
    return [future.result() for future in futures]


def _in_turn(
    work: Callable[[Part], Result], parts: Sequence[Part], tell: Callable[[int, int], object] | None
) -> Iterator[Result]:
    for done, part in enumerate(parts, 1):
        yield work(part)
        if tell:
            tell(done, len(parts))


def _member(work: Callable[[int], Result], give_up: Callable[[], None], number: int) -> Result:
    """The part of one of a crew."""
    try:
        with at_most(1):
            return work(number)
    except BaseException:
        give_up()
        raise


class Crew:
    """Threads that wait from one piece of work to the next, so that short pieces do not pay for their beginning.

    Parameters
    ----------
    size : int
        How many take part; the thread that calls is one of them.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._pool: ThreadPoolExecutor | None = None
        self._owner = 0

    def run(self, work: Callable[[int], Result], give_up: Callable[[], None] = lambda: None) -> list[Result]:
        """What a function makes of the numbers from 0 to ``size`` - 1, each in a thread of its own, all at once.

        Unlike the parts of :func:`each` these may wait for each other. If one raises, ``give_up`` is called before its
        error goes on, so that nobody waits for it.
        """

        others: list[Future[Result]] = []
        try:
            others = self.call(work, give_up)
            first = _member(work, give_up, 0)
        except BaseException:
            give_up()
            raise
        finally:
            for other in others:
                other.exception()
        return [first, *(other.result() for other in others)]

    def call(self, work: Callable[[int], Result], give_up: Callable[[], None] = lambda: None) -> list[Future[Result]]:
        """The same without the thread that calls, which goes on at once: what will come of numbers from 1 on.

        If a thread cannot be begun, ``give_up`` is called, so that those that were do not wait for it.
        """
        try:
            return [self._threads().submit(_member, work, give_up, number) for number in range(1, self.size)]
        except BaseException:
            give_up()
            raise

    def share(self, work: Callable[[int], object]) -> None:
        """The same for work that is done when one comes back: a thread that has not woken by then need not begin.

        So more threads than cores are not asked to.
        """
        self.begin(work).finish()

    def begin(self, work: Callable[[int], object]) -> Shared:
        """The same for work that is begun by the others alone; the caller joins in to finish it."""
        return Shared(work, [self._threads().submit(work, n) for n in range(1, min(self.size, cores()))])

    def _threads(self) -> ThreadPoolExecutor:
        """The threads; a forked process has to start its own."""
        if self._pool is None or self._owner != os.getpid():
            from concurrent.futures import ThreadPoolExecutor

            self._pool, self._owner = ThreadPoolExecutor(self.size - 1, thread_name_prefix="clearwood"), os.getpid()
        return self._pool


class Shared:
    """Work that threads have begun to share; see :meth:`Crew.share`."""

    def __init__(self, work: Callable[[int], object], others: Sequence[Future[object]]) -> None:
        self._work, self._others = work, others

    def finish(self) -> None:
        """Share the rest of it, and wait until it is done."""
        try:
            self._work(0)
        finally:
            begun = [other for other in self._others if not other.cancel()]
            for other in begun:
                other.exception()
        for other in begun:
            other.result()


def row_blocks(n_rows: int, n_jobs: int | None = None, least: int = 1, each_thread: int = 1) -> Sequence[np.ndarray]:
    """The numbers of the rows in blocks of nearly equal length, ``each_thread`` for each thread; none below ``least``.

    >>> [block.tolist() for block in row_blocks(5, n_jobs=2)]
    [[0, 1, 2], [3, 4]]
    >>> len(row_blocks(5, n_jobs=2, least=3))
    1
    """
    rows = np.arange(n_rows, dtype=np.int32)
    n_blocks = 1 if n_rows < 2 * least else min(n_rows // least, each_thread * count_threads(n_jobs))
    return [rows] if n_blocks <= 1 else np.array_split(rows, n_blocks)
