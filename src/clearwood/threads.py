"""Threads: work in parts that several threads share, crews that work together, and rows dealt out in blocks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

__all__ = ["Crew", "count_threads", "each", "row_blocks"]

Part = TypeVar("Part")
Result = TypeVar("Result")


def count_threads(n_jobs: int | None, most: int | None = None) -> int:
    """How many threads ``n_jobs`` stands for, as joblib has it: None is one unless ``parallel_config`` says otherwise.

    >>> count_threads(3), count_threads(3, most=2), count_threads(None)
    (3, 2, 1)
    """
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):  # nothing can have been said yet
        n = 1
    else:
        from joblib import effective_n_jobs

        n = effective_n_jobs(n_jobs)
    return max(1, n if most is None else min(n, most))


def each(work: Callable[[Part], Result], parts: Iterable[Part], n_jobs: int | None = None) -> list[Result]:
    """What a function makes of each part, in order; threads take one part after the other.

    >>> each(len, ["a", "bc", ""], n_jobs=2)
    [1, 2, 0]
    """
    given = list(parts)
    n_threads = count_threads(n_jobs, len(given))
    if n_threads == 1:
        return [work(part) for part in given]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(work, given))


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

        def member(number: int) -> Result:
            try:
                return work(number)
            except BaseException:
                give_up()
                raise

        others = [self._threads().submit(member, number) for number in range(1, self.size)]
        try:
            first = member(0)
        finally:
            for other in others:
                other.exception()
        return [first, *(other.result() for other in others)]

    def share(self, work: Callable[[int], object]) -> None:
        """The same for work that is done when one comes back: a thread that has not woken by then need not begin."""
        others = [self._threads().submit(work, number) for number in range(1, self.size)]
        try:
            work(0)
        finally:
            begun = [other for other in others if not other.cancel()]
            for other in begun:
                other.exception()
        for other in begun:
            other.result()

    def _threads(self) -> ThreadPoolExecutor:
        """The threads; a forked process has to start its own."""
        if self._pool is None or self._owner != os.getpid():
            from concurrent.futures import ThreadPoolExecutor

            self._pool, self._owner = ThreadPoolExecutor(self.size - 1, thread_name_prefix="clearwood"), os.getpid()
        return self._pool


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
