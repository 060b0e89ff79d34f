"""Sources that are no plain file of a known ending: pipes, compressed files and addresses, as files that are."""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Protocol

__all__ = ["is_address", "is_stream", "local_file", "stream_file", "unpacked"]

_PIECE = 2**20


class Readable(Protocol):
    """What gives its bytes piece by piece."""

    def read(self, size: int, /) -> bytes: ...


def is_stream(source: object) -> bool:
    """Whether a source is the standard input (``-``), or a pipe or device by its path."""
    if isinstance(source, str) and source == "-":
        return True
    if not isinstance(source, str | PathLike):
        return False
    path = Path(source)
    return path.exists() and not path.is_file() and not path.is_dir()


def is_address(source: object) -> bool:
    """Whether a source lies on the network.

    >>> is_address("https://example.org/t.csv"), is_address("t.csv")
    (True, False)
    """
    return isinstance(source, str) and source.lower().startswith(("http://", "https://", "s3://"))


@contextmanager
def stream_file(source: str | PathLike[str]) -> Iterator[Path]:
    """What comes from the standard input or a pipe, in a file whose ending says what it is.

    The first bytes tell: Parquet, Arrow, gzip, zstd, ARFF and JSON have marks of their own; all else is taken as CSV.
    """
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "raw"
        with raw.open("wb") as file:
            if fspath(source) == "-":
                shutil.copyfileobj(sys.stdin.buffer, file, _PIECE)
            else:
                with Path(source).open("rb") as stream:
                    shutil.copyfileobj(stream, file, _PIECE)
        with raw.open("rb") as file:
            start = file.read(_PIECE)
        if not start.strip():
            raise ValueError("the standard input is empty." if fspath(source) == "-" else f"{source} is empty.")
        name = "stdin" if fspath(source) == "-" else Path(source).name
        packed = next(
            (end for mark, end in ((b"\x1f\x8b", ".gz"), (b"\x28\xb5\x2f\xfd", ".zst")) if start.startswith(mark)), ""
        )
        if packed:
            raw = raw.rename(Path(folder) / f"{name}{packed}")
            with open_packed(raw) as opened:
                start = opened.read(_PIECE)
        yield raw.rename(Path(folder) / f"{name}{_ending(start)}{packed}")


def _ending(start: bytes) -> str:
    for mark, ending in ((b"PAR1", ".parquet"), (b"ARROW1", ".arrow")):
        if start.startswith(mark):
            return ending
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    lines = [line.strip().lower() for line in text.split(b"\n") if line.strip()]
    if any(line.startswith(b"@relation") for line in lines[:1000]):
        return ".arff"
    if text.startswith(b"["):
        return ".json"
    return ".jsonl" if text.startswith(b"{") else ".csv"


@contextmanager
def open_packed(path: Path) -> Iterator[Readable]:
    """A compressed file (``.gz``, ``.zst``), opened so that it reads as if it were not."""
    if path.suffix.lower() == ".gz":
        with gzip.open(path) as file:
            yield file
        return
    try:
        import pyarrow as pa
    except ImportError as error:
        raise ImportError(f"{path.name}: reading zstd files needs pyarrow: pip install pyarrow.") from error
    with pa.CompressedInputStream(pa.OSFile(str(path)), "zstd") as file:
        yield file


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """A zstd file's content in a file of the same name without the ending."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / path.stem
        try:
            with open_packed(path) as packed, plain.open("wb") as file:
                while piece := packed.read(_PIECE):
                    file.write(piece)
        except OSError as error:
            raise ValueError(f"{path.name} is cut short or is no zstd file: {error}.") from None
        yield plain


@contextmanager
def local_file(address: str) -> Iterator[Path]:
    """A copy of a file on the network, fetched by DuckDB's extension httpfs."""
    import duckdb

    name = Path(address.partition("?")[0]).name or "download.csv"
    with tempfile.TemporaryDirectory() as folder:
        try:
            with duckdb.connect(":memory:") as db:
                db.execute("install httpfs")
                db.execute("load httpfs")
                row = db.execute("select content from read_blob($address)", {"address": address}).fetchone()
        except duckdb.Error as error:
            wrong = " ".join(str(error).split())[:200]
            raise ValueError(f"{address} cannot be fetched by DuckDB's httpfs: {wrong}") from None
        if row is None:
            raise ValueError(f"{address} holds nothing.")
        copy = Path(folder) / name
        copy.write_bytes(row[0])
        yield copy
