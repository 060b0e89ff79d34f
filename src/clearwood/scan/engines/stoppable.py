"""Stoppable: a call that Ctrl-C ends, of an engine that does not hear it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

__all__ = ["call_stoppable"]

AGAIN = 0.2
"""Seconds after which what did not stop is stopped once more: it may not have begun the first time."""


def call_stoppable(call: Callable[[], Any], stop: Callable[[], None]) -> Any:
    """What a call returns or raises; on Ctrl-C it is stopped, and KeyboardInterrupt raised once it has ended.

    >>> call_stoppable(lambda: 6 * 7, stop=lambda: None)
    42
    """
    returned: list[Any] = []
    raised: list[Exception] = []
    ended = threading.Event()  # Python 3.11 takes a thread for dead if Ctrl-C interrupts its join

    def work() -> None:
        try:
            returned.append(call())
        except Exception as error:
            raised.append(error)
        finally:
            ended.set()

    threading.Thread(target=work, name="clearwood-engine", daemon=True).start()
    try:
        ended.wait()
    except KeyboardInterrupt:
        while not ended.is_set():
            stop()
            ended.wait(AGAIN)
        raise
    if raised:
        raise raised[0]
    return returned[0]
