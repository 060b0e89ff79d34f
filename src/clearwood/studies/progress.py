"""Progress: how far a study is, and how long it will take, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Progress", "show_progress"]

Progress = Callable[[int, int], None]


@contextmanager
def show_progress(title: str, progress: Progress | bool | None = None) -> Iterator[Progress | None]:
    """A function to be told (done, total): the caller's own, a bar on a terminal's standard error, or none.

    None shows the bar if standard error is a terminal, True always, False never.
    """
    if callable(progress):
        yield progress
        return
    if progress is False or (progress is None and not sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, left="")
        clock = Clock(lambda: bar.get_time())

        def tell(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, left=clock.left(done, total))

        yield tell


class Clock:
    """The time left, from the pace of this run: what an earlier run has done does not count.

    >>> seconds = iter([0.0, 60.0])
    >>> clock = Clock(lambda: next(seconds))
    >>> clock.left(100, 400), clock.left(200, 400)
    ('', '2 min left')
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._start: tuple[float, int] | None = None

    def left(self, done: int, total: int) -> str:
        """How long the rest will take, in words; nothing as long as nothing is known."""
        now = self._now()
        if self._start is None:
            self._start = (now, done)
        began, before = self._start
        if done == before:
            return ""
        return f"{_in_words((now - began) / (done - before) * (total - done))} left"


def _in_words(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60:02} min"
