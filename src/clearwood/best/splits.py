"""Scheme: which rows trees are grown from, which test them, and which tests may choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from clearwood.evaluate.resampling import fold_numbers
from clearwood.table import Table

__all__ = ["LARGE", "Outer", "Scheme", "Test", "held_out_scheme", "kept_apart", "make_scheme", "paired_scheme"]

LARGE = 20_000  # rows; of more, a part is held out and no rows are used twice
MOST_HELD_OUT = 50_000


class Test(NamedTuple):
    """Rows that judge the trees of a fit, none of which has seen them."""

    fit: int
    rows: np.ndarray


class Outer(NamedTuple):
    """The whole procedure, repeated: tests by which it chooses, and one that judges the tree that was chosen.

    The chosen tree is that of the fit of ``test``. ``inner`` has the tests of each part of the rows.
    """

    test: int
    inner: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Scheme:
    """Fits, tests, and who may see what.

    Attributes
    ----------
    fits : tuple of arrays of int
        The rows of each fit.
    tests : tuple of Test
    inner : tuple of tuples of int
        For each part of the rows the tests on it by which the tree that is returned, that of fit ``whole``, is chosen.
    whole : int
    outers : tuple of Outer
        The repetitions by which the choice is judged.
    words : str
        How the choice is judged, for the answer.
    resplit : bool
        Whether the returned tree is not the judged one, but one of more rows.
    """

    fits: tuple[np.ndarray, ...]
    tests: tuple[Test, ...]
    inner: tuple[tuple[int, ...], ...]
    whole: int
    outers: tuple[Outer, ...]
    words: str
    resplit: bool = True

    @property
    def judging(self) -> frozenset[int]:
        """The fits whose trees are judged: those that a yardstick must be grown from too."""
        return frozenset(self.tests[outer.test].fit for outer in self.outers)


def make_scheme(
    table: Table, n_folds: int, seed: int, group: np.ndarray | None = None, time: np.ndarray | None = None
) -> Scheme:
    """The scheme for a table: forward in time, by groups, or with the classes in proportion; large ones hold out."""
    rng = np.random.default_rng([seed, 3])
    if table.n_rows > LARGE:
        return held_out_scheme(table.y, rng, group, time)
    if time is not None:
        from clearwood.best.forward import forward_scheme

        return forward_scheme(time, group, rng)
    if group is None:
        return paired_scheme(fold_numbers(table.y, min(n_folds, table.n_rows), rng, warn=False))
    return paired_scheme(_dealt_groups(table.y, group, n_folds, rng), grouped=True)


def _dealt_groups(y: np.ndarray, group: np.ndarray, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Whole groups dealt into folds: large ones first, each where the classes that it brings are fewest."""
    names, member = np.unique(group, return_inverse=True)
    if len(names) < 3:
        raise ValueError(f"group must have at least 3 different values to hold groups apart, got {len(names)}.")
    n_folds = min(n_folds, len(names))
    brought = np.zeros((len(names), int(y.max()) + 1))
    np.add.at(brought, (member, y), 1.0)
    scale = np.maximum(brought.sum(axis=0), 1.0)
    held = np.zeros((n_folds, brought.shape[1]))
    fold_of = np.empty(len(names), dtype=np.int64)
    shuffled = rng.permutation(len(names))
    for one in shuffled[np.argsort(-brought[shuffled].sum(axis=1), kind="stable")]:
        after = ((held + brought[one]) / scale).sum(axis=1)
        fold_of[one] = int(np.argmin(after))
        held[fold_of[one]] += brought[one]
    folds: np.ndarray = np.unique(fold_of[member], return_inverse=True)[1]
    return folds


def paired_scheme(folds: np.ndarray, grouped: bool = False) -> Scheme:
    """Nested cross-validation that grows each tree once.

    Trees that have seen neither fold ``j`` nor fold ``k`` choose for ``k`` when ``j`` tests them, and for ``j`` when
    ``k`` does. Trees that have not seen fold ``k`` are tested there: they are what was chosen for ``k``. All of these
    tests choose the tree of all rows: n trees judge each row, so that chance in growing them counts less. So n folds
    take n (n + 1) / 2 + 1 fits instead of n² + n + 1.

    >>> scheme = paired_scheme(np.array([0, 1, 2, 0, 1, 2]))
    >>> len(scheme.fits), len(scheme.outers), [scheme.tests[i].rows.tolist() for i, in scheme.outers[0].inner]
    (7, 3, [[1, 4], [2, 5]])
    """
    n = int(folds.max()) + 1
    rows = [np.flatnonzero(folds == k) for k in range(n)]
    fits = [np.arange(len(folds)), *(np.flatnonzero(folds != k) for k in range(n))]
    tests = [Test(k + 1, rows[k]) for k in range(n)]
    of_pair: dict[tuple[int, int], int] = {}  # chosen for the first, tested by the second
    for k in range(n):
        for j in range(k + 1, n):
            fits.append(np.flatnonzero((folds != k) & (folds != j)))
            of_pair[k, j], of_pair[j, k] = len(tests), len(tests) + 1
            tests += [Test(len(fits) - 1, rows[j]), Test(len(fits) - 1, rows[k])]
    outers = tuple(Outer(k, tuple((of_pair[k, j],) for j in range(n) if j != k)) for k in range(n))
    inner = tuple((k, *(of_pair[j, k] for j in range(n) if j != k)) for k in range(n))
    words = f"{n}-fold cross-validation{', rows of a group kept together' if grouped else ''}"
    return Scheme(tuple(fits), tuple(tests), inner, 0, outers, words)


def kept_apart(
    before: np.ndarray, here: np.ndarray, group: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Of earlier and later rows those that share no group: what trees may learn from, and what may test them.

    Earlier rows of a tested group are left out. Where that would be most of them, since groups go on through time, a
    random half of the groups is tested.

    >>> before, here = np.array([1, 1, 1, 1, 0, 0], dtype=bool), np.array([0, 0, 0, 0, 1, 1], dtype=bool)
    >>> learned, tested = kept_apart(before, here, np.array([0, 1, 2, 3, 3, 4]), np.random.default_rng(0))
    >>> np.flatnonzero(learned).tolist(), np.flatnonzero(tested).tolist()
    ([0, 1, 2], [4, 5])
    """
    names = np.unique(group[here])
    held = np.isin(group, names)
    if 2 * np.count_nonzero(before & held) > np.count_nonzero(before):
        held = np.isin(group, rng.permutation(names)[: (len(names) + 1) // 2])
    return before & ~held, here & held


def held_out_scheme(
    y: np.ndarray, rng: np.random.Generator, group: np.ndarray | None = None, time: np.ndarray | None = None
) -> Scheme:
    """One part to grow trees from, one to choose by, one to judge: the judged tree is the one that is returned."""
    n = len(y)
    held = min(n // 5, MOST_HELD_OUT)
    if time is not None:
        order = np.argsort(time, kind="stable")
        first = time[order[[n - 2 * held, n - held]]]  # rows of one moment stay together
        part = np.where(time >= first[1], 2, np.where(time >= first[0], 1, 0))
        if group is not None:
            for later in (2, 1):  # what was seen before of a group that judges or chooses is left out
                before, tested = kept_apart((part >= 0) & (part < later), part == later, group, rng)
                part = np.where(tested, later, np.where(before | (part > later), part, -1))
    elif group is not None:
        names, member = np.unique(group, return_inverse=True)
        size = np.bincount(member)
        order = rng.permutation(len(names))
        before = np.cumsum(size[order]) - size[order]
        part_of = np.empty(len(names), dtype=np.int64)
        part_of[order] = np.where(before < held, 2, np.where(before < 2 * held, 1, 0))
        part = part_of[member]
    else:
        n_parts = max(3, round(n / held))
        folds = fold_numbers(y, n_parts, rng, warn=False)
        part = np.where(folds == 0, 2, np.where(folds == 1, 1, 0))
    if any(not (part == p).any() for p in (0, 1, 2)):
        raise ValueError(
            "the rows cannot be held out: group or time must have at least 3 parts, and together leave rows for each."
        )
    rows = [np.flatnonzero(part == p) for p in (0, 1, 2)]
    tests = (Test(0, rows[1]), Test(0, rows[2]))
    words = f"{len(rows[2]):,} rows that were held out: nothing was grown from them or chosen by them"
    return Scheme((rows[0],), tests, ((0,),), 0, (Outer(1, ((0,),)),), words, resplit=False)
