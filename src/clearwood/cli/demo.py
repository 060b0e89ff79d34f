"""``clearwood demo``: see what the library does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["demo"]


def demo(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where pictures, rules and SQL are written.")
    ] = Path("demo-output"),
) -> None:
    """Grow and compare trees on known data.

    Prints a tree for each data set that comes with scikit-learn and a comparison of the learners, and writes
    pictures, rules and SQL into a folder.

    \b
    Example:
      clearwood demo --out demo-output
    """
    from clearwood.demo import run_demo

    run_demo(out, say=print)
