"""Row: one measurement beside its peer's and the project's goal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the report.

    ``ratio`` says how many times better ours is than the peer's. ``reached`` is None where there is no goal.
    """

    benchmark: str
    size: str
    what: str
    ours: float | None = None
    peer: str = ""
    theirs: float | None = None
    unit: str = "s"
    ratio: float | None = None
    goal: str = ""
    reached: bool | None = None
    note: str = ""


def faster(goal: float | None, ratio: float, *, sound: bool = True) -> tuple[str, bool | None]:
    """A goal for the ratio, and whether it is reached; a result that is not sound reaches nothing.

    >>> faster(4, 5.2), faster(None, 5.2), faster(1, 5.2, sound=False)
    (('≥ 4×', True), ('', None), ('≥ 1×', False))
    """
    return ("", None) if goal is None else (f"≥ {goal:g}×", sound and ratio >= goal)
