"""Small tables for comparing a kernel with its plain twin: ties, tiny gaps, missing cells, odd classes and weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from hypothesis import strategies as st

from clearwood.table import Column, Table

NAN = math.nan


class Choices(Protocol):
    """Where a table's cells come from: a random generator, or hypothesis, which can shrink them."""

    def pick(self, options: Sequence[Any]) -> Any: ...
    def integer(self, low: int, high: int) -> int: ...


class _Random:
    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def pick(self, options: Sequence[Any]) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def integer(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high + 1))


class _Drawn:
    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw

    def pick(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def integer(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))


def random_small_table(rng: np.random.Generator, **limits: Any) -> Table:
    """A random small table; see :func:`small_tables` for the limits."""
    return _build(_Random(rng), **limits)


@st.composite
def small_tables(draw: Callable[[st.SearchStrategy[Any]], Any], **limits: Any) -> Table:
    """Small tables, which shrink to few rows, one numeric column and plain numbers.

    Limits, all by name: ``max_rows=40``, ``max_columns=4``, ``missing=True`` (missing cells), ``missing_class=True``
    (rows without a class), ``weighted=True`` (weights other than 1), ``kinds`` (names of columns, see NUMERIC and
    NOMINAL), ``max_classes=4``. With C4.5's defaults about one table in sixty has a subtree raised; with
    ``max_rows=120`` twice as many.
    """
    return _build(_Drawn(draw), **limits)


# The middle of two neighbouring floats is rounded to one of them: to the lower here, to the upper there.
NEIGHBOURS = [1.0, math.nextafter(1.0, 2.0), 1.0 + 2**-51, 1.5, math.nextafter(1.5, 2.0)]
# One cell of a column of each kind: given the choices, a number.
NUMERIC: dict[str, Callable[[Choices], float]] = {
    "few values": lambda choose: float(choose.integer(0, 4)),
    "many values": lambda choose: choose.integer(-50, 50) / 10,
    "constant": lambda choose: 7.0,
    "gaps near 1e-5": lambda choose: choose.integer(0, 9) * choose.pick([4e-6, 1e-5, 1.1e-5]),
    "tiny unit": lambda choose: choose.integer(0, 20) * 1e-7,
    "neighbouring floats": lambda choose: choose.pick(NEIGHBOURS),
    "large and small": lambda choose: choose.pick([-1e15, -1.0, -0.0, 0.0, 1e-300, 2.0, 1e15]),
    "all missing": lambda choose: NAN,
}
# Number of values that a nominal column of each kind declares; not all need occur.
NOMINAL: dict[str, Callable[[Choices, int], int]] = {
    "two": lambda choose, n_rows: 2,
    "several": lambda choose, n_rows: choose.integer(3, 6),
    "one": lambda choose, n_rows: 1,
    "wide": lambda choose, n_rows: math.ceil(0.3 * n_rows) + choose.integer(0, 12),  # C4.5's many-valued rule
}

USUAL = ("few values", "many values", "two", "several")  # columns that a tree can split on, picked more often


def _build(
    choose: Choices,
    *,
    max_rows: int = 40,
    max_columns: int = 4,
    missing: bool = True,
    missing_class: bool = True,
    weighted: bool = True,
    kinds: Sequence[str] = (*NUMERIC, *NOMINAL),
    max_classes: int = 4,
) -> Table:
    n_rows = choose.integer(choose.pick([1, max_rows // 2 + 1]), max_rows)
    usual = [kind for kind in kinds if kind in USUAL]
    kinds = [*usual, *usual, *(kind for kind in kinds if missing or kind != "all missing")]
    columns, data = [], []
    for i in range(choose.integer(1, max_columns)):
        column, cells = _column(choose, f"x{i}", choose.pick(kinds), n_rows, missing)
        columns.append(column)
        data.append(cells)
    n_classes = min(max_classes, choose.pick([2, 3, 2, 3, *range(4, max_classes + 1), 2, 3, 2, 3, 1]))
    return Table(
        columns,
        data,
        target=Column("class", tuple(f"c{code}" for code in range(n_classes))),
        y=_classes(choose, n_classes, columns, data, missing_class),
        weights=_weights(choose, n_rows) if weighted else None,
        name="small",
    )


def _column(choose: Choices, name: str, kind: str, n_rows: int, missing: bool) -> tuple[Column, list[float]]:
    gaps = choose.pick([0, 0, 1, 5]) if missing else 0  # tenths of the cells
    if kind in NUMERIC:
        column, absent = Column(name), NAN
        cells = [NUMERIC[kind](choose) for _ in range(n_rows)]
    else:
        n_values = NOMINAL[kind](choose, n_rows)
        used = n_values if kind == "wide" else choose.integer(1, n_values)
        column, absent = Column(name, tuple(f"v{code}" for code in range(n_values))), -1
        cells = [choose.integer(0, used - 1) for _ in range(n_rows)]
    if gaps:
        cells = [absent if choose.integer(0, 9) < gaps else cell for cell in cells]
    return column, cells


def _classes(
    choose: Choices, n_classes: int, columns: list[Column], data: list[list[float]], missing_class: bool
) -> list[int]:
    """Classes that partly follow the columns, so that trees have several levels; perhaps some unused or missing."""
    used = n_classes if n_classes < 2 else choose.pick([*[n_classes] * 8, max(2, n_classes - 1), 1])
    noise = choose.pick([1, 3, 0, 10])  # tenths of the rows
    gaps = choose.pick([0, 0, 0, 2]) if missing_class else 0
    steps = [0 if column.is_nominal else _middle(cells) for column, cells in zip(columns, data, strict=True)]
    codes = []
    for cells in zip(*data, strict=True):
        if noise and choose.integer(0, 9) < noise:
            code = choose.integer(0, used - 1)
        else:
            above = (i for i, (cell, step) in enumerate(zip(cells, steps, strict=True)) if cell > step)
            code = next(above, len(cells)) % used  # a list of rules: each column in turn claims its rows
        if gaps and choose.integer(0, 9) < gaps:
            code = -1
        codes.append(code)
    return codes


def _middle(cells: list[float]) -> float:
    known = sorted(cell for cell in cells if not math.isnan(cell))
    return known[len(known) // 2] if known else 0.0


def _weights(choose: Choices, n_rows: int) -> list[float] | None:
    options = choose.pick([None, [1.0, 2.0, 3.0], [0.1, 0.5, 1.0, 1.5], [0.0, 1.0], [0.0, 0.3, 2.5]])
    return None if options is None else [choose.pick(options) for _ in range(n_rows)]


def random_c45_params(rng: np.random.Generator) -> dict[str, Any]:
    """Random parameters of ``C45Classifier`` that go together."""
    return _c45_params(_Random(rng))


@st.composite
def c45_params(draw: Callable[[st.SearchStrategy[Any]], Any]) -> dict[str, Any]:
    """Parameters of ``C45Classifier`` that go together, which shrink to the defaults."""
    return _c45_params(_Drawn(draw))


def _c45_params(choose: Choices) -> dict[str, Any]:
    params = {
        "criterion": choose.pick(["gain_ratio", "gain_ratio", "gain", "gini", "twoing"]),
        "confidence": choose.pick([0.25, 0.05, 0.45, 0.5, 0.75]),
        "min_leaf": choose.pick([2, 1, 3]),
        "prune": choose.pick([True, True, True, False]),
        "collapse": choose.pick([True, False]),
        "raise_subtrees": choose.pick([True, True, True, False]),
        "binary_splits": choose.pick([False, True]),
        "mdl_correction": choose.pick([True, False]),
        "laplace": choose.pick([False, True]),
        "error_estimate": choose.pick(["j48", "c4.5"]),
        "max_depth": choose.pick([None, None, None, None, 1, 2]),
        "min_gap": choose.pick([1e-5, 0.0]),
    }
    if params["criterion"] == "twoing":
        params["binary_splits"] = True  # twoing knows two branches only
    return params


def mixed_table(n: int = 150) -> Table:
    """A number with gaps and a value that together tell the class, and a number that does not."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=n), rng.integers(5, size=n)
    a[::10] = np.nan
    columns = [Column("a"), Column("b", tuple("pqrst")), Column("c")]
    y = (np.nan_to_num(a) > 0) ^ (b > 1)
    return Table(columns, [a, b, rng.random(n)], target=Column("y", ("no", "yes")), y=y)
