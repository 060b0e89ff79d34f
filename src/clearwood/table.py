"""Table: typed, immutable columns with a nominal target and row weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from clearwood.alignment import align_cells

__all__ = ["Column", "Table"]


@dataclass(frozen=True, slots=True, repr=False)
class Column:
    """The name and type of a column: numbers, moments, ordered levels, or nominal with its declared values in order.

    Moments (``is_date``) are milliseconds since 1970 in UTC; ``levels`` are counted from 0 upwards. Both are tested by
    thresholds as numbers are, and read aloud as what they stand for.

    >>> Column("age").is_nominal, Column("windy", ("false", "true")).is_nominal
    (False, True)
    >>> Column("born", is_date=True), Column("size", levels=("S", "M", "L")).kind
    (Column(name='born', values=None, is_date=True), 'ordered')
    """

    name: str
    values: tuple[str, ...] | None = None
    is_date: bool = False
    levels: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if (self.values is not None) + self.is_date + (self.levels is not None) > 1:
            raise ValueError(f"column {self.name!r} must have one type: values, is_date or levels.")

    def __repr__(self) -> str:
        more = (", is_date=True" if self.is_date else "") + ("" if self.levels is None else f", levels={self.levels!r}")
        return f"Column(name={self.name!r}, values={self.values!r}{more})"

    @property
    def is_nominal(self) -> bool:
        return self.values is not None

    @property
    def kind(self) -> str:
        """ "numeric", "date", "ordered" or "nominal"."""
        if self.values is not None:
            return "nominal"
        return "date" if self.is_date else "numeric" if self.levels is None else "ordered"

    @property
    def declared(self) -> tuple[str, ...] | None:
        """The values or levels that the column declares; None for numbers and moments."""
        return self.levels if self.values is None else self.values

    @property
    def n_values(self) -> int:
        """How many values a nominal column declares; 0 for any other."""
        return 0 if self.values is None else len(self.values)


class Ranks(NamedTuple):
    """What :func:`clearwood.kernels.columns.ranks.rank_columns` returns."""

    n_bins: np.ndarray
    bin_row: np.ndarray
    bins: np.ndarray
    values: np.ndarray
    known: np.ndarray


LEAST_TOTAL, LARGEST_TOTAL = 1e-100, 1e100
"""What the weights of a table may add up to: squares of sums still are numbers."""


def _block(what: str, block: object, dtype: type) -> np.ndarray:
    """A block of cells as the kernels read it; one that has that form already is not copied."""
    array = np.asarray(block)
    if array.ndim != 2:
        raise ValueError(f"the {what} block must have two dimensions, columns and rows, got {array.ndim}.")
    if array.dtype == dtype:
        return array
    if dtype is np.int32:
        _codes("the nominal block", array, np.iinfo(np.int32).max)
    return array.astype(dtype)


def _codes(what: str, cells: object, n_values: int) -> np.ndarray:
    """Codes as 32-bit numbers, looked at before they are cut to that: each is -1 or stands for a value."""
    given = np.asarray(cells)
    if given.dtype.kind not in "iub":
        whole = np.asarray(given, dtype=np.float64)
        if not (whole == np.floor(whole)).all():  # NaN is not
            raise ValueError(f"{what} must hold whole numbers as codes, -1 for missing.")
        given = whole
    if given.size and (given.min() < -1 or given.max() >= n_values):
        raise ValueError(f"{what} holds codes outside -1 .. {n_values - 1}.")
    return np.ascontiguousarray(given, dtype=np.int32)


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
                nominal[j] = _codes(f"column {column.name!r}", cells, column.n_values)
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
        numeric, nominal = _block("numeric", numeric, np.float64), _block("nominal", nominal, np.int32)
        self._check_blocks(columns, numeric, nominal)
        n_rows = numeric.shape[1] if len(numeric) or not len(nominal) else nominal.shape[1]
        self.columns: tuple[Column, ...] = columns
        self.target: Column | None = target
        self.name: str = name
        self.n_rows: int = n_rows
        self.numeric = _frozen(numeric)
        self.nominal = _frozen(nominal)
        self._check_columns()
        if np.isinf(numeric).any():
            bad = next(c for c, cells in zip(self._of_kind(False), numeric, strict=True) if np.isinf(cells).any())
            raise ValueError(
                f"column {bad.name!r} holds infinite values; replace them by numbers, or by NaN if they mean missing."
            )
        self._check_codes()
        self.y = _frozen(self._check_y(y))
        self.weights = _frozen(self._check_weights(weights))
        self._parent: tuple[Table, np.ndarray] | None = None

    @staticmethod
    def _check_blocks(columns: tuple[Column, ...], numeric: np.ndarray, nominal: np.ndarray) -> None:
        """Refuse blocks that do not fit the columns or each other: kernels read them without a further look."""
        n_nominal = sum(column.is_nominal for column in columns)
        for what, block, wanted in (("numeric", numeric, len(columns) - n_nominal), ("nominal", nominal, n_nominal)):
            if len(block) != wanted:
                raise ValueError(f"the {what} block must have {wanted} rows, one for each column, got {len(block)}.")
        if len(numeric) and len(nominal) and numeric.shape[1] != nominal.shape[1]:
            raise ValueError(
                "both blocks must have the same number of rows of the table, "
                f"got {numeric.shape[1]} numeric and {nominal.shape[1]} nominal."
            )

    def _check_columns(self) -> None:
        names = [c.name for c in self.columns]
        if self.target is not None:
            names.append(self.target.name)
        for column in (*self.columns, *([self.target] if self.target else [])):
            declared = column.declared or ()
            if len(set(declared)) != len(declared):
                twice = sorted({v for v in declared if declared.count(v) > 1})
                raise ValueError(
                    f"column {column.name!r} declares {', '.join(map(repr, twice[:5]))} twice; values must differ."
                )
        if len(set(names)) != len(names):
            twice = sorted({n for n in names if names.count(n) > 1})
            raise ValueError(f"column names must differ, but {', '.join(map(repr, twice))} occurs more than once.")

    def _check_codes(self) -> None:
        for column, cells in zip(self._of_kind(False), self.numeric, strict=True):
            # rows that are drawn by chance may lie between two levels
            if column.levels is not None and np.any((cells < 0) | (cells > len(column.levels) - 1)):
                raise ValueError(f"column {column.name!r} holds levels outside 0 .. {len(column.levels) - 1}.")
        for column, codes in zip(self._of_kind(True), self.nominal, strict=True):
            _codes(f"column {column.name!r}", codes, column.n_values)

    def _check_y(self, y: object) -> np.ndarray:
        if y is None:
            return np.full(self.n_rows, -1, dtype=np.int32)
        if self.target is None or self.target.values is None:
            raise ValueError("class codes need a nominal target column; pass target=Column(name, values).")
        codes = _codes("y", y, len(self.target.values))
        if codes.shape != (self.n_rows,):
            raise ValueError(f"y must hold one class for each of the {self.n_rows} rows, got shape {codes.shape}.")
        return codes

    def _check_weights(self, weights: object) -> np.ndarray:
        if weights is None:
            return np.ones(self.n_rows)
        array = np.ascontiguousarray(weights, dtype=np.float64)
        if array.shape != (self.n_rows,):
            raise ValueError(f"weights must hold one number for each of {self.n_rows} rows, got shape {array.shape}.")
        if not np.isfinite(array).all() or (array < 0).any():
            row = int(np.flatnonzero(~(np.isfinite(array) & (array >= 0)))[0])
            raise ValueError(f"weights must be finite and not negative, got {array[row]} in row {row}.")
        with np.errstate(over="ignore"):
            total = float(array.sum())
        if total > 0 and not LEAST_TOTAL <= total <= LARGEST_TOTAL:  # beyond that sums and products have no bits left
            raise ValueError(
                f"weights must add up to between {LEAST_TOTAL:g} and {LARGEST_TOTAL:g}, got {total:g}; "
                "multiply all of them by one number, such as the one that makes their mean 1."
            )
        return array

    def _of_kind(self, nominal: bool) -> list[Column]:
        return [c for c in self.columns if c.is_nominal == nominal]

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
        absent = [c.name for c in columns if c.name not in place and (needed is None or c.name in needed)]
        if absent:
            raise ValueError(
                f"the table lacks {len(absent)} of the tree's columns: {', '.join(map(repr, absent[:5]))}; "
                f"it has {', '.join(map(repr, self.feature_names[:8]))}."
            )
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
        twin.weights = _frozen(self._check_weights(weights))
        return twin

    def with_codes(self, nominal: np.ndarray) -> Table:
        """The same rows with other codes in the nominal columns; numeric columns and sort order are shared."""
        twin = self._twin()
        twin.nominal = _frozen(_block("nominal", nominal, np.int32))
        twin._check_codes()
        return twin

    def with_target(self, target: Column | None, y: object = None) -> Table:
        """The same rows with other classes, or without any; columns and sort order are shared."""
        twin = self._twin()
        twin.target = target
        twin._check_columns()
        twin.y = _frozen(twin._check_y(y))
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
        if n_jobs not in (None, 1) and self._parent is None and "sort_order" not in self.__dict__:
            from joblib import effective_n_jobs

            from clearwood.kernels.columns.order import sort_columns

            self.__dict__["sort_order"] = _frozen(sort_columns(self.numeric, effective_n_jobs(n_jobs)))

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
