"""Labels: the classes as a tree names them."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["tree_labels"]


def tree_labels(classes: Any) -> tuple[Any, ...]:
    """The labels of an array of classes: Python's own texts, numbers and truth values; moments and durations as text.

    What reads a tree elsewhere (JSON, a page, SQL) knows no moments.

    >>> tree_labels(np.array(["2020-01-01", "2020-01-01T12:30"], dtype="datetime64[ns]"))
    ('2020-01-01', '2020-01-01T12:30')
    """
    found = np.asarray(classes)
    if found.dtype.kind == "M":
        found = np.datetime_as_string(found, unit="auto")
    elif found.dtype.kind == "m":
        found = np.array(list(map(str, found)))
    return tuple(found.tolist())
