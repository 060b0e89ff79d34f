"""Readers: every source of data becomes a Table, by calling this package: ``clearwood.read("soybean.arff")``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import Any

from clearwood.callable_package import make_callable
from clearwood.read import datasets
from clearwood.read.databases import is_database, read_database
from clearwood.read.frames import table_from_frame, to_frame
from clearwood.read.request import DEFAULT_MISSING, Request
from clearwood.read.sources import is_address, is_stream, local_file, stream_file, unpacked
from clearwood.table import Table
from clearwood.threads import at_most, count_threads

__all__ = ["datasets", "read"]


def _reader(path: Path) -> Callable[[Path, Request], Table] | None:
    """The reader for a file's ending, or None."""
    name = path.name.lower()
    if name.endswith((".arff", ".arff.gz")):
        from clearwood.read.arff import read_arff

        return read_arff
    if name.endswith((".names", ".data", ".test")):
        from clearwood.read.c45_names import read_c45

        return read_c45
    if name.endswith((".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")):
        from clearwood.read.delimited import read_delimited

        return read_delimited
    if name.endswith((".json", ".jsonl", ".json.gz", ".jsonl.gz")):
        from clearwood.read.files import read_json

        return read_json
    if name.endswith((".parquet", ".pq")):
        from clearwood.read.files import read_parquet

        return read_parquet
    if name.endswith((".feather", ".arrow", ".ipc")):
        from clearwood.read.sheets import read_arrow

        return read_arrow
    if name.endswith(".xlsx"):
        from clearwood.read.sheets import read_excel

        return read_excel
    if name.endswith(".zst"):
        inner = _reader(path.with_suffix(""))
        return None if inner is None else _unpacking(inner)
    return None


def _unpacking(reader: Callable[[Path, Request], Table]) -> Callable[[Path, Request], Table]:
    def read_unpacked(path: Path, request: Request) -> Table:
        with unpacked(path) as plain:
            return reader(plain, request)

    return read_unpacked


def read(
    source: str | PathLike[str] | Any,
    target: str | bool | None = None,
    *,
    query: str | None = None,
    nominal: str | Iterable[str] = (),
    numeric: str | Iterable[str] = (),
    missing: str | Iterable[str] = DEFAULT_MISSING,
    weights: str | None = None,
    ignore: str | Iterable[str] = (),
    decimal: str = ".",
    thousands: str = "",
    ordered: str | Iterable[str] | Mapping[str, Iterable[str]] = (),
    dates: str | None = None,
    download: bool = False,
    n_jobs: int | None = -1,
) -> Table:
    r"""Read a table from a file, a frame, a database, or by the name of a data set.

    Numbers become numeric columns; text, truth values and categories nominal ones. A nominal column declares its
    values in the order of the source's declaration (ARFF, C4.5 names, categories), else sorted, as numbers if all are
    numbers. Dates, as such or as text throughout a column, are moments: tested as time and printed as dates, in UTC
    where no zone is named. A target of whole numbers becomes nominal. Rows without a class are kept, with y = -1.
    ``table.summary()`` says what was inferred.

    Parameters
    ----------
    source : str, path, frame
        A file ending in ``.arff``, ``.names``, ``.data``, ``.test``, ``.csv``, ``.tsv``, ``.txt``, ``.json``,
        ``.jsonl``, ``.parquet``, ``.feather``, ``.arrow`` or ``.xlsx``, text also with ``.gz`` or ``.zst`` behind it;
        ``-`` for the standard input, or a pipe, whose content says what it is; a pandas, polars or Arrow frame, or a
        dict of columns; ``sqlite:///file`` or ``postgresql://…`` with a query; or a data set's name, see
        :mod:`clearwood.read.datasets`.
    target : str, None or False
        The class column: by name, None for the last column, False for a table without target.
    query : str
        What to read from a database.
    nominal, numeric : names
        Columns whose type is stated; a cell that a stated numeric column cannot hold raises ValueError.
    missing : texts
        What stands for a missing cell where cells are text. ARFF has its own mark, ``?``; there, other markers count
        only if this parameter is given.
    weights : str
        The column that holds the rows' weights.
    ignore : names
        Columns to leave out.
    decimal, thousands : str
        How numbers are written where cells are text: ``decimal=","`` for 1,5, ``thousands=","`` for 1,234.5. Without
        them, a column that is numbers throughout in one such notation, and only one, is read so, with a warning.
    ordered : names, or for each name its levels
        Columns whose values have an order, from low to high: the one in which an ARFF or ``.names`` file declares
        them, that of numbers, or the one given, as in ``{"size": ["S", "M", "L"]}``. They are tested as ``size ≤ M``.
        Categories that pandas calls ordered are so by themselves.
    dates : str
        The order of dates such as 01/02/2020 in text, ``"DMY"`` or ``"MDY"``, for columns that are dates in both. A
        column that is dates in one order only, by a day beyond 12, is read so without it, with a warning. ISO dates
        need no order.
    download : bool
        Whether an address such as ``https://…`` may be fetched, by DuckDB's extension httpfs.
    n_jobs : int or None
        Threads for files that DuckDB reads (CSV, Parquet, JSON); -1 takes all cores, None one.

    Returns
    -------
    Table

    Examples
    --------
    >>> import pandas as pd
    >>> read(pd.DataFrame({"wind": [3.5, None, 1], "sky": ["sun", "rain", "?"], "play": [1, 0, 1]}))
    <Table '': 3 rows, 2 features (1 numeric, 1 nominal), target 'play' with 2 classes>
    """
    request = Request.make(target, nominal, numeric, missing, weights, ignore, decimal, thousands, ordered, dates)
    with nullcontext() if n_jobs == -1 else at_most(count_threads(n_jobs)):
        return _read(source, query, request, download)


def _read(source: Any, query: str | None, request: Request, download: bool) -> Table:
    if is_address(source):
        if not download:
            raise ValueError(f"{source} lies on the network; pass download=True (--download) to fetch it.")
        with local_file(str(source)) as copy:
            return _read_path(copy, request)
    if is_database(source):
        return read_database(str(source), query, request)
    if query is not None:
        raise ValueError("query is for a database, such as sqlite:///file or postgresql://…; this source is none.")
    if isinstance(source, str | PathLike):
        if is_stream(source):
            with stream_file(source) as file:
                return _read_path(file, request)
        return _read_path(source, request)
    if isinstance(source, Table):
        raise TypeError("source is a Table already; use its take, select and align.")
    if isinstance(source, dict):
        import pandas as pd

        source = pd.DataFrame(source)
    frame = to_frame(source)
    if frame is not None:
        return table_from_frame(frame, request)
    raise TypeError(
        f"source must be a path, a frame, a dict of columns, a database address or a name, got {type(source).__name__}."
    )


def _read_path(source: str | PathLike[str], request: Request) -> Table:
    path = Path(source).expanduser()
    known = _reader(path)
    if path.is_file():
        if known is None:
            raise ValueError(
                f"{path.name}: the ending {path.suffix!r} is not known; known are .arff, .names, .data, .test, .csv, "
                f".tsv, .txt, .json, .jsonl, .parquet, .feather, .arrow and .xlsx."
            )
        return known(path, request)
    if path.is_dir():
        raise ValueError(f"{path} is a folder; name a file in it.")
    if isinstance(source, str) and known is None and path.name == source:
        found = datasets.find(source)
        if found is not None:
            return _read_path(found, request)
        if not path.suffix:
            return datasets.load(source)
    raise FileNotFoundError(f"no file {path}.")


make_callable(__name__, read)
