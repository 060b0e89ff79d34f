"""Timing: the best of several runs, contestants taking turns so that noise hits all of them."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

LONG_ENOUGH = 0.1
"""Seconds that one measurement should last; a shorter call is made several times in a row."""


class Timing(NamedTuple):
    """The best seconds of one call, and what the last call returned."""

    seconds: float
    result: Any


def alternate(runs: dict[str, Callable[[], object]], repeat: int = 5, patience: float = 60.0) -> dict[str, Timing]:
    """Call each function ``repeat`` times in turn, and keep the best time of each.

    All get the same number of rounds: no further round begins once one of them has spent ``patience`` seconds.

    >>> timings = alternate({"ours": lambda: 6 * 7, "theirs": lambda: sum([6] * 7)}, repeat=2)
    >>> timings["ours"].result, timings["ours"].seconds > 0
    (42, True)
    """
    if repeat < 1:
        raise ValueError(f"repeat must be at least 1, got {repeat}.")
    spent: dict[str, float] = {}
    best: dict[str, float] = {}
    calls: dict[str, int] = {}
    results: dict[str, object] = {}
    for name, run in runs.items():  # this round also warms up, so a short call's time does not count
        seconds, results[name] = _time(run, 1)
        calls[name] = max(1, int(LONG_ENOUGH / seconds))
        spent[name] = seconds
        best[name] = seconds if calls[name] == 1 else float("inf")
    rounds = repeat if max(calls.values()) > 1 else repeat - 1
    names = list(runs)
    for i in range(rounds):
        if max(spent.values()) > patience and min(best.values()) < float("inf"):
            break
        for name in names[i % len(names) :] + names[: i % len(names)]:  # nobody always comes after the same rival
            seconds, results[name] = _time(runs[name], calls[name])
            best[name] = min(best[name], seconds)
            spent[name] += seconds * calls[name]
    return {name: Timing(best[name], results[name]) for name in names}


def _time(run: Callable[[], object], calls: int) -> tuple[float, object]:
    """The mean seconds of some calls in a row, and the last one's result."""
    result = None
    gc.collect()
    enabled = gc.isenabled()
    gc.disable()
    try:
        start = perf_counter()
        for _ in range(calls):
            result = run()
        return (perf_counter() - start) / calls, result
    finally:
        if enabled:
            gc.enable()
