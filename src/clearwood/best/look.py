"""Look: what a table shows before anything is grown from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from clearwood.read.identifiers import looks_like_identifier
from clearwood.table import Table

__all__ = ["Gap", "Leak", "Look", "look_at"]

LEAK_ROWS = 4000  # rows by which a column is tried alone
LEAK_ERROR = 0.02  # a column that alone errs no more than that, and …
LEAK_SHARE = 0.2  # … than this part of what the most common class errs, is a leak
GAP_SHARE = 0.25  # of the errors of the most common class, that knowing where cells are missing alone must save


class Leak(NamedTuple):
    """A column that alone tells nearly every class, and the share of held-out rows that it tells right."""

    name: str
    accuracy: float
    is_copy: bool


class Gap(NamedTuple):
    """A column whose missing cells tell the class: the shares of rows told right by them and by the common class."""

    name: str
    accuracy: float
    common: float


@dataclass(frozen=True, eq=False)
class Look:
    """What was seen.

    Attributes
    ----------
    table : Table
        The rows that have a class, with the columns that are to be learned from.
    n_rows, n_lost : int
        All rows of what was given, and those without a class.
    classes, shares
        The classes that occur, the most common first, and what part of the weight each has.
    kinds : str
        How many columns there are of each type.
    missing : float
        The share of missing cells.
    identifiers, empty, constant : tuples of names
        Columns that are left out: they name rows, hold nothing, or hold one value.
    duplicates : tuple of pairs
        Columns that are left out because another holds the same cells, and that other.
    leaks : tuple of Leak
        Columns that alone tell nearly every class.
    gaps : tuple of Gap
        Columns of which it tells the class whether their cells are missing.
    leaks_dropped : bool
        Whether they are left out.
    """

    table: Table
    n_rows: int
    n_lost: int
    classes: tuple[str, ...]
    shares: tuple[float, ...]
    kinds: str
    missing: float
    identifiers: tuple[str, ...]
    empty: tuple[str, ...]
    constant: tuple[str, ...]
    duplicates: tuple[tuple[str, str], ...]
    leaks: tuple[Leak, ...]
    gaps: tuple[Gap, ...]
    leaks_dropped: bool = False


def look_at(table: Table, *, keep: Iterable[str] = (), drop_leaks: bool = False, seed: int = 0) -> Look:
    """Look at a table, and leave out what no tree should learn from.

    Parameters
    ----------
    table : Table
        With its target; rows without a class are left out.
    keep : iterable of names
        Columns that are no identifiers, whatever they look like.
    drop_leaks : bool
        Whether columns that alone tell nearly every class are left out too.
    seed : int
        Deals the rows by which leaks are told.
    """
    kept = frozenset(keep)
    unknown = sorted(kept - set(table.feature_names))
    if unknown:
        raise ValueError(
            f"keep names {unknown[0]!r}, which is no column; they are {', '.join(table.feature_names[:20])}."
        )
    rows = table if len(table.counted) == table.n_rows else table.take(table.counted)
    cells = rows.n_rows * rows.n_features
    gaps = int(np.isnan(rows.numeric).sum() + (rows.nominal < 0).sum())
    empty, constant, named = [], [], []
    for i, column in enumerate(rows.columns):
        found = _distinct(rows, i)
        if found == 0:
            empty.append(column.name)
        elif found == 1 and not _gaps(rows, i):
            constant.append(column.name)
        elif column.name not in kept and looks_like_identifier(column, table.column(i)):
            named.append(column.name)
    out = {*empty, *constant, *named}
    twins = _duplicates(rows, out)
    out |= {name for name, _ in twins}
    weight = np.bincount(rows.y, rows.weights, minlength=len(rows.classes))
    order = [int(c) for c in np.argsort(-weight, kind="stable") if weight[c] > 0]
    used = rows.select([name for name in rows.feature_names if name not in out]) if out else rows
    leaks = tuple(_leaks(used, seed)) if len(order) > 1 else ()
    if drop_leaks and leaks:
        gone = {leak.name for leak in leaks}
        used = used.select([name for name in used.feature_names if name not in gone])
    return Look(
        used,
        table.n_rows,
        table.n_rows - rows.n_rows,
        tuple(rows.classes[c] for c in order),
        tuple(float(weight[c] / weight.sum()) for c in order),
        rows.kinds,
        gaps / cells if cells else 0.0,
        tuple(named),
        tuple(empty),
        tuple(constant),
        tuple(twins),
        leaks,
        tuple(_telling_gaps(used)),
        drop_leaks and bool(leaks),
    )


def _distinct(table: Table, place: int) -> int:
    """0, 1 or 2: no value, one, or more."""
    cells = table.column(place)
    present = cells[cells >= 0] if table.columns[place].is_nominal else cells[~np.isnan(cells)]
    return 0 if not len(present) else 1 + int((present != present[0]).any())


def _gaps(table: Table, place: int) -> bool:
    cells = table.column(place)
    return bool((cells < 0).any() if table.columns[place].is_nominal else np.isnan(cells).any())


def _telling_gaps(table: Table) -> list[Gap]:
    """Columns whose missing cells tell the class, by more than chance, the most telling first."""
    total = float(table.weights.sum())
    common = float(np.bincount(table.y, table.weights).max()) / total
    found = []
    for i, column in enumerate(table.columns):
        cells = table.column(i)
        missing = cells < 0 if column.is_nominal else np.isnan(cells)
        if not missing.any():
            continue
        right = sum(float(np.bincount(table.y[part], table.weights[part], 1).max()) for part in (missing, ~missing))
        saved = right / total - common
        # twice as many rows as chance would save by one of two answers, were cells missing at random
        if saved >= GAP_SHARE * (1 - common) and saved * table.n_rows > 2 * np.sqrt(missing.sum()):
            found.append(Gap(column.name, right / total, common))
    return sorted(found, key=lambda gap: -gap.accuracy)


def _duplicates(table: Table, out: set[str]) -> list[tuple[str, str]]:
    """Columns whose cells are those of an earlier one of the same type."""
    known: dict[tuple[bool, bytes], str] = {}
    twins = []
    for i, column in enumerate(table.columns):
        if column.name in out:
            continue
        cells = np.ascontiguousarray(table.column(i))
        values = () if column.values is None else column.values
        key = (column.is_nominal, _digest(cells, values))
        if key in known:
            twins.append((column.name, known[key]))
        else:
            known[key] = column.name
    return twins


def _digest(cells: np.ndarray, values: tuple[str, ...]) -> bytes:
    import hashlib

    found = hashlib.blake2b(repr(values).encode(), digest_size=16)
    found.update((cells + 0.0 if cells.dtype == np.float64 else cells).tobytes())  # -0.0 is 0.0
    return found.digest()


def _leaks(table: Table, seed: int) -> list[Leak]:
    """Columns by which alone a tree tells nearly every class of rows that it has not seen."""
    from clearwood.evaluate.resampling import fold_numbers

    rng = np.random.default_rng([seed, 17])
    if table.n_rows > LEAK_ROWS:
        table = table.take(np.sort(rng.choice(table.n_rows, LEAK_ROWS, replace=False)))
    if table.n_rows < 4 or len(np.unique(table.y)) < 2:
        return []
    halves = fold_numbers(table.y, 2, rng, warn=False)
    total = table.weights.sum()
    common = float(1 - np.bincount(table.y, table.weights).max() / total)
    most = min(LEAK_ERROR, LEAK_SHARE * common)
    found = []
    for i, column in enumerate(table.columns):
        alone = table.select([i])
        error = _error_alone(alone, halves)
        if error <= most + 1e-12:
            found.append(Leak(column.name, 1 - error, _is_copy(table.column(i), table.y)))
    return sorted(found, key=lambda leak: -leak.accuracy)


def _error_alone(table: Table, halves: np.ndarray) -> float:
    from clearwood.learn.c45 import C45Classifier

    wrong = 0.0
    for half in (0, 1):
        learn, test = table.take(halves != half), table.take(halves == half)
        tree = C45Classifier(min_gap=0)._grow(learn, learn.classes)
        wrong += float(test.weights[tree.predict(test) != test.y].sum())
    return wrong / float(table.weights.sum())


def _is_copy(cells: np.ndarray, y: np.ndarray) -> bool:
    """Whether each value stands for one class and each class for one value."""
    known = ~np.isnan(cells) if cells.dtype == np.float64 else cells >= 0
    if not known.all():
        return False
    values, codes = np.unique(cells, return_inverse=True)
    pairs = np.unique(codes.astype(np.int64) * (int(y.max()) + 1) + y)
    return len(pairs) == len(values) == len(np.unique(y))
