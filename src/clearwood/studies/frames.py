"""Frames: a comparison's units as a pandas frame, and its results as a plain document."""

from __future__ import annotations

import csv
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.studies.measures import MEASURES
from clearwood.whole_file import whole_text

if TYPE_CHECKING:
    from pandas import DataFrame

    from clearwood.studies.comparison import Comparison

__all__ = ["document", "frame_of_units", "unit_rows", "write_units"]

_STORED = [name for name in MEASURES if name != "error"]


def unit_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """A row for each unit, by data set, learner, repeat and fold."""
    rows = []
    for place, result in sorted(((comparison.place(r), r) for r in comparison.results), key=lambda pair: pair[0]):
        rows.append(
            {
                "data": result.unit.data,
                "learner": result.unit.learner,
                "repeat": result.unit.repeat,
                "fold": result.unit.fold,
                "status": result.status,
                **{name: float(comparison.scores(name)[place]) for name in _STORED},
                "seconds": result.seconds,
                "seed": result.seed,
                "finished": result.finished,
                "error": result.error,
            }
        )
    return rows


def frame_of_units(comparison: Comparison) -> DataFrame:
    """The rows of :func:`unit_rows` as a pandas frame."""
    try:
        from pandas import DataFrame
    except ImportError as error:
        raise ImportError("a frame needs pandas; run: pip install 'clearwood[frames]'") from error
    return DataFrame(unit_rows(comparison))


def write_units(comparison: Comparison, path: str | PathLike[str]) -> None:
    """Write the rows of :func:`unit_rows` as CSV; NaN is an empty cell."""
    rows = unit_rows(comparison)
    with whole_text(Path(path)) as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: "" if value != value else value for key, value in row.items()} for row in rows)


def document(comparison: Comparison) -> dict[str, Any]:
    """Means, intervals, tests and failures as plain values that JSON can hold; NaN becomes None."""
    tests = comparison.test()
    reference = comparison.reference
    cells = []
    for i, data in enumerate(comparison.data):
        for j, learner in enumerate(comparison.learners):
            means = {name: _plain(comparison.means(name)[i, j]) for name in _STORED}
            interval = comparison.summary("accuracy")[data, learner]
            cells.append(
                {
                    "data": data,
                    "learner": learner,
                    **means,
                    "accuracy_low": _plain(interval.low),
                    "accuracy_high": _plain(interval.high),
                    "p_value": _plain(tests.p_values[i, j, comparison.learners.index(reference)]),
                    "against_reference": tests.mark(data, learner, reference),
                    "units": int(np.isfinite(comparison.scores("accuracy")[i, j]).sum()),
                }
            )
    return {
        "command": comparison.command,
        "cv": comparison.cv,
        "repeats": comparison.repeats,
        "reference": reference,
        "level": comparison.level,
        "data": list(comparison.data),
        "learners": list(comparison.learners),
        "results": cells,
        "win_draw_loss": tests.win_draw_loss.tolist(),
        "failures": [
            {
                "data": r.unit.data,
                "learner": r.unit.learner,
                "repeat": r.unit.repeat,
                "fold": r.unit.fold,
                "status": r.status,
                "error": r.error,
            }
            for r in comparison.failures
        ],
    }


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
