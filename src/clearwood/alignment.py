"""Alignment: the cells of one column in the terms of another column of the same name."""

from __future__ import annotations

import numpy as np

from clearwood.booleans import are_booleans, spellings, truth
from clearwood.column import Column
from clearwood.moments import parse_moments

__all__ = ["align_cells", "translation"]


def translation(found: tuple[str, ...], wanted: tuple[str, ...]) -> np.ndarray:
    """For each value found its code among the wanted ones, -1 where they do not know it; one more -1 for missing.

    >>> translation(("True", "False", "maybe"), ("false", "true")).tolist()
    [1, 0, -1, -1]
    """
    folded, meant = spellings(wanted)
    code = {text: number for number, texts in enumerate(meant) for text in texts}
    return np.array([*(code.get(value.lower() if folded else value, -1) for value in found), -1], dtype=np.int32)


def align_cells(found: Column, cells: np.ndarray, wanted: Column) -> np.ndarray:
    """The cells as the wanted column holds them: numbers, moments, levels or codes; unknown values become missing.

    Truth values match whatever their spelling, 0 and 1 among them. Moments pass for the milliseconds that they are, and
    match nominal values that are dates.
    """
    if found.declared is not None and wanted.declared is not None:
        return _declared(found, cells, wanted)
    if found.kind == wanted.kind or (found.kind, wanted.kind) == ("date", "numeric"):
        return cells
    if not (cells >= 0).any() if found.is_nominal else np.isnan(cells).all():
        return np.full(len(cells), -1, dtype=np.int32) if wanted.is_nominal else np.full(len(cells), np.nan)
    changed = None
    if wanted.kind == "numeric":
        changed = _numbers(found, cells)
    elif wanted.values is not None:
        changed = _codes(cells, parse_moments(wanted.values)) if found.is_date else _truths(cells, wanted.values)
    if changed is None:
        remedy = {
            "numeric": f"read it with numeric=[{wanted.name!r}], or convert it to numbers",
            "nominal": f"read it with nominal=[{wanted.name!r}], or convert it to text",
            "date": "write its moments as ISO dates, and what means missing as an empty cell",
            "ordered": f"read it with nominal=[{wanted.name!r}]",
        }[wanted.kind]
        raise ValueError(
            f"column {wanted.name!r} is {found.kind} in the table but {wanted.kind} in the tree; {remedy}."
        )
    return changed


def _declared(found: Column, cells: np.ndarray, wanted: Column) -> np.ndarray:
    """Values or levels as the codes of other values or levels, found by text."""
    if found.values == wanted.values and found.levels == wanted.levels:
        return cells
    held = cells if found.is_nominal else np.where(np.isnan(cells), -1, cells).astype(np.int32)
    codes: np.ndarray = translation(found.declared or (), wanted.declared or ())[held]
    return codes if wanted.is_nominal else np.where(codes < 0, np.nan, codes)


def _numbers(found: Column, codes: np.ndarray) -> np.ndarray | None:
    """Truth values as 0 and 1; None for any other values."""
    values = found.values or ()
    if not are_booleans(values):
        return None
    numbers: np.ndarray = np.array([*(float(truth(value) or False) for value in values), np.nan])[codes]
    return numbers


def _truths(cells: np.ndarray, values: tuple[str, ...]) -> np.ndarray | None:
    """0 and 1 as the codes of truth values; None if the values are others."""
    if not are_booleans(values):
        return None
    of_false, of_true, _ = translation(("0", "1"), values).tolist()
    numbers = {of_false: 0.0, of_true: 1.0}
    return _codes(cells, [numbers.get(code, np.nan) for code in range(len(values))])


def _codes(cells: np.ndarray, numbers: list[float] | None) -> np.ndarray | None:
    """For each number its place among the given ones; None if some number is not among them."""
    if numbers is None:
        return None
    codes = np.full(len(cells), -1, dtype=np.int32)
    for code, number in enumerate(numbers):
        codes[cells == number] = code
    return codes if (codes[~np.isnan(cells)] >= 0).all() else None
