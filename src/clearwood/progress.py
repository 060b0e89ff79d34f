"""Progress: how far long work is, and how long it will take, on a terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_BAR = threading.Lock()

__all__ = ["Progress", "Tell", "show_bar", "show_progress"]

Progress = Callable[[int, int], None]
Tell = Callable[[int, int, str], None]


@contextmanager
def show_progress(title: str, progress: Progress | bool | None = None) -> Iterator[Progress | None]:
    """A function to be told (done, total): the caller's own, a bar on a terminal's standard error, or none.

    None shows the bar if standard error is a terminal, True always, False never.
    """
    if callable(progress):
        yield progress
        return
    with show_bar(title, progress) as tell:
        yield tell and (lambda done, total: tell(done, total, ""))


@contextmanager
def show_bar(
    title: str, show: bool | None = None, *, deadline: float | None = None, following: float = 0.0
) -> Iterator[Tell | None]:
    """A bar on standard error, to be told (done, total, a few words to stand beside it), or None if none is shown.

    Where standard error is not a terminal, True writes lines instead of a bar. ``deadline`` and ``following`` are those
    of a Clock.
    """
    hidden = show is False or (show is None and not sys.stderr.isatty())
    if hidden or _BAR.locked() or threading.current_thread() is not threading.main_thread():
        yield None  # one bar at a time: what runs inside long work keeps quiet
        return
    with _BAR:
        yield from _bar(title, Clock(time.monotonic, deadline, following))


def _bar(title: str, clock: Clock) -> Iterator[Tell]:
    if not sys.stderr.isatty():
        yield _tell_in_lines(title, clock)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}", markup=False),
        TextColumn("{task.fields[words]}", markup=False),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, left="", words="")

        def tell(done: int, total: int, words: str) -> None:
            bar.update(task, completed=done, total=total, left=clock.left(done, total), words=words)

        yield tell


def _tell_in_lines(title: str, clock: Clock, every: float = 5.0) -> Tell:
    """Progress for a log: a line now and then, and one at the end."""
    last = -every

    def tell(done: int, total: int, words: str) -> None:
        nonlocal last
        if time.monotonic() - last >= every or done == total:
            last = time.monotonic()
            parts = (f"{title}: {done:,} of {total:,}", clock.left(done, total), words)
            sys.stderr.write(", ".join(part for part in parts if part) + "\n")

    return tell


class Clock:
    """The time left, from the pace of this run: what an earlier run has done does not count.

    Parameters
    ----------
    now : callable
        Gives the seconds, as ``time.monotonic`` does.
    deadline : float or None
        When the work ends at the latest, done or not.
    following : float
        How many times such work follows, each as long as this one may last.

    Examples
    --------
    >>> seconds = iter([0.0, 60.0])
    >>> clock = Clock(lambda: next(seconds))
    >>> clock.left(100, 400), clock.left(200, 400)
    ('', '2 min left')
    """

    def __init__(self, now: Callable[[], float], deadline: float | None = None, following: float = 0.0) -> None:
        self._now = now
        self._deadline = float("inf") if deadline is None else deadline
        self._following = following
        self._start: tuple[float, int] | None = None

    def left(self, done: int, total: int) -> str:
        """How long the rest will take, in words; nothing as long as nothing is known."""
        now = self._now()
        if self._start is None:
            self._start = (now, done)
        began, before = self._start
        if done == before:
            return ""
        pace = (now - began) / (done - before)
        rest = min(pace * (total - done), max(0.0, self._deadline - now))
        return f"{_in_words(rest + self._following * min(pace * total, self._deadline - began))} left"


def _in_words(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60:02} min"
