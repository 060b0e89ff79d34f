"""The paper's data sets: generated, with a test set of their own, or to be cross-validated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.conditions import Kind
from clearwood.evaluate.stability import uniform_examples
from clearwood.read import artificial
from clearwood.studies.dealt import DealtTable, deal
from clearwood.studies.units import TableFacts, example_seed, fold_seed
from clearwood.table import Table
from clearwood.tree import Tree

if TYPE_CHECKING:
    from clearwood.studies.store import Store
    from clearwood.studies.study import Study

__all__ = ["FOLDS", "GivenSplits", "deal_set", "is_artificial", "zero_noise_share"]

FOLDS = 10
N_TEST = 5000
"""Test rows of the artificial sets."""


@dataclass(frozen=True, eq=False)
class GivenSplits(DealtTable):
    """A data set with training and test rows of its own in each repeat."""

    splits: tuple[tuple[Table, Table], ...] = ()

    def split(self, repeat: int, fold: int) -> tuple[Table, Table]:
        return self.splits[repeat]

    def more_scores(self, fitted: Any) -> dict[str, float]:
        share = zero_noise_share(fitted.tree_)
        return {} if share is None else {"zero_noise": share}


def is_artificial(data: str) -> bool:
    return data.partition(" ")[0].lower() in artificial.NAMES


def deal_set(study: Study, data: str, folder: Path | None, repeats: int, seed: int, store: Store) -> DealtTable:
    """A data set by the paper's name, ready to be split; FileNotFoundError where it is not to be had."""
    if is_artificial(data):
        splits = tuple(_generated(data, fold_seed(seed, data, repeat)) for repeat in range(repeats))
        return _given(study, data, splits, seed, store)
    if data == "sat":
        train, test = study.read("sat-train", folder), study.read("sat-test", folder)
        return _given(study, data, ((train, test),) * repeats, seed, store)
    table = study.read(data, folder)
    if data == "waveform":
        splits = tuple(_drawn(table, 600, 3000, fold_seed(seed, data, repeat)) for repeat in range(repeats))
        return _given(study, data, splits, seed, store)
    if data == "breast-w":
        table = table.take(~np.isnan(table.numeric).any(axis=0))  # 16 rows lack a cell
    if data == "pima":
        table = table.select([name for name in table.feature_names if name != "insu"])  # Table 2 has 7 features
    return deal(study.name, data, table, FOLDS, repeats, seed, store)


def _generated(data: str, seed: int) -> tuple[Table, Table]:
    name, _, noise = data.partition(" ")
    share = int(noise.split()[0]) / 100 if noise else 0.0
    rng = np.random.default_rng(seed)
    train = artificial.make(name.lower(), noise=share, random_state=rng)
    return train, artificial.make(name.lower(), N_TEST, noise=share, random_state=rng)


def _drawn(table: Table, n_train: int, n_test: int, seed: int) -> tuple[Table, Table]:
    rows = np.random.default_rng(seed).permutation(table.n_rows)
    return table.take(rows[:n_train]), table.take(rows[n_train : n_train + n_test])


def _given(study: Study, data: str, splits: tuple[tuple[Table, Table], ...], seed: int, store: Store) -> GivenSplits:
    first = splits[0][0]
    store.keep_table(study.name, TableFacts.of(first, data), first.digest, 1, seed)
    examples = uniform_examples(first, rng=example_seed(seed, data))
    return GivenSplits(first, np.zeros((0, 0)), examples, f"{first.digest} {seed} {len(splits)}", splits)


def zero_noise_share(tree: Tree) -> float | None:
    """The share of the noise features' weights that are zero, over all tests; None without noise or tests."""
    noise = {i for i, column in enumerate(tree.columns) if column.name.startswith("noise")}
    inner = [node for node in range(tree.n_nodes) if tree.kind[node] != Kind.LEAF]
    if not noise or not inner:
        return None
    used = sum(len(noise.intersection(tree.tested(node))) for node in inner)
    return 1 - used / (len(noise) * len(inner))
