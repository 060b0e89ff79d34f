"""A file that is always whole: what is written replaces it at once, or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import IO, TextIO

__all__ = ["check_writable", "whole_text", "write_whole"]


def write_whole(path: Path, content: str | bytes | Callable[[IO[bytes]], object]) -> None:
    """Write a text, bytes, or what a function writes, beside the file, then put it in its place.

    A full disk, a kill or an error on the way leaves the file as it was. What is no plain file, such as a pipe or
    ``/dev/null``, is written to directly, and so is a file in a folder where nothing new can be made.
    """
    write = content if callable(content) else _writer(content)
    path = path.resolve()  # a link stays one
    if path.exists() and (not path.is_file() or not os.access(path.parent, os.W_OK | os.X_OK)):
        with path.open("wb") as file:
            write(file)
        return
    handle, name = _new_file_beside(path)
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def whole_text(path: Path) -> Iterator[TextIO]:
    """A place for text, line ends as they are written, that becomes the file once all is there without an error.

    >>> import csv, tempfile
    >>> with whole_text(Path(tempfile.mkdtemp()) / "t.csv") as file:
    ...     csv.writer(file).writerow(["age", "ill"])
    9
    """
    text = StringIO(newline="")
    yield text
    write_whole(path, text.getvalue())


def _new_file_beside(path: Path) -> tuple[int, str]:
    import tempfile  # not above: the time to the first line of help is mostly that of imports

    try:
        return tempfile.mkstemp(dir=path.parent, prefix=path.name[:100], suffix=".tmp")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None


def _writer(content: str | bytes) -> Callable[[IO[bytes]], object]:
    data = content.encode("utf-8") if isinstance(content, str) else content
    return lambda file: file.write(data)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def check_writable(path: Path) -> None:
    """Raise OSError if :func:`write_whole` could not write there now; nothing is left behind."""
    path = path.resolve()
    if path.is_dir():
        raise IsADirectoryError(21, "is a folder; name a file in it", str(path))
    if path.exists() and not path.is_file():
        return
    if path.exists() and not os.access(path.parent, os.W_OK | os.X_OK):
        with path.open("ab"):
            return
    if not path.parent.is_dir():
        raise FileNotFoundError(2, "No such file or directory", str(path))
    handle, name = _new_file_beside(path)
    os.close(handle)
    Path(name).unlink()
