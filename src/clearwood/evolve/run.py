"""Run: the loop that all searches share, with progress, Ctrl-C, checkpoints and history."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from typing import NamedTuple

from clearwood.checkpoint import Checkpoint
from clearwood.evolve.history import History
from clearwood.evolve.search import Search
from clearwood.interrupt import watch_for_interrupt
from clearwood.progress import show_bar
from clearwood.read.notes import warn

__all__ = ["Outcome", "Report", "run"]

Report = Callable[[int, int, dict[str, float]], None]
SHOW_EVERY = 0.1  # seconds


class Outcome(NamedTuple):
    """How a run ended."""

    history: History
    interrupted: bool


def run(
    search: Search,
    *,
    title: str,
    progress: Report | bool | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    fingerprint: str = "",
    save_every: float = 10.0,
    deadline: float | None = None,
    following: float = 0.0,
) -> Outcome:
    """Advance a search until it is finished or the user stops it.

    Parameters
    ----------
    search : Search
        What is run; afterwards it holds the result.
    title : str
        What the progress bar is called.
    progress : callable, bool or None
        Called as ``progress(done, total, row)`` whenever the history gets a line. None shows a bar if standard error
        is a terminal, True always, False never.
    checkpoint : path or None
        A file that keeps the state: a run that finds one goes on from it, and ends as an unbroken run would.
    fingerprint : str
        Which data and settings the search belongs to.
    save_every : float
        Seconds between two checkpoints; one is also written at the end and after Ctrl-C.
    deadline : float or None
        The reading of ``time.monotonic`` at which to stop; what is found by then is the result.
    following : float
        How many runs like this one come after it; the time left that is shown includes them.
    """
    file = None if checkpoint is None else Checkpoint(checkpoint, fingerprint)
    history = _resume(search, file)
    interrupted = False
    report = progress if callable(progress) else None
    show = False if callable(progress) else progress
    with (
        show_bar(title, show, deadline=deadline, following=following) as tell,
        watch_for_interrupt() as interrupt,
    ):
        saved = shown = time.monotonic()
        if search.finished and search.done and not history.n_lines:  # other threads have done it all
            history.add(search.row())
            if report is not None:
                report(search.done, search.total, search.row())
            if tell is not None:
                tell(search.done, search.total, search.words())
        try:
            while not (search.finished or interrupt or _too_late(search, deadline)):
                before = search.done
                search.advance()
                if search.done // search.record_every > before // search.record_every or search.finished:
                    history.add(search.row())
                    if report is not None:
                        report(search.done, search.total, search.row())
                now = time.monotonic()
                if tell is not None and (now - shown >= SHOW_EVERY or search.finished):
                    tell(search.done, search.total, search.words())
                    shown = now
                if file is not None and now - saved >= save_every:
                    _save(search, history, file)
                    saved = time.monotonic()
            interrupted = bool(interrupt) and not search.finished
            if not (search.finished or interrupted) and search.done % search.record_every:  # the time was up
                history.add(search.row())
        except KeyboardInterrupt:
            interrupted = True
    if interrupted and not search.usable:
        raise KeyboardInterrupt
    saved_last = file is not None and _save(search, history, file)
    if interrupted:
        remedy = "; the same call goes on from the checkpoint" if saved_last else ""
        warnings.warn(
            f"interrupted after {search.done:,} of {search.total:,} {search.unit}: the result is the best found so "
            f"far{remedy}.",
            UserWarning,
            stacklevel=2,
        )
    return Outcome(history, interrupted)


def _too_late(search: Search, deadline: float | None) -> bool:
    """Whether the time is up; never before there is something to show."""
    return deadline is not None and search.usable and time.monotonic() >= deadline


def _save(search: Search, history: History, file: Checkpoint) -> bool:
    """Write the checkpoint; one that cannot be written is a warning, for the search itself has not failed."""
    lines = {f"history {name}": cells for name, cells in history.items()}
    try:
        file.save({**search.state(), **lines})
    except OSError as error:
        warn(
            f"checkpoint={str(file.path)!r} cannot be written ({error.strerror or error}); the search goes on, but "
            "what it does from here is lost if it is killed."
        )
        return False
    return True


def _resume(search: Search, file: Checkpoint | None) -> History:
    state = None if file is None else file.load()
    if file is None or state is None:
        return History()
    lines = {key: state.pop(key) for key in list(state) if key.startswith("history ")}
    try:
        history = History({key.removeprefix("history "): cells for key, cells in lines.items()})
        search.restore(state)
        if history.n_lines and list(history) != list(search.row()):
            raise ValueError(f"the history must have the columns {', '.join(search.row())}")
    except (ValueError, TypeError) as error:
        raise file.refused(f"does not hold a search to go on from: {str(error).removesuffix('.')}") from None
    return history
