"""The machine and the libraries that a report was made with."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def cores() -> int:
    """How many cores this process may use."""
    from joblib import effective_n_jobs

    return effective_n_jobs(-1)


def describe() -> dict[str, str | int]:
    """What the figures depend on."""
    found: dict[str, str | int] = {"processor": _processor(), "cores": cores(), "python": platform.python_version()}
    for package in ("clearwood", "scikit-learn", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a source folder
            found[package] = "not installed"
    return found


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    if file.is_file():
        for line in file.read_text("utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
