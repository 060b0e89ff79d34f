"""Arrow: a result in Arrow's form, as numbers and as rows."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["as_numbers", "as_rows"]


def as_numbers(answer: Any) -> list[np.ndarray]:
    """The columns of an Arrow table, each as float64; NaN where it holds NULL."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return [
        np.array(pc.cast(column.combine_chunks(), pa.float64(), safe=False).to_numpy(zero_copy_only=False))
        for column in answer.columns
    ]


def as_rows(answer: Any) -> list[tuple[Any, ...]]:
    """The rows of an Arrow table, as Python has them."""
    return list(zip(*(column.to_pylist() for column in answer.columns), strict=True))
