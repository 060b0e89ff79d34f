"""Small random tables with class weights: ties, gaps, nominal columns, synthetic rows below the real ones."""

from typing import NamedTuple

import numpy as np

from clearwood.kernels.distil.soft_rows import SoftRows


class SoftTable(NamedTuple):
    numeric: np.ndarray
    rank: np.ndarray
    values: np.ndarray
    n_ranks: np.ndarray
    nominal: np.ndarray
    n_values: np.ndarray
    target: np.ndarray
    n_real: int

    def rows(self) -> SoftRows:
        return SoftRows(*self)

    @property
    def plain(self) -> tuple:
        """The arguments of the twins."""
        return self.numeric, self.nominal, self.n_values.tolist()


def soft_table(
    seed: int, n: int = 40, n_numeric: int = 3, n_nominal: int = 2, n_classes: int = 3, most_values: int | None = None
) -> SoftTable:
    """A table whose cells are few small numbers, so that they tie, some of them missing."""
    rng = np.random.default_rng(seed)
    numeric = rng.integers(0, rng.integers(2, 12), size=(n_numeric, n)).astype(float)
    numeric[rng.random(numeric.shape) < rng.choice([0.0, 0.1])] = np.nan
    n_values = np.full(n_nominal, most_values or 0, dtype=np.int32)
    if most_values is None:
        n_values = rng.integers(1, 5, size=n_nominal).astype(np.int32)
    nominal = np.array([rng.integers(0, v + 1, size=n) for v in n_values], dtype=np.int32).reshape(n_nominal, n)
    target = rng.dirichlet(np.full(n_classes, 0.4), size=n) * rng.choice([0.5, 1.0, 2.0], size=n)[:, None]
    target[target < 0.05] = 0.0
    return with_ranks(numeric, nominal, n_values, target, int(rng.integers(n // 2, n + 1)))


def with_ranks(numeric, nominal, n_values, target, n_real) -> SoftTable:
    rank = np.full(numeric.shape, -1, dtype=np.int32)
    distinct = [np.unique(cells[~np.isnan(cells)]) for cells in numeric]
    values = np.zeros((len(numeric), max([1, *map(len, distinct)])))
    for c, found in enumerate(distinct):
        values[c, : len(found)] = found
        known = ~np.isnan(numeric[c])
        rank[c, known] = np.searchsorted(found, numeric[c, known])
    n_ranks = np.array([len(found) for found in distinct], dtype=np.int32)
    return SoftTable(numeric, rank, values, n_ranks, nominal, np.asarray(n_values, dtype=np.int32), target, n_real)
