"""Units: the smallest pieces of a study, and what each of them has shown."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from clearwood.table import Table

__all__ = [
    "Result",
    "TableFacts",
    "Unit",
    "example_seed",
    "fold_seed",
    "pack_codes",
    "plan_units",
    "unit_seed",
    "unpack_codes",
]


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """One learner, fitted to all but one fold of one table and tested on that fold.

    >>> Unit("compare", "iris", "c45", repeat=0, fold=3).key
    ('compare', 'iris', 'c45', 0, 3)
    """

    study: str
    data: str
    learner: str
    repeat: int
    fold: int

    @property
    def key(self) -> tuple[str, str, str, int, int]:
        return (self.study, self.data, self.learner, self.repeat, self.fold)

    def __str__(self) -> str:
        return f"{self.learner} on {self.data}, repeat {self.repeat + 1}, fold {self.fold + 1}"


@dataclass(frozen=True, slots=True)
class Result:
    """What one unit has shown.

    Attributes
    ----------
    unit : Unit
    status : str
        "done"; "failed" if the learner raised an error or its process died; "timeout" if the time limit ended it.
    scores : dict of float
        By name: accuracy, log_loss, nodes …; empty unless done. NaN where a score does not apply.
    params : dict
        The learner's parameters.
    seed : int
        What the learner's ``random_state`` was set to, where it was None.
    versions : dict of str
        The releases that did the work: Python, clearwood, numpy and so on.
    seconds : float
        The wall time of the whole unit.
    error : str or None
        What went wrong: the first line names it, the rest is the traceback.
    finished : str
        When, as ISO 8601 in UTC.
    probe : array of int or None
        The classes predicted for the data set's random examples, as codes: the stability comes from them.
    """

    unit: Unit
    status: str
    scores: dict[str, float] = field(default_factory=dict)
    params: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    versions: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    error: str | None = None
    finished: str = ""
    probe: np.ndarray | None = field(default=None, compare=False)


class TableFacts(NamedTuple):
    """What a report says about a table."""

    name: str
    n_rows: int
    n_features: int
    n_classes: int

    @classmethod
    def of(cls, table: Table, name: str | None = None) -> TableFacts:
        """The facts of a table, under its own name or another one."""
        return cls(table.name if name is None else name, table.n_rows, table.n_features, len(table.classes))


def fold_seed(seed: int, data: str, repeat: int) -> int:
    """The seed of a table's folds: the same for all learners, for any order of work.

    >>> fold_seed(0, "iris", 1) == fold_seed(0, "iris", 1) != fold_seed(0, "iris", 2)
    True
    """
    return _hash("folds", seed, data, repeat)


def example_seed(seed: int, data: str) -> int:
    """The seed of the random examples on which a table's models are compared."""
    return _hash("examples", seed, data)


def unit_seed(seed: int, unit: Unit) -> int:
    """The seed of a unit's learner; below 2^31, as scikit-learn wants it. The study's name plays no part."""
    return _hash("learner", seed, *unit.key[1:])


def _hash(*parts: object) -> int:
    text = "\0".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little") % 2**31


def plan_units(study: str, data: Iterable[str], learners: Sequence[str], cv: int, repeats: int) -> list[Unit]:
    """The units of a study, fold by fold over all tables: so the time left is known well early on.

    >>> [str(unit) for unit in plan_units("s", ["iris", "wine"], ["c45"], cv=2, repeats=1)][:2]
    ['c45 on iris, repeat 1, fold 1', 'c45 on wine, repeat 1, fold 1']
    """
    names = list(data)
    return [
        Unit(study, name, learner, repeat, fold)
        for repeat in range(repeats)
        for fold in range(cv)
        for name in names
        for learner in learners
    ]


def pack_codes(codes: np.ndarray) -> bytes:
    """Class codes as few bytes.

    >>> unpack_codes(pack_codes(np.array([0, 2, 1]))).tolist()
    [0, 2, 1]
    """
    return zlib.compress(np.ascontiguousarray(codes, dtype="<u2").tobytes(), 1)


def unpack_codes(packed: bytes) -> np.ndarray:
    """The class codes that :func:`pack_codes` has packed."""
    return np.frombuffer(zlib.decompress(packed), dtype="<u2")
