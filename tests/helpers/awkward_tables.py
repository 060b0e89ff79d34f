"""Random tables with what is awkward to count: ties, skew, tiny gaps, missing cells and classes, weights, copies."""

import numpy as np

from clearwood import Column, Table


def awkward_table(seed: int, n: int | None = None) -> Table:
    """A table of one to seven columns, of which several matter."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([60, 200, 400])) if n is None else n
    n_classes = int(rng.choice([2, 2, 3, 5]))
    columns, data, score = [], [], np.zeros(n)
    for place in range(int(rng.integers(1, 5))):
        cells = rng.normal(size=n)
        form = rng.integers(5)
        if form == 1:
            cells = np.round(cells, 1)
        elif form == 2:
            cells = np.exp(3 * cells)
        elif form == 3:
            cells = np.round(cells * 3e4) * 1e-6  # many neighbours are closer than C4.5's gap
        elif form == 4:
            cells = rng.integers(0, 5, n).astype(float)
        score += (cells > np.median(cells)) * rng.normal()
        if rng.random() < 0.4:
            cells = np.where(rng.random(n) < 0.15, np.nan, cells)
        columns.append(Column(f"number {place}"))
        data.append(cells)
    for place in range(int(rng.integers(0, 3))):
        codes = rng.integers(0, 4, n)
        score += np.array([0, 1, 0.5, -1])[codes] * rng.normal()
        if rng.random() < 0.4:
            codes = np.where(rng.random(n) < 0.1, -1, codes)
        columns.append(Column(f"value {place}", tuple("abcd")))
        data.append(codes)
    if rng.random() < 0.3:
        columns.append(Column("copy"))
        data.append(data[0].copy())
    limits = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    y = np.digitize(score + rng.normal(size=n) * 0.5, limits)
    if rng.random() < 0.2:
        y = np.where(rng.random(n) < 0.05, -1, y)
    weights = rng.choice([1, 2, 3, 0.5], n) if rng.random() < 0.3 else None
    return Table(columns, data, target=Column("class", tuple("klmno"[:n_classes])), y=y, weights=weights)
