"""Failures: units of a study that ended without a result, in one line and an exit status."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import typer

from clearwood.cli.printing import note
from clearwood.wording import plural, visible

if TYPE_CHECKING:
    from clearwood.studies.comparison import Comparison

__all__ = ["UNITS_FAILED", "end_with_failures"]

UNITS_FAILED = 1


def end_with_failures(comparison: Comparison) -> None:
    """Say how many units failed, and of which learners, and end with status 1; nothing happens where none did."""
    if not comparison.failures:
        return
    failed = Counter(result.unit.learner for result in comparison.failures)
    planned = Counter(result.unit.learner for result in comparison.results)
    each = [f"{n} of {planned[name]} of {visible(name)}" for name, n in failed.items()]
    all_failed = len(comparison.failures) == len(comparison.results)
    many = "all" if all_failed else str(len(comparison.failures))
    note(f"clearwood: {many} of {plural(len(comparison.results), 'unit')} failed: {', '.join(each)}.")
    raise typer.Exit(UNITS_FAILED)
