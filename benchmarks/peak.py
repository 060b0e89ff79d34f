"""Peak memory of one fit, measured in a process of its own: ``python -m benchmarks.peak FOLDER CONTESTANT``.

The folder holds X.npy and y.npy. The process loads them, fits a small tree so that every library is in memory, sets
the kernel's high-water mark to the present level, fits, and prints as JSON the bytes above that level and the bytes
of the data themselves.
"""

from __future__ import annotations

import ctypes
import gc
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

CONTESTANTS = ("fit(X, y)", "fit(table)", "scikit-learn")


def status(field: str) -> int:
    """A field of the process's status, in bytes: VmRSS is the level now, VmHWM the highest so far."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise KeyError(f"no field {field!r} in /proc/self/status.")


def settle() -> None:
    """Give freed memory back, then let the high-water mark begin at the present level."""
    gc.collect()
    with suppress(AttributeError, OSError):  # not glibc: what was freed may be used again unseen, but it is little
        ctypes.CDLL(None).malloc_trim(0)
    with suppress(OSError):  # refused: the mark is then the highest since the start, too much rather than too little
        Path("/proc/self/clear_refs").write_text("5", "ascii")


def prepare(folder: Path, contestant: str) -> tuple[Callable[[], object], int]:
    """What to run, and the bytes of the data that it is given."""
    from benchmarks.tables import Arrays, as_table

    data = Arrays("generated", np.load(folder / "X.npy"), np.load(folder / "y.npy"))
    if contestant == "scikit-learn":
        from sklearn.tree import DecisionTreeClassifier

        peer = DecisionTreeClassifier(criterion="entropy", random_state=0)
        peer.fit(data.X[:100], data.y[:100])
        return lambda: peer.fit(data.X, data.y), data.X.nbytes + data.y.nbytes
    from clearwood import C45Classifier

    learner = C45Classifier()
    learner.fit(data.X[:100], data.y[:100])
    if contestant == "fit(table)":
        table = as_table(data)
        learner.fit(table.take(np.arange(100)))
        return lambda: learner.fit(table), table.numeric.nbytes + table.y.nbytes + table.weights.nbytes
    return lambda: learner.fit(data.X, data.y), data.X.nbytes + data.y.nbytes


def main() -> None:
    """Measure one contestant."""
    fit, own = prepare(Path(sys.argv[1]), sys.argv[2])
    settle()
    before = status("VmRSS")
    result = fit()
    json.dump({"extra": max(0, status("VmHWM") - before), "own": own, "fitted": type(result).__name__}, sys.stdout)


if __name__ == "__main__":
    main()
