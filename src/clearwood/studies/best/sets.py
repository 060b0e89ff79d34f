"""Sets: tables whose truth is known, tables of noise, and real ones, ready to be split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.evaluate.stability import uniform_examples
from clearwood.studies.best.simulated import Simulated, all_simulated, noise_table, simulate
from clearwood.studies.dealt import DealtTable
from clearwood.studies.units import TableFacts
from clearwood.table import Table

if TYPE_CHECKING:
    from clearwood.studies.store import Store

__all__ = ["COVERAGE", "NOISE", "SimulatedTable", "simulated_sets"]

COVERAGE, NOISE = "coverage", "noise"
NOISE_ROWS = (60, 150, 400)


@dataclass(frozen=True, eq=False)
class SimulatedTable(DealtTable):
    """A table that is made where it is used; new rows of the same truth test what is grown from it."""

    what: Simulated | None = None

    def split(self, repeat: int, fold: int) -> tuple[Table, Table]:
        return (self.table, self.table) if self.what is None else simulate(self.what)

    def more_scores(self, fitted: Any) -> dict[str, float]:
        return dict(fitted.judged_)


def simulated_sets(part: str, n: int, seed: int, study: str, store: Store) -> dict[str, DealtTable]:
    """So many tables of a part, by name."""
    found: dict[str, DealtTable] = {}
    if part == COVERAGE:
        for what in all_simulated(n, 1000 * seed):
            name = f"{COVERAGE} {what.name}"
            found[name] = _given(name, simulate(what)[0].take(np.arange(10)), what, seed, study, store)
    else:
        for i in range(n):
            table = noise_table(NOISE_ROWS[i % len(NOISE_ROWS)], 1000 * seed + i)
            name = f"{NOISE} {table.n_rows} rows, {i}"
            found[name] = _given(name, table, None, seed, study, store)
    return found


def _given(name: str, table: Table, what: Simulated | None, seed: int, study: str, store: Store) -> SimulatedTable:
    table = Table.from_blocks(
        table.columns, table.numeric, table.nominal, target=table.target, y=table.y, weights=table.weights, name=name
    )
    store.keep_table(study, TableFacts.of(table, name), table.digest, 1, seed)
    examples = uniform_examples(table, rng=0, n=2)
    return SimulatedTable(table, np.zeros((0, 0)), examples, f"{table.digest} {seed}", what)
