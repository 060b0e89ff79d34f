"""JSON fields: values of parsed JSON, each checked as if a stranger had written it; messages name the field."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["checked_text", "flag", "integers", "kind_of", "list_of", "numbers", "quoted", "string", "table_of_numbers"]


def list_of(fields: dict[str, Any], name: str, length: int | None = None) -> list[Any]:
    """A field that is a list, of a certain length where one is given."""
    value = fields[name]
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list, got {kind_of(value)}.")
    if length is not None and len(value) != length:
        raise ValueError(f"{name} must hold one item for each of the {length} nodes, got {len(value)}.")
    return value


def integers(values: list[Any], name: str) -> np.ndarray:
    """Whole numbers from -1 to what 32 bits hold, as an array."""
    for value in values:
        if type(value) is not int or not -1 <= value < 2**31:
            raise ValueError(f"{name} must hold whole numbers from -1 to {2**31 - 1}, got {quoted(value)}.")
    return np.array(values, dtype=np.int32)


def numbers(values: list[Any], name: str) -> list[float]:
    """Finite numbers."""
    strange = set(map(type, values)) - {int, float}
    if strange:
        value = next(value for value in values if type(value) in strange)
        raise ValueError(f"{name} must hold numbers, got {quoted(value)}.")
    try:
        found = [float(value) for value in values]
    except OverflowError:
        found = [math.inf]
    if not all(map(math.isfinite, found)):
        raise ValueError(f"{name} must hold finite numbers, but one is beyond the range of a double.")
    return found


def table_of_numbers(rows: list[Any], name: str, n_classes: int) -> np.ndarray:
    """Lists of as many numbers as there are classes, as an array."""
    if not set(map(type, rows)) <= {list} or not set(map(len, rows)) <= {n_classes}:
        raise ValueError(f"{name} must hold a list of {n_classes} weights, one for each class, for each node.")
    flat = numbers([weight for row in rows for weight in row], name)
    return np.array(flat, dtype=np.float64).reshape(len(rows), n_classes)


def string(fields: dict[str, Any], name: str) -> str:
    """A field that is a string."""
    return checked_text(fields[name], name)


def flag(fields: dict[str, Any], name: str) -> bool:
    """A field that is true or false."""
    if not isinstance(fields[name], bool):
        raise ValueError(f"{name} must be true or false, got {quoted(fields[name])}.")
    return bool(fields[name])


def checked_text(value: Any, name: str) -> str:
    """A string that can be written as UTF-8."""
    if not isinstance(value, str):
        raise ValueError(f"{name} must be given as strings, got {quoted(value)}.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{name} must be valid Unicode, got {quoted(value)}.") from None
    return str(value)


def quoted(value: Any) -> str:
    """A value of unknown size, short enough for a message."""
    if isinstance(value, list | dict):
        return kind_of(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**20:
        return "an integer of more than 20 digits"  # repr of a huge integer is slow, and refused beyond 4,300 digits
    text = ascii(value)
    return text if len(text) <= 40 else text[:37] + "..."


def kind_of(value: Any) -> str:
    """What a value is, in JSON's words."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a bool", type(None): "null"}
    return names.get(type(value), "a number")
