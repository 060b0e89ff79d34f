"""Printing: results to the standard output or a file, notes and warnings to the standard error."""

from __future__ import annotations

import errno
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clearwood.cli.spoken import as_options
from clearwood.progress import show_progress
from clearwood.whole_file import check_writable, write_whole

__all__ = [
    "announced",
    "check_apart",
    "check_output",
    "deliver",
    "note",
    "print_json",
    "progress_bar",
    "ready_folder",
    "save_or_keep",
]


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
            raise ValueError("what is not text needs a file: name it with -o.")
        print(content.removesuffix("\n"))
        return
    write_whole(to, content)
    note(f"written to {to}", quiet)


def check_output(file: Path | None, *sources: object) -> None:
    """Raise an error before long work, not after it, when a file cannot be written, or is one that is read."""
    if file is None or str(file) == "-":
        return
    for source in sources:
        if isinstance(source, str | Path) and file.exists() and Path(source).exists() and file.samefile(source):
            raise ValueError(f"{file} is the file that is read; write the result to another one.")
    check_writable(file)


def check_apart(files: Mapping[str, Path | None]) -> None:
    """Raise an error where two options name one file, which would hold the last result only; not for ``/dev/null``."""
    taken: dict[Path, str] = {}
    for option, file in files.items():
        if file is None or str(file) == "-" or (file.exists() and not file.is_file()):
            continue
        other = next((known for known in taken if known == file.resolve() or _is_same(known, file)), None)
        if other is not None:
            raise ValueError(f"{taken[other]} and {option} both write {file}; name two files.")
        taken[file.resolve()] = option


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def save_or_keep(text: str, file: Path) -> None:
    """Write a text that took long to make; where that fails, keep it in the folder for temporary files and say so."""
    try:
        write_whole(file, text)
    except OSError as error:
        import tempfile

        handle, name = tempfile.mkstemp(prefix="clearwood-", suffix=file.suffix or ".json")
        with os.fdopen(handle, "w", encoding="utf-8") as kept:
            kept.write(text)
        raise OSError(f"{file}: {error.strerror or error}; the tree is kept in {name}.") from error


def ready_folder(folder: Path) -> None:
    """Make a folder, or raise OSError before long work when nothing can be written there."""
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))


@contextmanager
def announced(quiet: bool) -> Iterator[None]:
    """Show each warning as one line, or none when quiet, also none of processes that are started meanwhile."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        note(f"clearwood: warning: {as_options(' '.join(str(message).split()))}")

    before = os.environ.get("PYTHONWARNINGS")
    with warnings.catch_warnings():
        if quiet:
            warnings.simplefilter("ignore")
            os.environ["PYTHONWARNINGS"] = "ignore"
        warnings.showwarning = show
        try:
            yield
        finally:
            if quiet:
                os.environ.pop("PYTHONWARNINGS")
                os.environ.update({} if before is None else {"PYTHONWARNINGS": before})


@contextmanager
def progress_bar(title: str, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal's standard error, fed with (done, total); None elsewhere and when quiet."""
    with show_progress(title, False if quiet else None) as tell:
        yield tell
