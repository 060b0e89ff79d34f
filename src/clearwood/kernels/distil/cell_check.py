"""Check of cells: numbers with their ranks, and codes, as SoftRows and forests take them."""

from __future__ import annotations

import numpy as np

from clearwood.kernels.common.agreement import check_codes, check_lengths, check_range


def check_cells(
    numeric: np.ndarray,
    rank: np.ndarray,
    values: np.ndarray,
    n_ranks: np.ndarray,
    nominal: np.ndarray,
    n_values: np.ndarray,
    n_rows: int,
) -> None:
    """Refuse cells that are not those of so many rows, ranks without a value, and codes beyond the one for missing."""
    blocks = {"numeric": numeric, "rank": rank, "nominal": nominal}
    check_lengths(rows=n_rows, **{name: block.shape[1] for name, block in blocks.items() if len(block)})
    check_lengths(numeric=len(numeric), values=len(values))
    check_range("n_ranks", n_ranks, 0, values.shape[1] + 1)
    check_lengths(numeric=len(numeric), rank=len(rank))
    check_codes("rank", rank, n_ranks)
    check_codes("nominal", nominal, np.asarray(n_values) + 1, 0)
