"""Printing: results to the standard output or a file, notes and warnings to the standard error."""

from __future__ import annotations

import errno
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clearwood.progress import show_progress

__all__ = ["announced", "check_writable", "deliver", "note", "print_json", "progress_bar", "ready_folder"]


def print_json(document: Any) -> None:
    """Print one JSON document."""
    print(json.dumps(document, ensure_ascii=False, allow_nan=False))


def note(message: str, quiet: bool = False) -> None:
    """Say something that is not the result."""
    if not quiet:
        print(message, file=sys.stderr)


def deliver(content: str | bytes, to: Path | None, quiet: bool = False) -> None:
    """Write the result to a file, or to the standard output when there is none or it is called ``-``."""
    if to is None or str(to) == "-":
        if isinstance(content, bytes):
            raise ValueError("a picture needs a file: name it with -o.")
        print(content.removesuffix("\n"))
        return
    to.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    note(f"written to {to}", quiet)


def check_writable(file: Path | None) -> None:
    """Raise OSError before long work, not after it, when a file cannot be written where it should go."""
    if file is not None and not file.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(file))


def ready_folder(folder: Path) -> None:
    """Make a folder, or raise OSError before long work when nothing can be written there."""
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))


@contextmanager
def announced(quiet: bool) -> Iterator[None]:
    """Show each warning as one line, or none when quiet."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        note(f"clearwood: warning: {' '.join(str(message).split())}")

    with warnings.catch_warnings():
        if quiet:
            warnings.simplefilter("ignore")
        warnings.showwarning = show
        yield


@contextmanager
def progress_bar(title: str, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal's standard error, fed with (done, total); None elsewhere and when quiet."""
    with show_progress(title, False if quiet else None) as tell:
        yield tell
