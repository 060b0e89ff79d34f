"""A text file read and scanned, and how the two differ."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from scanned_tables import differences

import clearwood as cw

__all__ = ["Seen", "look", "unlike"]

Seen = tuple[Any, set[str]]
"""A Table or a Scan, or None where it was refused, and the beginnings of what was said."""


def look(how: Any, file: Path, **options: Any) -> Seen:
    """What reading or scanning gives, and the first words of each warning or refusal, which name the column."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = how(file, **options)
        except ValueError:
            return None, {"refused"}
    return found, {" ".join(str(warning.message).split()[:4]) for warning in caught}


def unlike(file: Path, trees: bool = True, **options: Any) -> list[str]:
    """What differs between a file read and scanned: what is said, columns, cells, and C4.5's tree."""
    table, told = look(cw.read, file, **options)
    scan, said = look(cw.scan, file, in_memory=5, **options)
    found = [] if told == said else [f"read says {told}, scan says {said}"]
    if table is None or scan is None:
        return found
    if (scan.columns, scan.target, scan.n_rows) != (table.columns, table.target, table.n_rows):
        return [*found, f"read {table.columns} {table.target}, scan {scan.columns} {scan.target}"]
    rows = scan.sample(max(scan.n_rows, 1))
    for place, column in enumerate(table.columns):
        if not np.array_equal(rows.column(place), table.column(place), equal_nan=not column.is_nominal):
            found.append(f"cells of {column}")
    if not (np.array_equal(rows.y, table.y) and np.array_equal(rows.weights, table.weights)):
        found.append("classes or weights")
    if trees and (table.y >= 0).any():
        grown = [cw.C45Classifier(min_leaf=1).fit(rows).tree_ for rows in (scan, table)]
        found += [f"trees: {name}" for name in differences(*grown)]
    return found
