"""Numeric forms: make the kernels count numeric columns by value, or sweep them in sorted order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from clearwood.kernels.columns import ranks

FORMS = ("counted", "sorted", "both")


@contextmanager
def numeric_form(form: str) -> Iterator[None]:
    """Within, columns are counted, sorted, or the one or the other by how many values they have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranks, "MOST_BINS", {"counted": 1 << 20, "sorted": 0, "both": 4}[form])
        if hasattr(ranks, "LEAST_ROWS_PER_BIN"):
            patch.setattr(ranks, "LEAST_ROWS_PER_BIN", 1)
        yield
