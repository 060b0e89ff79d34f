"""Database queries through ADBC: SQLite and PostgreSQL."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

from clearwood.read.frames import table_from_frame
from clearwood.read.request import Request
from clearwood.table import Table

__all__ = ["fetch_query", "find_driver", "is_database", "plain_result", "read_database", "sqlite_file"]

_URI = re.compile(r"(sqlite|postgresql|postgres)://", re.IGNORECASE)


def is_database(source: object) -> bool:
    """Whether a source is the address of a database.

    >>> is_database("sqlite:///patients.db"), is_database("patients.csv")
    (True, False)
    """
    return isinstance(source, str) and _URI.match(source) is not None


def read_database(uri: str, query: str | None, request: Request | None = None) -> Table:
    """The rows that a query gives, from ``sqlite:///file`` or ``postgresql://user@host/database``.

    Types are those of the result: numbers, dates and times are numeric, text and truth values nominal.
    """
    result = plain_result(uri, fetch_query(uri, query))
    return table_from_frame(result, request, source="the query's result", name="query")


def fetch_query(uri: str, query: str | None) -> Any:
    """The rows that a query gives, as the driver hands them over in Arrow."""
    match = _URI.match(uri)
    if match is None:
        raise ValueError("a database address begins with sqlite:/// or postgresql://.")
    if not isinstance(query, str) or not query.strip():
        raise ValueError("query must say what to read from the database, such as query='SELECT * FROM patients'.")
    engine = "sqlite" if match[1].lower() == "sqlite" else "postgresql"
    driver = find_driver(engine)
    address = sqlite_file(uri) if engine == "sqlite" else uri
    try:
        with driver.connect(address) as connection, connection.cursor() as cursor:
            cursor.execute(query)
            result = cursor.fetch_arrow_table()
    except driver.Error as error:
        # the message of the server, not the address: it may hold a password
        raise ValueError(f"the {engine} query failed: {' '.join(str(error).split())}") from None
    return result


def plain_result(uri: str, result: Any) -> Any:
    """What a query gave, in types that a table knows."""
    return result if uri.lower().startswith("sqlite") else _plain(result)


def find_driver(engine: str) -> Any:
    """The ADBC driver of an engine, or an error that says how to have it."""
    try:
        return import_module(f"adbc_driver_{engine}.dbapi")
    except ImportError as error:
        raise ImportError(
            f"reading from {engine} needs the package adbc-driver-{engine} and pyarrow: "
            f"pip install 'clearwood[databases]'."
        ) from error


def sqlite_file(uri: str) -> str:
    """The file that a SQLite address names."""
    file = uri.partition("://")[2].removeprefix("/")
    if not Path(file).is_file():  # SQLite would make an empty database of that name
        raise FileNotFoundError(f"no SQLite file {file!r}; write sqlite:///name.db, or sqlite:////folder/name.db.")
    return file


def _plain(result: Any) -> Any:
    """The result with PostgreSQL's NUMERIC, which the driver hands over as text, as numbers, and CHAR unpadded."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for place, field in enumerate(result.schema):
        noted = (field.metadata or {}).get(b"ADBC:postgresql:typname", b"").decode()
        kind = getattr(field.type, "type_name", "") or noted
        storage = getattr(field.type, "storage_type", field.type)
        if not (pa.types.is_string(storage) or pa.types.is_large_string(storage)):
            continue
        text = pc.cast(result.column(place), pa.string())
        if kind == "numeric":
            result = result.set_column(place, field.name, pc.cast(text, pa.float64()))
        elif _is_padded(text):
            result = result.set_column(place, field.name, pc.utf8_rtrim(text, " "))
    return result


def _is_padded(text: Any) -> bool:
    """Whether a column is of PostgreSQL's type CHAR, which the driver hides: all as long, and some end in blanks.

    Cast to text, as our SQL casts it, such a column has no padding; so a tree must not know of it either.
    """
    import pyarrow.compute as pc

    lengths = pc.min_max(pc.utf8_length(text)).as_py()
    return lengths["min"] == lengths["max"] and bool(pc.any(pc.ends_with(text, " ")).as_py())
