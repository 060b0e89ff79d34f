"""Work counted instead of timed: how many functions are called does not depend on what else a machine does."""

from __future__ import annotations

import sys
from collections.abc import Callable


def calls(function: Callable[[], object]) -> int:
    """How many Python and built-in functions are called while a function runs.

    >>> calls(lambda: [abs(i) for i in range(100)]) - calls(lambda: [abs(i) for i in range(50)])
    50
    """
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count
