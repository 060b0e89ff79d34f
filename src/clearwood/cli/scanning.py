"""Scanning: when a command leaves a table where it lies, and the Scan that it then uses."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clearwood.scan.scan import Scan

__all__ = ["check_learner", "looked_at", "why_scanned"]

SHARE = 0.25
"""A file of more than this share of the memory is scanned: read, its cells take eight bytes each, often far more."""

_NOT_SCANNED = ("query", "decimal", "thousands", "download")
_ENDINGS = (".parquet", ".pq", ".csv", ".tsv", ".csv.gz", ".tsv.gz", ".csv.zst", ".tsv.zst")


def check_learner(name: str, grower: Any) -> None:
    """Refuse a learner that needs the rows in memory."""
    if not _learns_from_scans(grower):
        raise ValueError(
            f"--learner {name} needs the rows in memory and cannot learn from a Scan; take c45, id3 or cart, or in "
            "Python scan.sample(n), a table of n random rows."
        )


def _learns_from_scans(grower: Any) -> bool:
    from clearwood.learn.base import TreeClassifier

    return isinstance(grower, TreeClassifier) and type(grower)._grow_scan is not TreeClassifier._grow_scan


def why_scanned(data: str, grower: Any, constraints: Path | None, reading: Mapping[str, Any]) -> str:
    """Why a file is scanned although nobody said so, in a sentence; nothing where it is not."""
    file = Path(data)
    if constraints is not None or any(name in reading for name in _NOT_SCANNED) or not _learns_from_scans(grower):
        return ""
    if not data.lower().endswith(_ENDINGS) or not file.is_file():
        return ""
    size, memory = file.stat().st_size, _memory()
    if memory is None or size <= SHARE * memory:
        return ""
    return (
        f"{file.name} has {size / 1e9:.1f} GB, more than {SHARE:.0%} of this machine's memory: it stays where it is "
        "and is counted there, as with --scan."
    )


def _memory() -> int | None:
    """The bytes of memory that this process may have; None where the system does not say."""
    try:
        found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    try:  # a container's own limit
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except OSError:
        return found
    return min(found, int(limit)) if limit.isdigit() else found


def looked_at(
    data: str,
    target: str | None,
    constraints: Path | None,
    reading: Mapping[str, Any],
    *,
    table: str | None = None,
    key: str | None = None,
    quiet: bool = False,
) -> Scan:
    """The table as a Scan; what needs the rows in memory is refused."""
    from clearwood.scan import scan

    for name in _NOT_SCANNED:
        if name in reading:
            raise ValueError(f"--{name} is about tables that are read into memory; leave it out, or leave out --scan.")
    if constraints is not None:
        raise ValueError("--constraints needs the rows in memory; leave it out, or leave out --scan.")
    return scan(data, target, table=table, key=key, progress=False if quiet else None, **reading)
