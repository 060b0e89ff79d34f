"""What a machine itself gains: processes that share nothing do as much work in all as one alone.

Cores share caches, memory and the power that they may take, and a virtual core may be half of a real one. No program
with threads gains more than processes that never meet, so each gain is to be read beside theirs. Each process grows
C4.5 trees; it is started beforehand and told how many by a line.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.machine import cores
from benchmarks.thread_works import Do, Work, equal, fresh, two_of_ten

TREES = 112
"""In all; so many that 2, 4, 7, 8 and 16 processes have equal parts."""
ROWS, QUICK_ROWS = 10_000, 200


class Processes:
    """Programs that wait for work, one for each core; more are started as they are needed."""

    def __init__(self, n_rows: int) -> None:
        self._n_rows = n_rows
        self._running: list[subprocess.Popen[str]] = []
        self._start(cores())

    def __call__(self, n: int) -> Any:
        """All trees by n processes, each its part; returns the leaves of the last tree of each, which are the same."""
        self._start(n)
        part = -(-TREES // n)
        for process in self._running[:n]:
            assert process.stdin is not None
            process.stdin.write(f"{part}\n")
            process.stdin.flush()
        return set(map(_answer, self._running[:n]))

    def _start(self, n: int) -> None:
        """Have n processes that have done something already."""
        new = []
        while len(self._running) < n:
            command = [sys.executable, "-m", "benchmarks.machine_limit", str(self._n_rows)]
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
            )
            self._running.append(process)
            new.append(process)
        for process in new:
            _answer(process)

    def __del__(self) -> None:
        for process in self._running:
            process.kill()
            process.communicate()


def _answer(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    said = process.stdout.readline()
    if not said:
        raise RuntimeError("a process that was to grow trees has ended.")
    return int(said)


def serve(n_rows: int) -> None:
    """Grow as many trees as each line says, and tell the leaves of the last; once before the first is asked for."""
    from clearwood import C45Classifier

    table = two_of_ten(n_rows)

    def grow(n: int) -> None:
        for _ in range(n):
            tree = C45Classifier(n_jobs=1).fit(fresh(table)).tree_
        print(tree.n_leaves, flush=True)

    grow(1)
    for line in sys.stdin:
        grow(int(line))


def _prepare(quick: bool) -> Do:
    return Processes(QUICK_ROWS if quick else ROWS)


MACHINE_LIMIT = {"machine": Work("the machine: C4.5 in processes that share nothing", None, _prepare, equal)}

if __name__ == "__main__":
    serve(int(sys.argv[1]))
