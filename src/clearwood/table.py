"""Table: typed, immutable columns with a nominal target and row weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from clearwood.alignment import align_cells
from clearwood.cached import cached_property
from clearwood.column import Column
from clearwood.table_check import (
    as_block,
    as_codes,
    check_blocks,
    check_cells,
    check_names,
    check_present,
    checked_classes,
    checked_weights,
)

__all__ = ["Column", "Table"]


class Ranks(NamedTuple):
    """What :func:`clearwood.kernels.columns.ranks.rank_columns` returns."""

    n_bins: np.ndarray
    bin_row: np.ndarray
    bins: np.ndarray
    values: np.ndarray
    known: np.ndarray


def _frozen(array: np.ndarray) -> np.ndarray:
    array = array.view()
    array.flags.writeable = False
    return array


class Table:
    """Rows with typed feature columns, a nominal target and a weight for each row.

    Numeric cells are float64 with NaN for missing; nominal cells are int32 codes into the column's
    declared values with -1 for missing. Numeric and nominal columns live in two blocks, one row of
    the block for each column; a kernel takes a block with any strides, so a user's array is used as it lies.

    Parameters
    ----------
    columns : sequence of Column
        The features in the user's order.
    data : sequence of arrays
        One array for each column: numbers, or codes for nominal columns.
    target : Column or None
        The class: a nominal column that declares every class, used or not.
    y : array of int or None
        Class codes, -1 for missing.
    weights : array of float or None
        Row weights, not negative; all 1 when None.
    name : str
        What the table is called in messages and reports.

    Examples
    --------
    >>> table = Table([Column("age"), Column("sex", ("f", "m"))], [[31, 54], [0, 1]],
    ...               target=Column("ill", ("no", "yes")), y=[0, 1])
    >>> table.n_rows, table.feature_names, table.classes
    (2, ('age', 'sex'), ('no', 'yes'))
    """

    def __init__(
        self,
        columns: Sequence[Column],
        data: Sequence[object],
        *,
        target: Column | None = None,
        y: object = None,
        weights: object = None,
        name: str = "",
    ) -> None:
        columns = tuple(columns)
        if len(data) != len(columns):
            raise ValueError(f"data must hold one array for each column, got {len(data)} for {len(columns)} columns.")
        arrays = [np.asarray(cells) for cells in data]
        lengths = {len(cells) for cells in arrays}
        if y is not None:
            lengths.add(len(np.asarray(y)))
        if len(lengths) > 1:
            raise ValueError(f"all columns must have the same number of rows, got {sorted(lengths)}.")
        n_rows = lengths.pop() if lengths else 0
        numeric = np.empty((sum(not c.is_nominal for c in columns), n_rows))
        nominal = np.empty((sum(c.is_nominal for c in columns), n_rows), dtype=np.int32)
        i = j = 0
        for column, cells in zip(columns, arrays, strict=True):
            if column.is_nominal:
                nominal[j] = as_codes(f"column {column.name!r}", cells, column.n_values)
                j += 1
            else:
                numeric[i] = cells
                i += 1
        self._set(columns, numeric, nominal, target, y, weights, name)

    @classmethod
    def from_blocks(
        cls,
        columns: Sequence[Column],
        numeric: np.ndarray,
        nominal: np.ndarray,
        *,
        target: Column | None = None,
        y: object = None,
        weights: object = None,
        name: str = "",
    ) -> Table:
        """A table over blocks that already have their final form; they are not copied."""
        table = cls.__new__(cls)
        table._set(tuple(columns), numeric, nominal, target, y, weights, name)
        return table

    def _set(self, columns, numeric, nominal, target, y, weights, name) -> None:  # type: ignore[no-untyped-def]
        numeric, nominal = as_block("numeric", numeric, np.float64), as_block("nominal", nominal, np.int32)
        check_blocks(columns, numeric, nominal)
        n_rows = numeric.shape[1] if len(numeric) or not len(nominal) else nominal.shape[1]
        self.columns: tuple[Column, ...] = columns
        self.target: Column | None = target
        self.name: str = name
        self.n_rows: int = n_rows
        self.numeric = _frozen(numeric)
        self.nominal = _frozen(nominal)
        check_names((*columns, *([target] if target else [])))
        if np.isinf(numeric).any():
            numbers = (c for c in columns if not c.is_nominal)
            bad = next(c for c, cells in zip(numbers, numeric, strict=True) if np.isinf(cells).any())
            raise ValueError(
                f"column {bad.name!r} holds infinite values; replace them by numbers, or by NaN if they mean missing."
            )
        check_cells(columns, self.numeric, self.nominal)
        self.y = _frozen(checked_classes(target, n_rows, y))
        self.weights = _frozen(checked_weights(n_rows, weights))
        self._parent: tuple[Table, np.ndarray] | None = None

    # -- what is in it --------------------------------------------------------------------------

    def __len__(self) -> int:
        return self.n_rows

    @property
    def n_features(self) -> int:
        return len(self.columns)

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)

    @property
    def classes(self) -> tuple[str, ...]:
        """The declared classes in order, whether or not they occur."""
        return () if self.target is None or self.target.values is None else self.target.values

    @cached_property
    def counted(self) -> np.ndarray:
        """The positions of the rows that count: those that have a class and some weight."""
        return _frozen(np.flatnonzero((self.y >= 0) & (self.weights > 0)))

    @cached_property
    def digest(self) -> str:
        """A short text that differs when any cell, class, weight or declaration of two tables differs."""
        import hashlib

        found = hashlib.blake2b(repr((self.columns, self.target)).encode(), digest_size=12)
        for block in (self.numeric, self.nominal, self.y, self.weights):
            found.update(np.ascontiguousarray(block).tobytes())
        return found.hexdigest()

    @cached_property
    def slots(self) -> np.ndarray:
        """For each column its row in the numeric or the nominal block."""
        slots = np.empty(len(self.columns), dtype=np.int32)
        used = [0, 0]
        for i, column in enumerate(self.columns):
            slots[i] = used[column.is_nominal]
            used[column.is_nominal] += 1
        return _frozen(slots)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {column.name: i for i, column in enumerate(self.columns)}

    def index(self, column: str | int) -> int:
        """The position of a feature given by name or position."""
        if not isinstance(column, str):
            return column
        if column not in self._positions:
            raise KeyError(f"no column {column!r}; the columns are {', '.join(self.feature_names[:20])}.")
        return self._positions[column]

    def column(self, column: str | int) -> np.ndarray:
        """The cells of a feature: float64 with NaN, or int32 codes with -1 (read-only)."""
        i = self.index(column)
        block = self.nominal if self.columns[i].is_nominal else self.numeric
        return block[self.slots[i]]

    def __repr__(self) -> str:
        target = f", target {self.target.name!r} with {len(self.classes)} classes" if self.target else ""
        return f"<Table {self.name!r}: {self.n_rows} rows, {self.n_features} features ({self.kinds}){target}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: what the columns are, and the classes."""
        from clearwood.read.summary import summary_html

        return summary_html(self)

    @property
    def kinds(self) -> str:
        """How many features there are of each type, in words."""
        counts = Counter(column.kind for column in self.columns)
        more = [f"{counts[kind]} {kind}" for kind in ("date", "ordered") if counts[kind]]
        return ", ".join([f"{counts['numeric']} numeric", *more, f"{counts['nominal']} nominal"])

    # -- parts of it ----------------------------------------------------------------------------

    def take(self, rows: object) -> Table:
        """The table of the given rows (positions, or a boolean mask), in that order."""
        chosen = np.asarray(rows)
        if chosen.dtype == bool:
            chosen = np.flatnonzero(chosen)
        elif chosen.size == 0:
            chosen = chosen.astype(np.intp)  # numpy takes an empty list for floats
        elif chosen.min() < 0:
            chosen = np.arange(self.n_rows)[chosen]  # positions from the end, as Python has them
        part = Table.__new__(Table)
        part.__dict__.update(columns=self.columns, target=self.target, name=self.name, n_rows=len(chosen))
        part.numeric = _frozen(np.ascontiguousarray(self.numeric[:, chosen]))
        part.nominal = _frozen(np.ascontiguousarray(self.nominal[:, chosen]))
        part.y = _frozen(self.y[chosen])
        part.weights = _frozen(self.weights[chosen])
        part._parent = (self, chosen)
        return part

    @property
    def whole(self) -> Table:
        """The table that this one was taken from, from part to part; itself if from none."""
        table = self
        while table._parent is not None:
            table = table._parent[0]
        return table

    def select(self, features: Iterable[str | int]) -> Table:
        """The table with only the given features, in the given order."""
        chosen = [self.index(f) for f in features]
        columns = tuple(self.columns[i] for i in chosen)
        numeric = self.numeric[[self.slots[i] for i in chosen if not self.columns[i].is_nominal]]
        nominal = self.nominal[[self.slots[i] for i in chosen if self.columns[i].is_nominal]]
        y = None if self.target is None else self.y
        return Table.from_blocks(
            columns, numeric, nominal, target=self.target, y=y, weights=self.weights, name=self.name
        )

    def align(self, columns: Sequence[Column], needed: Collection[str] | None = None) -> Table:
        """The table with exactly the given columns: found by name, nominal codes translated by value.

        A value that the wanted column does not declare becomes missing; truth values match in any spelling, 0 and 1
        among them. A column that is absent or of the other type raises ValueError; it is missing in every row instead
        if ``needed`` is given and does not name it. Columns already as wanted are not copied.
        """
        columns = tuple(columns)
        if columns == self.columns:
            return self
        place = self._positions
        check_present([c.name for c in columns if needed is None or c.name in needed], place)
        data = []
        for wanted in columns:
            here = place.get(wanted.name)
            cells = np.full(self.n_rows, -1 if wanted.is_nominal else np.nan)
            try:
                if here is not None:
                    cells = align_cells(self.columns[here], self.column(here), wanted)
            except ValueError:
                if needed is None or wanted.name in needed:
                    raise
            data.append(cells)
        if not data:
            return Table.from_blocks((), self.numeric[:0], self.nominal[:0], name=self.name)
        return Table(columns, data, name=self.name)

    def stacked(self, below: Table) -> Table:
        """The rows of this table and, below them, those of another with the same columns.

        The target is this table's; rows of a table without target have no class.

        >>> top = Table([Column("age")], [[31.0]], target=Column("ill", ("no", "yes")), y=[1])
        >>> both = top.stacked(Table([Column("age")], [[54.0]]))
        >>> both.column("age").tolist(), both.y.tolist()
        ([31.0, 54.0], [1, -1])
        """
        if below.columns != self.columns:
            raise ValueError("only tables with the same columns can be stacked; align one to the columns of the other.")
        if below.target not in (None, self.target):
            raise ValueError("only tables with the same target can be stacked; give both one by with_target.")
        return Table.from_blocks(
            self.columns,
            np.concatenate([self.numeric, below.numeric], axis=1),
            np.concatenate([self.nominal, below.nominal], axis=1),
            target=self.target,
            y=None if self.target is None else np.concatenate([self.y, below.y]),
            weights=np.concatenate([self.weights, below.weights]),
            name=self.name,
        )

    def with_weights(self, weights: object) -> Table:
        """The same rows with other weights, None for 1 each; columns and sort order are shared."""
        twin = self._twin()
        twin.weights = _frozen(checked_weights(self.n_rows, weights))
        return twin

    def with_codes(self, nominal: np.ndarray) -> Table:
        """The same rows with other codes in the nominal columns; numeric columns and sort order are shared."""
        twin = self._twin()
        twin.nominal = _frozen(as_block("nominal", nominal, np.int32))
        check_cells(twin.columns, twin.numeric, twin.nominal)
        return twin

    def with_target(self, target: Column | None, y: object = None) -> Table:
        """The same rows with other classes, or without any; columns and sort order are shared."""
        twin = self._twin()
        twin.target = target
        check_names((*self.columns, *([target] if target else [])))
        twin.y = _frozen(checked_classes(target, self.n_rows, y))
        return twin

    def _twin(self) -> Table:
        """A table over the same cells, without what was computed from classes and weights."""
        twin = Table.__new__(Table)
        twin.__dict__.update(self.__dict__)
        for computed in ("digest", "counted"):
            twin.__dict__.pop(computed, None)
        return twin

    def presort(self, n_jobs: int | None = None) -> None:
        """Sort the columns by several threads, unless they are sorted already."""
        if n_jobs in (None, 1) or "sort_order" in self.__dict__:
            return
        if self._parent is None or "sort_order" not in self._parent[0].__dict__:  # else it follows from the whole's
            from clearwood.kernels.columns.order import WORTH_SHARING, sort_columns
            from clearwood.threads import count_threads, if_worth

            n_threads = count_threads(if_worth(n_jobs, self.n_rows, WORTH_SHARING))
            self.__dict__["sort_order"] = _frozen(sort_columns(self.numeric, n_threads))

    @cached_property
    def sort_order(self) -> np.ndarray:
        """For each numeric column its rows by ascending value, missing last: int32, one row per column."""
        from clearwood.kernels.columns.order import filter_order, sort_columns

        if self._parent is not None:
            parent, rows = self._parent
            if "sort_order" in parent.__dict__:
                order = filter_order(parent.sort_order, rows, parent.n_rows)
                if order is not None:
                    return _frozen(order)
        return _frozen(sort_columns(self.numeric))

    @cached_property
    def ranks(self) -> Ranks:
        """Numeric columns with few distinct values as small integers; computed once, like the sort order."""
        from clearwood.kernels.columns.ranks import rank_columns

        return Ranks(*rank_columns(self.numeric, self.sort_order))

    def summary(self) -> str:
        """What each column is, how many cells are missing, and what looks odd; a str that is shown as lines."""
        from clearwood.html import Lines
        from clearwood.read.summary import summarize

        return Lines(summarize(self))
