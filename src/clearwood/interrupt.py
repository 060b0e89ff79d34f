"""Interrupt: Ctrl-C as a flag that a search looks at between two steps."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Interrupt", "is_asked", "watch_for_interrupt"]

_watching: list[Interrupt] = []


class Interrupt:
    """Whether the user has asked to stop."""

    def __init__(self) -> None:
        self.asked = False

    def __bool__(self) -> bool:
        return self.asked


def is_asked() -> bool:
    """Whether the user has asked a search that is under way to stop: for steps that take long, in any thread."""
    return any(_watching)


@contextmanager
def watch_for_interrupt() -> Iterator[Interrupt]:
    """Take the first Ctrl-C as a wish to stop; the second raises KeyboardInterrupt as usual.

    Only the main thread can do so, and only where Python's own handler is in place; elsewhere the flag stays down.
    """
    interrupt = Interrupt()
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
        yield interrupt
        return

    def handle(number: int, frame: Any) -> None:
        if interrupt.asked:
            raise KeyboardInterrupt
        interrupt.asked = True

    signal.signal(signal.SIGINT, handle)
    _watching.append(interrupt)
    try:
        yield interrupt
    finally:
        _watching.remove(interrupt)
        signal.signal(signal.SIGINT, before)
