"""Scan: a table that stays in its file or engine, and is read by counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from clearwood.column import Column
from clearwood.scan.columns import Cells
from clearwood.scan.engines.engine import Engine
from clearwood.scan.parts import ALL, Part, check_share, split_rows
from clearwood.table import Table

__all__ = ["Scan"]


@dataclass(frozen=True, slots=True, repr=False)
class Scan:
    """A table that stays where it is: its columns with their types and values, its target, and how it is reached.

    Made by :func:`clearwood.scan`. Learners that need only counts accept it in the place of a
    :class:`~clearwood.Table`; for the others :meth:`sample` gives one.

    Attributes
    ----------
    source : str
        Where it lies, for people; no password is in it.
    columns : tuple of Column
        The features.
    target : Column
        The class column.
    n_rows : int
        How many rows there were when it was looked at.
    weighted : bool
        Whether a column holds the rows' weights.
    in_memory : int
        Nodes of at most so many rows are fetched and finished in memory.
    part : Part or None
        Which rows it is about, where :meth:`split` has dealt them.
    progress, checkpoint
        What is told while a tree grows, and the file from which it goes on.
    """

    source: str
    columns: tuple[Column, ...]
    target: Column
    n_rows: int
    weighted: bool
    in_memory: int
    _open: Callable[[], Engine] = field(compare=False)
    _cells: tuple[Cells, ...] = field(compare=False)
    _class: Cells = field(compare=False)
    _weight: str = field(compare=False)
    _key: str = field(default="", compare=False)
    part: Part | None = None
    progress: Any = field(default=None, compare=False)
    checkpoint: str | PathLike[str] | None = field(default=None, compare=False)

    @property
    def n_features(self) -> int:
        return len(self.columns)

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def classes(self) -> tuple[str, ...]:
        """The declared classes in order."""
        return self.target.values or ()

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        nominal = sum(column.is_nominal for column in self.columns)
        return (
            f"<Scan {self.source!r}: {self.n_rows} rows, {self.n_features} features ({self.n_features - nominal} "
            f"numeric, {nominal} nominal), target {self.target.name!r} with {len(self.classes)} classes>"
        )

    def open(self) -> Engine:
        """A connection of its own; close it, or use it in a ``with``."""
        return self._open()

    def sample(self, n: int, random_state: Any = None) -> Table:
        """Random rows as a Table, which every learner accepts.

        Parameters
        ----------
        n : int
            How many; all of them where there are no more.
        random_state : int, numpy generator or None
            The same seed draws the same rows, as long as the source keeps its order.

        Returns
        -------
        Table
            The rows in the order of the source, those without a class too.
        """
        from clearwood.scan.sampling import sample_rows

        return sample_rows(self, n, random_state)

    def split(self, share: float, random_state: int = 0) -> tuple[Scan, Scan]:
        """Two scans of the same table: one without a share of the rows, and one of that share.

        A row is dealt by a hash of the key that ``clearwood.scan`` was told, else of all its features and its class: so
        it is always in the same part, and equal rows are in the same one. The hash is the engine's own.

        Parameters
        ----------
        share : float
            How much the second one gets, between 0 and 1.
        random_state : int
            Another number deals other rows. Parts that are split again keep theirs.

        Returns
        -------
        tuple of two Scans

        Examples
        --------
        >>> import clearwood as cw, duckdb, tempfile
        >>> file = tempfile.mkdtemp() + "/golf.parquet"
        >>> rows = "SELECT i AS id, i % 7 AS wind, i % 7 > 3 AS play FROM range(1000) AS t(i)"
        >>> duckdb.sql(rows).write_parquet(file)
        >>> rest, held_out = cw.scan(file, key="id").split(0.2)
        >>> rest.n_rows + held_out.n_rows, 150 < held_out.n_rows < 250
        (1000, True)
        """
        if isinstance(random_state, bool) or not isinstance(random_state, int):
            raise ValueError(f"random_state must be a whole number, got {random_state!r}.")
        with self.open() as engine:
            return split_rows(self, engine, check_share("share", share), random_state)

    def cells(self, engine: Engine, features: Sequence[int] | None = None, *, numbered: bool = False) -> str:
        """A relation with the features' numbers and codes as c0, c1 …, the class's code as y and the weight as w.

        If ``numbered``, also with the row's place in the source, from 0.
        """
        chosen = range(self.n_features) if features is None else features
        items = [f"{self._cells[place].sql(engine)} AS c{place}" for place in chosen]
        items += [f"{self._class.sql(engine)} AS y", f"{self._weight} AS w"]
        if numbered:
            items.append(f"{engine.row_number} - 1 AS place")
        return f"(SELECT {', '.join(items)} FROM {engine.relation}{self._where(engine)}) AS cells"

    def _where(self, engine: Engine) -> str:
        if self.part is None:
            return ""
        low, high, seed = self.part
        dealt = [self._key] if self._key else [c.field.text or c.field.number for c in (*self._cells, self._class)]
        number = engine.scattered([str(seed), *dealt])
        limits = [f"{number} >= {low}"] * (low > 0) + [f"{number} < {high}"] * (high < ALL)
        return f" WHERE {' AND '.join(limits)}" if limits else ""
