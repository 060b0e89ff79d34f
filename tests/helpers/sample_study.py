"""Small tables for studies, and what two runs of a study must have in common."""

from __future__ import annotations

import numpy as np

from clearwood.table import Column, Table


def blobs(n_rows=60, seed=0, name="blobs", missing=False):
    """Two classes, two numeric columns and a nominal one."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % 2
    first, second = rng.normal(y, 1.0), rng.normal(size=n_rows)
    sky = np.where(rng.random(n_rows) < 0.7, y, rng.integers(3, size=n_rows)).astype(np.int32)
    if missing:
        first[::7] = np.nan
        sky[::5] = -1
    columns = [Column("first"), Column("sky", ("sun", "rain", "snow")), Column("second")]
    return Table(columns, [first, sky, second], target=Column("class", ("no", "yes")), y=y, name=name)


def essence(results):
    """All of the results that must not depend on where and when they came about."""
    return {
        result.unit: (
            result.status,
            {name: repr(value) for name, value in result.scores.items() if name != "fit_seconds"},
            result.seed,
            None if result.probe is None else result.probe.tolist(),
        )
        for result in results
    }
