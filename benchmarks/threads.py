"""Threads: what several threads gain over one, with equal results; ``python -m benchmarks --threads [N …]``.

Each work is done by one thread and by each number of threads that was asked for, in turn, and the best time of each
counts. The results must be equal for all. The serial seconds are those that Amdahl's law leaves after the largest
number of threads: ``(n t(n) - t(1)) / (n - 1)``. Only numpy, scipy and scikit-learn are needed, and the papers' data
sets for some works; one that lacks its data is left out, and said so.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.everyday_works import EVERYDAY_WORKS
from benchmarks.machine import cores, describe
from benchmarks.machine_limit import MACHINE_LIMIT
from benchmarks.thread_works import WORKS as LEARNING_WORKS
from benchmarks.thread_works import Work
from benchmarks.timing import alternate

WORKS = {**MACHINE_LIMIT, **LEARNING_WORKS, **EVERYDAY_WORKS}
COUNTS = (1, 2, 4, 7, 8, 16, 32, 64)


@dataclass(frozen=True)
class Gains:
    """One work's wall and processor seconds by number of threads, and whether all results were equal."""

    work: str
    goal: float | None = None
    seconds: dict[int, float] = field(default_factory=dict)
    processor: dict[int, float] = field(default_factory=dict)
    equal: bool = True
    note: str = ""

    @property
    def most(self) -> int:
        """The largest number of threads."""
        return max(self.seconds)

    @property
    def gain(self) -> float:
        """How many times faster the most threads are than one."""
        return self.seconds[1] / self.seconds[self.most]

    @property
    def serial(self) -> float:
        """The seconds that more threads would not make fewer, by Amdahl's law.

        >>> round(Gains("work", seconds={1: 10.0, 4: 4.0}).serial, 6)
        2.0
        """
        n = self.most
        return math.nan if n == 1 else max(0.0, (n * self.seconds[n] - self.seconds[1]) / (n - 1))


def measure(
    counts: Sequence[int] | None = None, *, quick: bool = False, repeat: int = 3, only: Sequence[str] | None = None
) -> Iterator[Gains]:
    """The gains of each work, one after the other."""
    wanted = sorted({1, *(counts or [n for n in COUNTS if n <= cores()])})
    for name, work in WORKS.items():
        if only is None or name in only:
            yield measure_work(work, wanted, quick=quick, repeat=repeat)


def measure_work(work: Work, counts: Sequence[int], *, quick: bool, repeat: int) -> Gains:
    """One work by each number of threads; short ones as often as it takes to see them."""
    try:
        do = work.prepare(quick)
    except FileNotFoundError as error:
        return Gains(work.name, work.goal, note=f"left out: {error}")
    processor: dict[int, float] = {}

    def run(n: int) -> Any:
        start = process_time()
        found = do(n)
        processor[n] = min(process_time() - start, processor.get(n, math.inf))
        return found

    try:
        timings = alternate({str(n): partial(run, n) for n in counts}, repeat)
    except TypeError as error:  # a release that has no such argument yet
        return Gains(work.name, work.goal, note=f"left out: {error}")
    first = timings["1"].result
    differ = [n for n in counts if not work.same(first, timings[str(n)].result)]
    return Gains(
        work.name,
        work.goal,
        {n: timings[str(n)].seconds for n in counts},
        processor,
        not differ,
        "" if not differ else f"RESULTS DIFFER with {', '.join(map(str, differ))} threads",
    )


def as_lines(found: Sequence[Gains]) -> list[str]:
    """The table: seconds by number of threads, the gain of the most, its goal at 16 threads, and the serial seconds."""
    counts = sorted({n for gains in found for n in gains.seconds})
    head = ["work", *(f"{n} thread{'s' * (n > 1)}" for n in counts), "gain", "goal at 16", "serial s", "equal", "note"]
    lines = [head]
    for gains in found:
        cells = [f"{gains.seconds[n]:.3f}" if n in gains.seconds else "–" for n in counts]
        measured = bool(gains.seconds)
        lines.append([
            gains.work,
            *cells,
            f"{gains.gain:.2f}" if measured else "–",
            "" if gains.goal is None else f"≥ {gains.goal:g}",
            f"{gains.serial:.3f}" if measured else "–",
            ("yes" if gains.equal else "NO") if measured else "–",
            gains.note,
        ])  # fmt: skip
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if i in (0, len(head) - 1) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def report(
    counts: Sequence[int] | None = None,
    *,
    quick: bool = False,
    repeat: int = 3,
    only: Sequence[str] | None = None,
    file: Path | None = None,
    tell: Callable[[str], None] = print,
) -> list[Gains]:
    """Measure, print the table, and write it to a file if one is given."""
    tell(", ".join(f"{name} {value}" for name, value in describe().items()))
    found: list[Gains] = []
    for gains in measure(counts, quick=quick, repeat=repeat, only=only):
        tell(as_lines([gains])[1])
        found.append(gains)
        if file is not None:  # after each, so that a run that is broken off leaves something
            content = {"machine": describe(), "quick": quick, "threads": [asdict(one) for one in found]}
            file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    tell("")
    for line in as_lines(found):
        tell(line)
    return found
