"""Obeying: a learner that obeys the file that ``--constraints`` names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clearwood.learn.constrained import ConstrainedClassifier
    from clearwood.table import Table

__all__ = ["obeying"]


def obeying(file: Path, learner: Any, table: Table) -> ConstrainedClassifier:
    """The learner under the file's constraints; what does not fit the table raises ValueError and names the file."""
    from clearwood.constraints import Constraints
    from clearwood.learn.constrained import ConstrainedClassifier

    try:
        constraints = Constraints.from_json(file.read_bytes())
        constraints.check(table.columns, table.target.name if table.target else None)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    return ConstrainedClassifier(learner, constraints)
