"""Sampling: random rows of a scanned table, by their places in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.export.sql_words import listed
from clearwood.scan.rows import Rows, as_table
from clearwood.table import Table

if TYPE_CHECKING:
    from clearwood.scan.scan import Scan

__all__ = ["sample_rows"]

AT_ONCE = 20_000
"""So many places are written into one statement, each of which goes through the table."""


def sample_rows(scan: Scan, n: int, random_state: Any) -> Table:
    """A Table of n rows drawn without replacement, in the order of the source; of all rows if there are no more."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise ValueError(f"n must be a whole number of at least 1, got {n!r}.")
    rng = np.random.default_rng(random_state)
    places = np.sort(rng.choice(scan.n_rows, size=min(int(n), scan.n_rows), replace=False))
    names = [f"c{feature}" for feature in range(scan.n_features)]
    parts = []
    with scan.open() as engine:
        engine.keep_order()
        numbered = scan.cells(engine, numbered=True)
        wanted = f"SELECT {', '.join(['place', 'y', 'w', *names])} FROM {numbered}"
        if len(places) == scan.n_rows:
            parts.append(engine.numbers(wanted))
        else:
            for first in range(0, len(places), AT_ONCE):
                written = listed(["drawn"], [[str(place)] for place in places[first : first + AT_ONCE].tolist()])
                parts.append(engine.numbers(f"{wanted} JOIN {written} AS lots ON place = drawn"))
    found = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
    order = np.argsort(found[0], kind="stable")
    y = np.where(np.isnan(found[1]), -1, found[1]).astype(np.int32)
    return as_table(scan, Rows({i: cells[order] for i, cells in enumerate(found[3:])}, y[order], found[2][order]))
