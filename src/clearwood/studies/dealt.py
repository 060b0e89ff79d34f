"""DealtTable: a table with its rows dealt into folds, and the random examples that show how stable a learner is."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.evaluate.fold import with_known_class
from clearwood.evaluate.resampling import fold_numbers
from clearwood.evaluate.stability import uniform_examples
from clearwood.read.identifiers import warn_of_identifiers
from clearwood.studies.store import Store
from clearwood.studies.units import TableFacts, example_seed, fold_seed
from clearwood.table import Table

__all__ = ["DealtTable", "deal"]


@dataclass(frozen=True, eq=False)
class DealtTable:
    """What the units of one table share; it is sent to a worker as a whole.

    Attributes
    ----------
    table : Table
        Every row has a class.
    folds : array (repeats, n_rows)
        The fold of each row.
    examples : Table
        Drawn uniformly from the domains of the features.
    digest : str
        Says whether two are the same.
    """

    table: Table
    folds: np.ndarray
    examples: Table
    digest: str

    def split(self, repeat: int, fold: int) -> tuple[Table, Table]:
        """The rows to learn from, and the rows to be tested on."""
        chosen = self.folds[repeat] == fold
        return self.table.take(np.flatnonzero(~chosen)), self.table.take(np.flatnonzero(chosen))

    def more_scores(self, fitted: Any) -> dict[str, float]:
        """What a study wants to know about a fitted learner besides the usual scores."""
        return {}


def deal(study: str, name: str, table: Table, cv: int, repeats: int, seed: int, store: Store) -> DealtTable:
    """Deal a table's rows into folds, which the store keeps; folds that it has already are taken from it.

    A class with fewer rows than folds brings one warning; rows without a class are left out, with another.
    """
    table = with_known_class(table, name)
    # a table of its own: a part of another would be sent together with that one
    table = Table.from_blocks(
        table.columns,
        table.numeric,
        table.nominal,
        target=table.target,
        y=table.y,
        weights=table.weights,
        name=name,
    )
    warn_of_identifiers(table, name)  # once here, not in each fold
    digest = table.digest
    store.keep_table(study, TableFacts.of(table, name), digest, cv, seed)
    kept = store.folds(study, name)
    folds = np.empty((repeats, table.n_rows), dtype=np.uint16)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for repeat in range(repeats):
            if repeat not in kept:
                numbers = _fold_numbers(name, table, cv, fold_seed(seed, name, repeat))
                kept[repeat] = store.keep_folds(study, name, repeat, numbers)
            folds[repeat] = kept[repeat]
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        warnings.warn(f"{name}: {message}", stacklevel=4)
    if len(table.numeric):
        _ = table.sort_order  # sorted once here, and sent along: the folds only filter it
    examples = uniform_examples(table, rng=example_seed(seed, name))
    return DealtTable(table, folds, examples, f"{digest} {seed} {repeats}")


def _fold_numbers(name: str, table: Table, cv: int, seed: int) -> np.ndarray:
    try:
        return fold_numbers(table.y, cv, seed)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error
