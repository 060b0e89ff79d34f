"""The command: ``python -m benchmarks [--threads [N …] | --scan [N …]] [--quick] [--only NAME …] [--json FILE]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from benchmarks.row import Row

BENCHMARKS = (
    "many_small_trees",
    "one_tree",
    "prediction",
    "memory",
    "other_learners",
    "feature_search",
    "every_size",
    "linear_trees",
    "ensembles",
    "distilled",
    "studies",
    "page",
    "tiny_tables",
    "weka",
)


def main(arguments: Sequence[str] | None = None) -> list[Row]:
    """Run the benchmarks that were asked for, print the table and return its rows."""
    asked = parse(arguments)
    if asked.threads is not None:
        _threads(asked)
        return []
    if asked.scan is not None:
        return list(_module("scanned").report(asked.scan, quick=asked.quick, file=asked.json))
    if asked.list:
        for name in BENCHMARKS:
            print(f"{name:18}{(_module(name).__doc__ or '').splitlines()[0]}")
        return []
    from benchmarks.report import save, show

    rows: list[Row] = []
    for name in dict.fromkeys(asked.only or BENCHMARKS):
        print(f"{name} …", file=sys.stderr, flush=True)
        rows.extend(_module(name).run(quick=asked.quick, repeat=asked.repeat or (2 if asked.quick else 5)))
        if asked.json:
            save(rows, asked.json, quick=asked.quick)  # after each, so that a run that is broken off leaves something
    show(rows)
    return rows


def _threads(asked: argparse.Namespace) -> None:
    """The gains of several threads over one, in place of all else."""
    threads = _module("threads")
    if asked.list:
        for name, work in threads.WORKS.items():
            print(f"{name:18}{work.name}")
        return
    repeat = asked.repeat or (1 if asked.quick else 3)
    threads.report(asked.threads, quick=asked.quick, repeat=repeat, only=asked.only, file=asked.json)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Speed and memory beside other libraries, in the same run."
    )
    parser.add_argument(
        "--quick", action="store_true", help="small sizes, to see that all works; goals of large sizes are left out"
    )
    parser.add_argument(
        "--threads", nargs="*", type=_count, metavar="N",
        help="what N threads gain over one, with equal results, in place of all else; up to the machine's cores",
    )  # fmt: skip
    parser.add_argument(
        "--scan", nargs="*", type=float, metavar="MILLIONS",
        help="trees from Parquet files of so many million rows (1, 10 and 100), in place of all else",
    )  # fmt: skip
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"some of: {', '.join(BENCHMARKS)}; see --list")
    parser.add_argument(
        "--repeat", type=_count, metavar="N", help="rounds, of which the best counts (5; with --quick 2)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the rows there")
    parser.add_argument("--list", action="store_true", help="say what there is, and stop")
    asked = parser.parse_args(arguments)
    known = BENCHMARKS if asked.threads is None else tuple(_module("threads").WORKS)
    for name in asked.only or ():
        if name not in known:
            parser.error(f"argument --only: no benchmark {name!r}; there are {', '.join(known)}")
    return asked


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text!r}")
    return int(text)


def _module(name: str) -> ModuleType:
    return import_module(f"benchmarks.{name}")


if __name__ == "__main__":
    main()
