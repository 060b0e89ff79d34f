"""Parts: the rows of a scan dealt by a hash, so that a part is the same rows each time."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from clearwood.scan.engines.engine import Engine
    from clearwood.scan.scan import Scan

__all__ = ["ALL", "Part", "check_share", "split_rows"]

ALL = 2**31
"""Rows are dealt numbers from 0 to one less."""


class Part(NamedTuple):
    """The rows whose dealt number is at least ``low`` and less than ``high``; another seed deals other numbers."""

    low: int = 0
    high: int = ALL
    seed: int = 0

    def cut(self, share: float) -> tuple[Part, Part]:
        """The part without a share of it, and that share."""
        middle = self.low + round(share * (self.high - self.low))
        return self._replace(low=middle), self._replace(high=middle)

    def pieces(self, n: int) -> list[Part]:
        """The same rows in so many parts of about the same size."""
        ends = np.linspace(self.low, self.high, n + 1).astype(np.int64).tolist()
        return [self._replace(low=low, high=high) for low, high in pairwise(ends)]


def split_rows(scan: Scan, engine: Engine, share: float, seed: int = 0) -> tuple[Scan, Scan]:
    """The scan without a share of its rows, and that share; a part is split within its own numbers."""
    whole = scan.part or Part(seed=seed)
    parts = [replace(scan, part=part) for part in whole.cut(share)]
    found = [engine.numbers(f"SELECT count(*) AS n FROM {part.cells(engine, ())}")[0] for part in parts]
    rest, held_out = (replace(part, n_rows=int(n[0])) for part, n in zip(parts, found, strict=True))
    return rest, held_out


def check_share(name: str, share: Any) -> float:
    """A share of rows, neither none nor all."""
    number = isinstance(share, int | float | np.number) and not isinstance(share, bool)
    if not number or not 0 < share < 1:
        raise ValueError(f"{name} must be a share of the rows, between 0 and 1, got {share!r}.")
    return float(share)
