"""Simulated: tables whose truth is known, and new rows of the same truth to judge by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clearwood.table import Column, Table

__all__ = ["KINDS", "NOISES", "SIZES", "Simulated", "noise_table", "simulate"]

KINDS = ("steps", "plane", "rings", "mixed", "weak")
SIZES = (60, 150, 400, 1000)
NOISES = (0.0, 0.05, 0.1, 0.2, 0.3)
NEW_ROWS = 20_000


class Simulated(NamedTuple):
    """A kind of truth, the rows to learn from, and the share of classes that are drawn anew."""

    kind: str
    n_rows: int
    noise: float
    seed: int

    @property
    def name(self) -> str:
        return f"{self.kind} {self.n_rows} rows {100 * self.noise:.0f} % noise, {self.seed}"


def all_simulated(n: int, seed: int) -> list[Simulated]:
    """So many tables, all kinds, sizes and noises in turn.

    >>> [one.kind for one in all_simulated(3, 0)]
    ['steps', 'plane', 'rings']
    """
    found = []
    for i in range(n):
        j = i // len(KINDS)
        k = j // len(SIZES)
        found.append(Simulated(KINDS[i % len(KINDS)], SIZES[j % len(SIZES)], NOISES[k % len(NOISES)], seed + i))
    return found


def simulate(what: Simulated) -> tuple[Table, Table]:
    """The rows to learn from and new rows of the same truth: the error on these is the true one, but for 0.3 points."""
    rng = np.random.default_rng([what.seed, 23])
    truth = _Truth(what.kind, rng)
    return truth.draw(what.n_rows, what.noise, rng, what.name), truth.draw(NEW_ROWS, what.noise, rng, what.name)


def noise_table(n_rows: int, seed: int) -> Table:
    """Columns of all types, and a class that has nothing to do with them."""
    rng = np.random.default_rng([seed, 31])
    share = float(rng.uniform(0.5, 0.8))
    columns = [*(Column(f"x{i}") for i in range(8)), Column("colour", ("red", "green", "blue"))]
    cells: list[np.ndarray] = [rng.normal(size=n_rows) for _ in range(8)]
    return Table(
        columns,
        [*cells, rng.integers(3, size=n_rows)],
        target=Column("class", ("a", "b")),
        y=(rng.random(n_rows) > share).astype(int),
        name=f"noise {seed}",
    )


class _Truth:
    """What decides the class of a row."""

    def __init__(self, kind: str, rng: np.random.Generator) -> None:
        self._kind = kind
        self._n_numbers = int(rng.integers(4, 13))
        self._cuts = rng.uniform(-0.6, 0.6, size=4)
        self._weights = rng.normal(size=3)
        self._classes = ("a", "b", "c") if kind == "mixed" else ("a", "b")

    def draw(self, n: int, noise: float, rng: np.random.Generator, name: str) -> Table:
        x = rng.normal(size=(self._n_numbers, n))
        colour, shape = rng.integers(4, size=n), rng.integers(3, size=n)
        y = self._labels(x, colour, rng)
        anew = rng.random(n) < noise
        y = np.where(anew, rng.integers(len(self._classes), size=n), y)
        columns = [Column(f"x{i}") for i in range(self._n_numbers)]
        cells: list[np.ndarray] = list(x)
        if self._kind == "mixed":
            cells[2] = np.where(rng.random(n) < 0.1, np.nan, cells[2])
            columns += [Column("colour", ("red", "green", "blue", "grey")), Column("shape", ("round", "flat", "long"))]
            cells += [colour, shape]
        return Table(columns, cells, target=Column("class", self._classes), y=y, name=name)

    def _labels(self, x: np.ndarray, colour: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        cuts, weights = self._cuts, self._weights
        if self._kind == "steps":
            return np.where(x[0] > cuts[0], x[1] > cuts[1], (x[2] > cuts[2]) & (x[3] > cuts[3])).astype(int)
        if self._kind == "plane":
            return (weights @ x[:3] > 0).astype(int)
        if self._kind == "rings":
            return (x[0] ** 2 + x[1] ** 2 > 1.4).astype(int)
        if self._kind == "mixed":
            return np.where(colour == 0, 2, np.where(x[0] > cuts[0], 0, np.where(x[1] > cuts[1], 1, colour % 3)))
        chance = 1 / (1 + np.exp(-(x[0] + 0.5 * weights[0] * x[1] + 0.3)))
        return (rng.random(x.shape[1]) < chance).astype(int)
