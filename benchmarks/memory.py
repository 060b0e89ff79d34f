"""Memory: the peak while fitting, as a multiple of the data's own bytes, beside scikit-learn's.

The figure is what the process holds at its peak above its level before ``fit``, where the data are loaded already,
divided by the data's bytes. The note adds the data themselves, for a stricter reading. Each contestant has a fresh
process.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import tables
from benchmarks.fresh_process import figures
from benchmarks.peak import CONTESTANTS
from benchmarks.row import Row

NAME = "memory"
GOAL = 3
"""Times the table's own bytes."""


def run(*, quick: bool = False, repeat: int = 1) -> Iterator[Row]:
    """The rows of this benchmark."""
    if not Path("/proc/self/status").is_file():
        yield Row(NAME, "", "peak while fitting", unit="×", note="needs Linux's /proc")
        return
    for n_rows, n_columns in ((20_000, 10),) if quick else ((100_000, 20), (1_000_000, 10)):
        yield from measure(tables.two_classes(n_rows, n_columns), None if quick else GOAL)


def measure(data: tables.Arrays, goal: float | None) -> Iterator[Row]:
    """One table: arrays and a Table fitted by us, arrays by scikit-learn."""
    with TemporaryDirectory() as folder:
        np.save(Path(folder) / "X.npy", data.X)
        np.save(Path(folder) / "y.npy", data.y)
        peaks = {contestant: peak(folder, contestant) for contestant in CONTESTANTS}
    theirs = peaks["scikit-learn"]
    for what in CONTESTANTS[:2]:
        yield Row(
            NAME, data.size, f"peak in {what}", peaks[what], "scikit-learn", theirs, "× the data", theirs / peaks[what],
            f"≤ {goal:g}×" if goal else "", peaks[what] <= goal if goal else None,
            f"{peaks[what] + 1:.2f}× with the data",
        )  # fmt: skip


def peak(folder: str, contestant: str) -> float:
    """The peak of one contestant in a fresh process, in multiples of the data's bytes."""
    found = figures("benchmarks.peak", folder, contestant)
    return found["extra"] / found["own"]
