"""Artificial data sets whose borders are known: chessboard, zebra stripes, half-spaces, two oblique planes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from clearwood.table import Column, Table

__all__ = ["NAMES", "chess2", "ls2", "ls5", "ls10", "make", "two_planes", "zebra1", "zebra3"]

TILT = np.pi / 6  # the chessboard's turn; at 45 degrees a single feature would tell nothing, at 0 it would tell all


def chess2(n_rows: int = 1000, *, noise: float = 0.0, random_state: Any = None) -> Table:
    """A chessboard of two by two fields, turned by 30 degrees about the middle of the unit square.

    Parameters
    ----------
    n_rows : int
        How many rows are drawn.
    noise : float
        How many irrelevant features are added, as a share of the features that matter: 0.5 adds half as many, rounded
        up, and 1 as many. They are drawn like the others and say nothing about the class.
    random_state : int, numpy generator or None
        Where the rows come from; an int makes them repeatable.

    Returns
    -------
    Table
        Features ``x1``, ``x2`` and so on, then ``noise1`` and so on, all between 0 and 1; classes ``a`` and ``b``.

    Examples
    --------
    >>> from clearwood import artificial
    >>> table = artificial.chess2(noise=0.5, random_state=0)
    >>> table.n_rows, table.feature_names
    (1000, ('x1', 'x2', 'noise1'))
    """
    return _table("chess2", 2, _on_chessboard, n_rows, noise, random_state)


def zebra1(n_rows: int = 1000, *, noise: float = 0.0, random_state: Any = None) -> Table:
    """Four stripes of equal width across the diagonal of the unit square, of two classes in turn.

    The parameters are those of :func:`chess2`.
    """
    return _table("zebra1", 2, lambda x: _on_stripe(x, 4) % 2, n_rows, noise, random_state)


def zebra3(n_rows: int = 1000, *, noise: float = 0.0, random_state: Any = None) -> Table:
    """Nine stripes of equal width across the diagonal of the unit square, of three classes in turn.

    The parameters are those of :func:`chess2`.
    """
    return _table("zebra3", 2, lambda x: _on_stripe(x, 9) % 3, n_rows, noise, random_state)


def ls2(n_rows: int = 1000, *, noise: float = 0.0, random_state: Any = None) -> Table:
    """Two classes in the unit square on either side of ``x1 = x2``; the parameters are those of :func:`chess2`."""
    return _table("ls2", 2, _beyond_plane, n_rows, noise, random_state)


def ls5(n_rows: int = 1000, *, noise: float = 0.0, random_state: Any = None) -> Table:
    """Two classes in the cube of five dimensions, on either side of a plane through its middle.

    The plane is ``x1 + x2 + x3 = x4 + x5 + 0.5``; the parameters are those of :func:`chess2`.
    """
    return _table("ls5", 5, _beyond_plane, n_rows, noise, random_state)


def ls10(n_rows: int = 1000, *, noise: float = 0.0, random_state: Any = None) -> Table:
    """Two classes in the cube of ten dimensions, on either side of ``x1 + … + x5 = x6 + … + x10``.

    This is the set LS10 of Murthy, Kasif and Salzberg (1994). The parameters are those of :func:`chess2`.
    """
    return _table("ls10", 10, _beyond_plane, n_rows, noise, random_state)


def two_planes(n_rows: int = 1000, *, noise: float = 0.0, random_state: Any = None) -> Table:
    """Two oblique lines that meet in the unit square bound one class; the other lies outside the wedge.

    The class ``a`` is where ``x2 > 0.35 + 0.4 x1`` and ``x2 > 1.25 - 1.1 x1`` both hold. Axis-parallel tests need a
    staircase for either line. The parameters are those of :func:`chess2`.
    """
    return _table("two planes", 2, _outside_wedge, n_rows, noise, random_state)


NAMES: dict[str, Callable[..., Table]] = {
    "chess2": chess2,
    "zebra1": zebra1,
    "zebra3": zebra3,
    "ls2": ls2,
    "ls5": ls5,
    "ls10": ls10,
    "two_planes": two_planes,
}
"""The generators by name."""


def make(name: str, n_rows: int = 1000, *, noise: float = 0.0, random_state: Any = None) -> Table:
    """Rows of the data set with that name; the other parameters are those of :func:`chess2`.

    >>> make("zebra1", 200, random_state=0).n_rows
    200
    """
    if name not in NAMES:
        raise ValueError(f"name must be one of {', '.join(map(repr, NAMES))}, got {name!r}.")
    return NAMES[name](n_rows, noise=noise, random_state=random_state)


def _on_chessboard(x: np.ndarray) -> np.ndarray:
    across, along = x[0] - 0.5, x[1] - 0.5
    side = np.cos(TILT) * across + np.sin(TILT) * along > 0
    above = np.cos(TILT) * along - np.sin(TILT) * across > 0
    return side != above


def _on_stripe(x: np.ndarray, n_stripes: int) -> np.ndarray:
    stripe: np.ndarray = np.minimum((x[0] + x[1]) / 2 * n_stripes, n_stripes - 1).astype(int)
    return stripe


def _beyond_plane(x: np.ndarray) -> np.ndarray:
    half = (len(x) + 1) // 2
    beyond: np.ndarray = (x[:half] - 0.5).sum(axis=0) > (x[half:] - 0.5).sum(axis=0)
    return beyond


def _outside_wedge(x: np.ndarray) -> np.ndarray:
    outside: np.ndarray = (x[1] <= 0.35 + 0.4 * x[0]) | (x[1] <= 1.25 - 1.1 * x[0])
    return outside


def _table(
    name: str, n_features: int, classify: Callable[[np.ndarray], np.ndarray], n_rows: int, noise: float, seed: Any
) -> Table:
    if not (isinstance(n_rows, int | np.integer) and not isinstance(n_rows, bool) and n_rows >= 1):
        raise ValueError(f"n_rows must be a whole number of at least 1, got {n_rows!r}.")
    if not (isinstance(noise, int | float | np.number) and 0 <= noise < np.inf):
        raise ValueError(f"noise must be a number of at least 0, got {noise!r}.")
    n_noise = int(np.ceil(noise * n_features - 1e-9))
    rng = np.random.default_rng(seed)
    x = rng.random((n_features, n_rows))
    irrelevant = rng.random((n_noise, n_rows))  # drawn after, so that noise leaves the rest of the table as it is
    columns = [Column(f"x{i + 1}") for i in range(n_features)] + [Column(f"noise{i + 1}") for i in range(n_noise)]
    y = np.asarray(classify(x)).astype(np.int32)
    target = Column("class", ("a", "b", "c") if name == "zebra3" else ("a", "b"))
    return Table.from_blocks(
        columns, np.concatenate([x, irrelevant]), np.empty((0, n_rows), dtype=np.int32), target=target, y=y, name=name
    )
