"""Text files: read whole, or checked before a parser sees them."""

from __future__ import annotations

import gzip
import mmap
import zlib
from pathlib import Path

__all__ = ["MAX_LINE_BYTES", "MAX_UNPACKED_BYTES", "check_text", "is_compressed", "read_text", "split_lines"]

MAX_LINE_BYTES = 16 * 2**20
"""A longer line is no row of a table; parsers that meet one take minutes and gigabytes."""

MAX_UNPACKED_BYTES = 2**30
"""What a compressed file may unpack to where it is read whole."""

_PEEK = 64 * 2**10


def is_compressed(path: Path) -> bool:
    return path.suffix.lower() == ".gz"


def read_text(path: Path) -> str:
    """The whole file as text (UTF-8, with or without byte order mark; ``.gz`` is unpacked), line ends as ``\\n``."""
    try:
        raw = _unpacked(path) if is_compressed(path) else path.read_bytes()
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path.name} is cut short or is no gzip file: {error}.") from None
    _check_start(raw[:_PEEK], path.name)
    if b"\0" in raw:
        line = raw.count(b"\n", 0, raw.index(b"\0")) + 1
        raise ValueError(f"{path.name}, line {line}: a NUL byte; the file is binary or damaged.")
    _check_lines(raw, path.name)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path.name}, line {line}: not UTF-8 text; convert the file to UTF-8.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _unpacked(path: Path) -> bytes:
    """The content of a ``.gz`` file, unless it is larger than any that we would take: a small one may unpack to all."""
    with gzip.open(path) as file:
        raw = file.read(MAX_UNPACKED_BYTES + 1)
    if len(raw) > MAX_UNPACKED_BYTES:
        size = f"{MAX_UNPACKED_BYTES // 2**30} GiB"
        raise ValueError(f"{path.name} unpacks to more than {size}; unpack it to a file first, if it is a table.")
    return raw


def split_lines(text: str) -> list[str]:
    """The lines of a text that :func:`read_text` returned; only ``\\n`` ends a line."""
    return text.split("\n")


def check_text(path: Path, *, lines: bool = True) -> None:
    """Raise ValueError for an empty or binary file, and for a line beyond 16 MiB, without reading it all."""
    if is_compressed(path):
        try:
            with gzip.open(path) as file:
                raw = file.read(MAX_LINE_BYTES + 1)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(f"{path.name} is cut short or is no gzip file: {error}.") from None
        _check_start(raw[:_PEEK], path.name)
        if lines:
            _check_lines(raw, path.name)
        return
    with path.open("rb") as file:
        _check_start(file.read(_PEEK), path.name)
        if lines:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                _check_lines(mapped, path.name)


def _check_start(start: bytes, name: str) -> None:
    if not start.strip(b"\xef\xbb\xbf \t\r\n\f"):
        raise ValueError(f"{name} is empty.")
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ValueError(f"{name} is UTF-16 text; convert the file to UTF-8.")
    if start[:2] == b"\x1f\x8b":
        raise ValueError(f"{name} is gzip-compressed; give its name the ending .gz.")
    if b"\0" in start:
        raise ValueError(f"{name} is a binary file (it holds NUL bytes), not text.")
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        if len(start) < _PEEK or error.start < len(start) - 4:  # a character cut by the end of the peek is no fault
            line = start.count(b"\n", 0, error.start) + 1
            raise ValueError(f"{name}, line {line}: not UTF-8 text; convert the file to UTF-8.") from None


def _check_lines(raw: bytes | mmap.mmap, name: str) -> None:
    # the last line end in each window is enough: a line inside the window is shorter than the window
    start, size = 0, len(raw)
    while size - start > MAX_LINE_BYTES:
        end = raw.rfind(b"\n", start, start + MAX_LINE_BYTES)
        if end < 0:
            end = raw.rfind(b"\r", start, start + MAX_LINE_BYTES)
        if end < 0:
            size_limit = f"{MAX_LINE_BYTES // 2**20} MiB"
            raise ValueError(f"{name} has a line longer than {size_limit} (from byte {start}); is it a table?")
        start = end + 1
