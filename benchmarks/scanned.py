"""Scanned: one tree of depth 8 from a Parquet file of millions of rows; ``python -m benchmarks --scan [MILLIONS …]``.

Eight columns, six numeric and two nominal. Each contestant goes from the file to its tree in a process of its own;
the time has the reading in it, and the memory is the most that the process held. Ours leaves the file where it is and
DuckDB is held to 2 GB. Contestants that hold the rows are left out where these would take more than half of the
machine's memory. 100 million rows take 3.3 GB of the folder for temporary files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.fresh_process import figures
from benchmarks.row import Row
from benchmarks.scan_runs import CONTESTANTS

NAME = "scanned"
SIZES = (1.0, 10.0, 100.0)
LARGE = 100.0
GOALS = {"seconds": 300, "peak": 3e9}
"""At 100 million rows, on two cores."""

HELD = {"in memory": 170, "scikit-learn": 110, "LightGBM": 60, "XGBoost": 60}
"""Bytes that a contestant may hold for each row at its peak: estimates, by which sizes that do not fit are left out."""

PACKAGES = {"LightGBM": "lightgbm", "XGBoost": "xgboost", "XGBoost, external memory": "xgboost"}

ROWS = """
SELECT 1000 * x0 AS x0, 5000 * x1 AS x1, x2, 2000 * x3 AS x3, x4, CAST(100000 * x5 AS FLOAT) AS x5,
  'v' || CAST(floor(v0 * 8) AS INTEGER) AS v0, 'v' || CAST(floor(v1 * v1 * 50) AS INTEGER) AS v1,
  CASE WHEN noise < 0.15 THEN noise < 0.075
    WHEN x0 > 0.6 THEN x1 > 1.5 OR v0 < 0.25
    WHEN x3 > 0.9 THEN x4 > 4 AND x2 < 600
    WHEN v1 < 0.4 THEN x2 > 250 AND x1 < 2.2
    ELSE x4 + x1 > 6.5 OR x3 < 0.1 END AS truth
FROM (SELECT u0 AS x0, u1 + u2 + u3 AS x1, CAST(floor(u4 * 1000) AS SMALLINT) AS x2, -ln(1 - u5) AS x3,
  round(u6 * 10, 2) AS x4, u7 AS x5, u8 AS v0, u9 AS v1, u10 AS noise FROM
  (SELECT {uniform} FROM range({n_rows}) AS t(i)) AS uniform) AS made
"""


def report(millions: Sequence[float] | None, *, quick: bool = False, file: Path | None = None) -> list[Row]:
    """Measure, print the table, and return its rows."""
    from benchmarks.report import save, show

    rows: list[Row] = []
    for size in millions or ((0.05,) if quick else SIZES):
        rows.extend(measure(size))
        if file is not None:
            save(rows, file, quick=quick)
    show(rows)
    return rows


def measure(millions: float) -> Iterator[Row]:
    """All contestants on one file, which is deleted afterwards."""
    n_rows = int(millions * 1e6)
    with TemporaryDirectory(prefix="clearwood-scanned-") as folder:
        file = Path(folder) / "rows.parquet"
        write(file, n_rows)
        ours = run(file, "scan")
        size = f"{n_rows:,} × 8"
        peers = {name: compete(file, name, n_rows) for name in CONTESTANTS if name != "scan"}
    large = millions == LARGE
    yield Row(
        NAME, size, "peak memory", ours["peak"] and ours["peak"] / 1e9, unit="GB", goal="≤ 3 GB" if large else "",
        reached=bool(ours["peak"] and ours["peak"] <= GOALS["peak"]) if large else None,
        note=f"{1e6 * ours['seconds'] / n_rows:.2f} µs a row",
    )  # fmt: skip
    for name, theirs in peers.items():
        if isinstance(theirs, str):
            yield Row(NAME, size, "from file to tree", ours["seconds"], name, note=theirs)
            continue
        note = f"peak {_gigabytes(ours)}, theirs {_gigabytes(theirs)}; "
        note += f"accuracy {ours['accuracy']:.4f}, theirs {theirs['accuracy']:.4f}"
        yield Row(
            NAME, size, "from file to tree", ours["seconds"], name, theirs["seconds"], "s",
            theirs["seconds"] / ours["seconds"], "≤ 300 s" if large else "",
            ours["seconds"] <= GOALS["seconds"] if large else None, note,
        )  # fmt: skip


def write(file: Path, n_rows: int) -> None:
    """The same rows for every number of threads and every release: all come from a hash of the row's number."""
    import duckdb

    uniform = ", ".join(f"hash(i * 16 + {place}) / 18446744073709551616.0 AS u{place}" for place in range(11))
    select = ROWS.format(uniform=uniform, n_rows=n_rows)
    with duckdb.connect() as db:
        db.execute("SET preserve_insertion_order = false")
        db.execute("SET memory_limit = '2GB'")
        db.execute(
            f"COPY (SELECT * EXCLUDE (truth), CASE WHEN truth THEN 'yes' ELSE 'no' END AS class FROM ({select})) "
            f"TO '{file}' (FORMAT parquet, ROW_GROUP_SIZE 122880)"
        )


def compete(file: Path, name: str, n_rows: int) -> dict[str, Any] | str:
    """A rival's figures, or why there are none."""
    if name in PACKAGES and find_spec(PACKAGES[name]) is None:
        return "not installed"
    if n_rows * HELD.get(name, 0) > memory() / 2:
        return f"holds {HELD[name]} bytes a row: more than half of this machine's memory"
    return run(file, name)


def memory() -> int:
    """The machine's memory in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def run(file: Path, name: str) -> dict[str, Any]:
    """One contestant in a fresh process."""
    print(f"{NAME}: {name} …", file=sys.stderr, flush=True)
    found = figures("benchmarks.scan_runs", str(file), name)
    print(f"{NAME}: {name}: {found}", file=sys.stderr, flush=True)
    return found


def _gigabytes(found: dict[str, Any]) -> str:
    return "unknown" if found["peak"] is None else f"{found['peak'] / 1e9:.2f} GB"
