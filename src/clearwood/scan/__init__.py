"""Scans: tables that stay where they are, by calling this package: ``clearwood.scan("trips.parquet")``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from clearwood.callable_package import make_callable
from clearwood.column import Column
from clearwood.read.request import DEFAULT_MISSING, Request
from clearwood.scan.columns import resolve, resolve_class
from clearwood.scan.engines.engine import Engine, EngineError
from clearwood.scan.saved_index import find_saved_index
from clearwood.scan.scan import Scan
from clearwood.scan.sources import find_source
from clearwood.spelling import no_such

__all__ = ["EngineError", "Scan", "scan"]


def scan(
    source: Any,
    target: str | None = None,
    *,
    table: str | None = None,
    nominal: str | Iterable[str] = (),
    numeric: str | Iterable[str] = (),
    missing: str | Iterable[str] = DEFAULT_MISSING,
    weights: str | None = None,
    ignore: str | Iterable[str] = (),
    ordered: str | Iterable[str] | Mapping[str, Iterable[str]] = (),
    dates: str | None = None,
    columns: Sequence[Column] = (),
    key: str | None = None,
    in_memory: int = 1_000_000,
    memory_limit: str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int, dict[str, float]], None] | bool | None = None,
    checkpoint: str | PathLike[str] | None = None,
) -> Scan:
    """Look at a table where it lies, and leave it there: learners then ask its engine for counts.

    Columns are what :func:`clearwood.read` makes of them. Values of nominal columns are listed once, sorted; a column
    of more than 100,000 of them is refused. So is one of text that stands for as many numbers in another notation, or
    dates that are not ISO dates: convert such a file to Parquet.

    Parameters
    ----------
    source : str, path, SparkSession or DataFrame of Spark
        Parquet or CSV files, also by a pattern such as ``trips/*.parquet``; a DuckDB file (``.duckdb``, ``.db``);
        ``sqlite:///file``; ``postgresql://…``; ``clickhouse:///folder``, in which chDB keeps tables, or Parquet files
        through ClickHouse, as ``clickhouse:///trips/*.parquet``; a SparkSession that knows the table, or one of its
        DataFrames.
    target : str or None
        The class column; the last one when None.
    table : str or None
        The table or view in a database; a schema before a point, as in ``public.trips``.
    nominal, numeric, missing, weights, ignore, ordered, dates
        As in :func:`clearwood.read`.
    columns : sequence of Column
        Features, and the target, whose type and values are stated and not looked for; a value that is not declared
        counts as missing.
    key : str or None
        The column that tells rows, or what belongs together, apart. It is no feature: by its hash rows are dealt into
        parts, as in :meth:`Scan.split`. Without one all columns together decide.
    in_memory : int
        Parts of at most so many rows are fetched and finished in memory; the tree is the same for any number.
    memory_limit, threads
        What DuckDB or ClickHouse may use, as in ``"2GB"``; its own defaults when None.
    progress : callable, bool or None
        Called as ``progress(level, levels, {"rows_scanned": …, "open_nodes": …})`` after each level of a tree. None
        shows a bar if standard error is a terminal, True always, False never.
    checkpoint : path or None
        A file that keeps the finished levels of a tree: if the connection is lost, or after Ctrl-C, the same call goes
        on from there. A part of the rows has a file of its own beside it.

    Returns
    -------
    Scan

    Examples
    --------
    >>> import duckdb, tempfile
    >>> file = tempfile.mkdtemp() + "/golf.parquet"
    >>> _ = duckdb.sql("SELECT i % 7 AS wind, i % 7 > 3 AS play FROM range(100) AS t(i)").write_parquet(file)
    >>> scan(file, target="play")
    <Scan 'golf.parquet': 100 rows, 1 features (1 numeric, 0 nominal), target 'play' with 2 classes>
    """
    request = Request.make(target, nominal, numeric, missing, weights, ignore, ".", "", ordered, dates)
    if isinstance(in_memory, bool) or not isinstance(in_memory, int) or in_memory < 0:
        raise ValueError(f"in_memory must be a whole number of at least 0, got {in_memory!r}.")
    if checkpoint is not None and not isinstance(checkpoint, str | PathLike):
        raise TypeError(f"checkpoint must be the name of a file or None, got {checkpoint!r}.")
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise TypeError(f"progress must be a function, True, False or None, got {progress!r}.")
    listed = [column.name for column in columns if column.declared is not None]
    found = find_source(source, table, request, memory_limit, threads, listed)
    with found.open() as engine:
        looked = _look(engine, request, found.name, found.open, {c.name: c for c in columns}, in_memory, key)
        return replace(_checked(engine, looked, request), progress=progress, checkpoint=checkpoint)


def _look(
    engine: Engine,
    request: Request,
    name: str,
    reopen: Any,
    stated: Mapping[str, Column],
    in_memory: int,
    key: str | None,
) -> Scan:
    found = engine.fields()
    names = [field.name for field in found]
    request.check(names, name)
    fields = dict(zip(names, found, strict=True))
    target = request.pick_target(names)
    if target is None:
        raise ValueError(f"{name} has no column that could be the target.")
    classes = resolve_class(engine, fields[target], request, name, stated.get(target))
    if key is not None and key not in fields:
        raise ValueError(f"key: {no_such('column', key, names)}")
    if key is not None and fields[key].odd:
        raise ValueError(f"{name}: the key {key!r} is of type {fields[key].odd}; name another column.")
    apart = (target, request.weights, key)
    features = [n for n in names if n not in apart and n not in request.ignore]
    index = find_saved_index(engine, [fields[n] for n in features if n not in {*request.named, *stated}], name)
    features = [n for n in features if n != index]
    cells = tuple(resolve(engine, fields[n], request, name, stated.get(n)) for n in features)
    weight = "1"
    if request.weights is not None:
        if fields[request.weights].kind != "number":
            raise ValueError(
                f"{name}: the weights in column {request.weights!r} must be numbers, and some cells are text; name "
                "another column, or convert it."
            )
        weight = fields[request.weights].number
    return Scan(
        source=name,
        columns=tuple(cell.column for cell in cells),
        target=classes.column,
        n_rows=0,
        weighted=request.weights is not None,
        in_memory=in_memory,
        _open=engine.opener(reopen),
        _cells=cells,
        _class=classes,
        _weight=weight,
        _key="" if key is None else fields[key].text or fields[key].number,
    )


def _checked(engine: Engine, looked: Scan, request: Request) -> Scan:
    """The scan with its number of rows; infinite cells and odd weights are refused."""
    numeric = [place for place, column in enumerate(looked.columns) if not column.is_nominal]
    items = ["count(*) AS n", "min(w) AS least_w", "max(w) AS most_w", "count(w) AS n_w"]
    items += [f"min(c{place}) AS low{place}, max(c{place}) AS high{place}" for place in numeric]
    found = [float(column[0]) for column in engine.numbers(f"SELECT {', '.join(items)} FROM {looked.cells(engine)}")]
    n_rows, least, most, n_weights = int(found[0]), found[1], found[2], int(found[3])
    if n_rows and not (n_weights == n_rows and least >= 0 and np.isfinite(most)):
        bad = "a missing value" if n_weights < n_rows else f"{least if least < 0 else most:g}"
        raise ValueError(
            f"{looked.source}: weights in column {request.weights!r} must be finite and not negative, but a row holds "
            f"{bad}."
        )
    for place, low, high in zip(numeric, found[4::2], found[5::2], strict=True):
        if np.isinf(low) or np.isinf(high):
            raise ValueError(
                f"{looked.source}: column {looked.columns[place].name!r} holds infinite values; replace them by "
                f"numbers, or by missing values."
            )
    return replace(looked, n_rows=n_rows)


make_callable(__name__, scan)
