"""Options that several commands share, each written once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from clearwood.learn.registry import LEARNERS

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="The table: an ARFF, CSV, Parquet, JSON, Arrow, Excel or C4.5 .names file, - for the standard input, or a "
        "database with --query.",
        show_default=False,
    ),
]
TreeFile = Annotated[Path, typer.Argument(metavar="TREE", help="A tree saved by 'clearwood fit --save'.")]
Target = Annotated[
    str | None,
    typer.Option("--target", "-t", metavar="COLUMN", help="The class to predict; the last column if absent."),
]
Learner = Annotated[
    str, typer.Option("--learner", "-l", metavar="NAME", help=f"What grows the tree: {', '.join(LEARNERS)}.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="KEY=VALUE",
        help="A parameter of the learner, as in confidence=0.1 or operator_shares=[1,2,3]; repeatable.",
    ),
]
Nominal = Annotated[
    list[str] | None, typer.Option("--nominal", metavar="COLUMN", help="A column to read as categories; repeatable.")
]
Numeric = Annotated[
    list[str] | None, typer.Option("--numeric", metavar="COLUMN", help="A column to read as numbers; repeatable.")
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        "--missing", metavar="TEXT", help="What marks a missing cell, instead of ?, empty and NA; repeatable."
    ),
]
Ordered = Annotated[
    list[str] | None,
    typer.Option(
        "--ordered",
        metavar="COLUMN[=LOW,…,HIGH]",
        help="A column whose values have an order, its own or the one given; repeatable.",
    ),
]
Download = Annotated[bool, typer.Option("--download", help="Fetch DATA that is an address such as https://….")]
Decimal = Annotated[
    str | None, typer.Option("--decimal", metavar="SIGN", help="What stands before decimals in text: . or a comma.")
]
Thousands = Annotated[
    str | None, typer.Option("--thousands", metavar="SIGN", help="What stands between thousands in text, as a comma.")
]
Dates = Annotated[
    str | None,
    typer.Option("--dates", metavar="ORDER", help="How dates such as 01/02/2020 are written in text: DMY or MDY."),
]
Weights = Annotated[
    str | None, typer.Option("--weights", metavar="COLUMN", help="The column that holds the weight of each row.")
]
Query = Annotated[str | None, typer.Option("--query", metavar="SQL", help="What to read from a database.")]
Ignore = Annotated[
    list[str] | None, typer.Option("--ignore", metavar="COLUMN", help="A column to leave out; repeatable.")
]
ScanTable = Annotated[
    str | None,
    typer.Option("--table", metavar="NAME", help="The table or view of a database to scan, as in public.trips."),
]
Reading = Mapping[str, Any]  # what was said of how to read, see clearwood.cli.reading
Constraints = Annotated[
    Path | None,
    typer.Option("--constraints", metavar="FILE", help="What trees must obey: a file from the page of 'explore'."),
]


def _some_threads(number: int) -> int:
    """The number, unless it is 0."""
    if number == 0:
        raise typer.BadParameter("0 would do no work; give a number of at least 1, or -1 for all cores")
    return number


def _at_least_0(number: int) -> int:
    """The number, unless it is negative."""
    if number < 0:
        raise typer.BadParameter(f"{number} is no seed; give a number of at least 0")
    return number


Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="NUMBER",
        help="Where all randomness starts.",
        callback=_at_least_0,
        show_default=True,
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        metavar="NUMBER",
        help="Threads to use; -1 for all cores, as far as the work is worth it.",
        callback=_some_threads,
        show_default=True,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only: no notes, warnings or progress.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document, for machines.")]
SqlTable = Annotated[
    str, typer.Option("--table", metavar="NAME", help="The database table that the SQL reads, as in public.trips.")
]
SqlOnly = Annotated[
    str | None, typer.Option("--only", metavar="CLASS", help="SQL that fetches the rows predicted as this class.")
]
SqlLeaf = Annotated[
    int | None,
    typer.Option("--leaf", metavar="NUMBER", help="SQL that fetches the rows of this leaf, a node's number."),
]
SqlNulls = Annotated[
    str | None,
    typer.Option(
        "--nulls",
        metavar="FORM",
        help="What SQL gives a row without a tested value: null (no answer), majority (the branch with most rows) or "
        "exact (shared out, long); by the tree if absent.",
    ),
]
PictureRows = Annotated[
    str | None,
    typer.Option(
        "--rows",
        metavar="DATA",
        help="A table for the picture: each test shows how its feature is distributed among these rows, and its cut.",
    ),
]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", metavar="FILE", help="Keep each result here, and go on from here; made if absent."),
]
Backend = Annotated[
    str,
    typer.Option("--backend", metavar="NAME", help="Where to work: threads, processes, sequential, dask or ray."),
]
Address = Annotated[
    str | None,
    typer.Option("--address", metavar="ADDRESS", help="The dask or ray cluster; one is started here if absent."),
]
Workers = Annotated[
    int,
    typer.Option(
        "--jobs", "-j", metavar="NUMBER", help="Units at a time; -1 for one on each core.", callback=_some_threads
    ),
]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Run units again that failed before.")]


def levels_of(given: list[str] | None) -> dict[str, list[str]] | None:
    """What --ordered says: for each column its levels, none for its own order.

    >>> levels_of(["grade", "size=S,M,L"])
    {'grade': [], 'size': ['S', 'M', 'L']}
    """
    if given is None:
        return None
    pairs = [text.partition("=") for text in given]
    return {name: levels.split(",") if sign else [] for name, sign, levels in pairs}
