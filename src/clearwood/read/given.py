"""Given: the table that a path, a data set's name or a Table stands for."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from clearwood.read import datasets, read
from clearwood.spelling import no_such
from clearwood.table import Table

__all__ = ["read_table"]


def read_table(given: Any, **options: Any) -> Table:
    """A table from a path, a database or a data set's name; a Table is given back as it is.

    ``options`` are those of :func:`clearwood.read`; one that is None keeps the reader's default. A name that is
    neither a file nor a data set raises ValueError with the nearest data set.
    """
    if isinstance(given, Table):
        return given
    if not isinstance(given, str | PathLike):
        raise TypeError(f"tables must hold Tables, paths or names of data sets, got {type(given).__name__}.")
    try:
        return read(given, **{key: value for key, value in options.items() if value is not None})
    except FileNotFoundError as error:
        if isinstance(given, str) and Path(given).name == given and not Path(given).suffix:
            raise ValueError(f"{no_such('data set', given, datasets.names())} {error}") from error
        raise
