"""Named data sets, found in a folder, the user's cache or at OpenML."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from clearwood.table import Table

__all__ = ["find", "folders", "load", "names"]

_SUFFIXES = (".arff", ".arff.gz", ".names", ".parquet", ".csv")


def _checkout(start: Path) -> Path | None:
    """The root of a checkout of this project around a place, if it lies in one."""
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if file.is_file() and re.search(r'^name = "clearwood"', file.read_text("utf-8"), re.MULTILINE):
            return folder
    return None


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clearwood"


def folders() -> list[Path]:
    """Where data sets are looked for, in order: $CLEARWOOD_DATA, ``shared/data`` beside the checkout, the cache."""
    return [folder for folder in dict.fromkeys(_candidates()) if folder.is_dir()]


def _candidates() -> Iterator[Path]:
    stated = os.environ.get("CLEARWOOD_DATA")
    if stated:
        yield Path(stated)
    for start in (Path(__file__).resolve().parent, Path.cwd()):
        root = _checkout(start)
        if root is not None:
            yield root.parent / "shared" / "data"
    yield _cache()


def find(name: str) -> Path | None:
    """The file of a data set in one of the :func:`folders`, or None."""
    if not re.fullmatch(r"[\w.+-]+", name):
        return None
    for folder in folders():
        for suffix in _SUFFIXES:
            file = folder / f"{name}{suffix}"
            if file.is_file():
                return file
    return None


def names() -> list[str]:
    """The data sets that the :func:`folders` hold, sorted."""
    found = set()
    for folder in folders():
        for file in folder.iterdir():
            suffix = next((end for end in _SUFFIXES if file.name.endswith(end)), None)
            if suffix:
                found.add(file.name.removesuffix(suffix))
    return sorted(found)


def load(name: str) -> Table:
    """A data set by name: a file from one of the :func:`folders`, else OpenML's active version of that name.

    Examples
    --------
    >>> load("iris").classes  # doctest: +SKIP
    ('Iris-setosa', 'Iris-versicolor', 'Iris-virginica')
    """
    from clearwood.read import read

    if not re.fullmatch(r"[\w.+-]+", name):
        raise ValueError(f"a data set's name holds letters, digits and . + - _ only, got {name!r}.")
    file = find(name)
    return _from_openml(name) if file is None else read(file)


def _from_openml(name: str) -> Table:
    from clearwood.read.frames import table_from_frame
    from clearwood.read.request import Request

    try:
        from sklearn.datasets import fetch_openml

        bunch = fetch_openml(name, as_frame=True, parser="auto", data_home=str(_cache() / "openml"), n_retries=1)
    except Exception as error:  # the network fails in many ways, and each means the same to the caller
        raise FileNotFoundError(
            f"no data set {name!r} in {', '.join(map(str, folders())) or 'any folder'}, and OpenML gave none "
            f"({type(error).__name__}: {str(error)[:200]}). Set CLEARWOOD_DATA to a folder with {name}.arff."
        ) from error
    target = bunch.target_names[0] if bunch.target_names else None
    return table_from_frame(bunch.frame, Request(target=target), source=f"OpenML's {name}", name=name)
