"""Equality: scanned trees beside those in memory, on golden sets and awkward tables, on every engine.

python -m tests.equality                    # everything on every engine: hours, on Spark days
python -m tests.equality --engine sqlite --only iris --every 5
python -m tests.equality --only awkward --tables 200
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

from awkward_tables import awkward_table
from golden_records import compare, dataset_names, generated_names, load_records, load_table, options_to_params
from scanned_engines import scan_in_clickhouse, scan_in_postgres, scan_in_spark, scan_in_sqlite, spark_session
from scanned_tables import differences, scan_of
from servers import postgres_server

import clearwood as cw

Scans = Callable[[cw.Table], cw.Scan]
ENGINES = ("duckdb", "sqlite", "postgres", "clickhouse", "spark")
MOST_FEATURES = 100  # a statement for each feature and level takes minutes with more
LEARNERS = (
    cw.C45Classifier(),
    cw.C45Classifier(criterion="gini", binary_splits=True, min_gap=0),
    cw.C45Classifier(class_weight="balanced", error_estimate="c4.5"),
    cw.ID3Classifier(),
    cw.CARTClassifier(pruning=None),
    cw.CARTClassifier(pruning=0.002, criterion="twoing"),
    cw.C45Classifier(criterion="gain"),
    cw.ID3Classifier(criterion="gain_ratio"),
)


def main() -> int:
    """Compare, tell what differs, and count."""
    parser = argparse.ArgumentParser(description="Compare scanned trees with those in memory.")
    parser.add_argument("--engine", choices=ENGINES, nargs="+", default=ENGINES)
    parser.add_argument("--only", help="a golden set, or 'awkward'")
    parser.add_argument("--every", type=int, default=1, help="of the golden records of a set each so manieth")
    parser.add_argument("--tables", type=int, default=30, help="so many awkward tables")
    parser.add_argument("--in-memory", type=int, default=50, help="nodes of so many rows are finished in memory")
    asked = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    n_differing = 0
    for engine in asked.engine:
        with ExitStack() as stack:
            scans = _scans(engine, stack, asked.in_memory)
            n_compared = differing = 0
            for name, found in _comparisons(scans, asked):
                n_compared += 1
                if found:
                    differing += 1
                    print(f"{engine}: {name}: {'; '.join(map(str, found[:3]))}", flush=True)
            print(f"{engine}: {n_compared} trees compared, {differing} differ", flush=True)
            n_differing += differing
    return int(n_differing > 0)


def _scans(engine: str, stack: ExitStack, in_memory: int) -> Scans:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    if engine == "duckdb":
        return lambda table: scan_of(table, folder, in_memory=in_memory, threads=1)
    if engine == "sqlite":
        return lambda table: scan_in_sqlite(table, folder, in_memory=in_memory)
    if engine == "clickhouse":
        return lambda table: scan_in_clickhouse(table, folder, in_memory=in_memory, threads=1)
    if engine == "spark":
        session = stack.enter_context(spark_session())
        return lambda table: scan_in_spark(table, session, folder, in_memory=in_memory)
    address = stack.enter_context(postgres_server())
    return lambda table: scan_in_postgres(table, address, in_memory=in_memory)


def _comparisons(scans: Scans, asked: argparse.Namespace) -> Iterator[tuple[str, list[Any]]]:
    """The name of each comparison, and what differs."""
    for name in [*generated_names(), *dataset_names()]:
        if asked.only in (None, name):
            table = load_table(name)
            scan = scans(table)
            for record in load_records(name)[:: asked.every]:
                learner = cw.C45Classifier(**options_to_params(record["options"]))
                yield f"{name} {record['options']}", compare(learner.fit(scan).tree_, record, table)
            for learner in LEARNERS[1 :: asked.every]:  # the first is among the records
                if table.n_features <= MOST_FEATURES:
                    yield f"{name} {learner}", differences(learner.fit(scan).tree_, learner.fit(table).tree_)
    for seed in range(asked.tables if asked.only in (None, "awkward") else 0):
        table = awkward_table(seed)
        scan = scans(table)
        for learner in LEARNERS:
            in_memory = learner.fit(table).tree_
            yield f"awkward {seed} {learner}", differences(learner.fit(scan).tree_, in_memory)


if __name__ == "__main__":
    raise SystemExit(main())
