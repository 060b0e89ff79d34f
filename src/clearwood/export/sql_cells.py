"""Cells: a tested column or plane in SQL, its conditions and the number of the interval or value group of a row."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from clearwood.conditions import Condition, Kind, Plane
from clearwood.export.directions import takes_missing
from clearwood.export.sql_dialects import Dialect
from clearwood.export.sql_paths import Subject
from clearwood.export.sql_sums import weighted_sum
from clearwood.export.sql_values import Values
from clearwood.export.sql_words import PARTS, case, joined

if TYPE_CHECKING:
    from clearwood.table import Column
    from clearwood.tree import Tree

__all__ = ["Cells", "ListedCells", "NominalCells", "NumericCells", "cells_of"]

MISSING = 0  # the cell of a row without a value; the others count from 1


class NumericCells:
    """Numbers, dates, levels or a hyper-plane: cell i + 1 lies between thresholds i - 1 and i, the upper included.

    The ``columns`` are those of the ``plane``, if there is one; its terms are added in their order, as the tree itself
    does. Dates are compared as timestamps; in a sum they are milliseconds, and levels count from 0.
    """

    def __init__(
        self,
        thresholds: Iterable[float],
        dialect: Dialect,
        columns: Sequence[Column],
        names: Sequence[str],
        plane: Plane | None = None,
    ) -> None:
        self.thresholds = sorted(set(thresholds))
        self.n_cells = len(self.thresholds) + 1
        self._dialect = dialect
        self._plain = [name for column, name in zip(columns, names, strict=True) if column.kind == "numeric"]
        self._can_lack = plane is None or bool(plane.numbers)
        parts = [
            _number(column, name, dialect) if code < 0 else Values(column, name, dialect).among([code])
            for column, name, code in zip(columns, names, (-1,) if plane is None else plane.codes, strict=True)
        ]
        self._literal = dialect.number
        if plane is not None:
            self._value = weighted_sum(plane, parts, dialect)
        elif columns[0].is_date:
            self._value, self._literal = dialect.moment.format(cell=names[0]), dialect.moment_literal
        else:
            self._value = parts[0]

    @property
    def odd(self) -> list[str]:
        """Each equal to the dialect's mark where a cell is neither NULL nor simply a number."""
        return self._filled(self._dialect.not_a_number[1])

    def conditions(self, demand: Condition) -> list[str]:
        """What ``lower < x <= upper`` is in SQL, for rows whose cells are NULL or simply numbers."""
        if takes_missing(demand):
            return [self._or_missing(demand, f"{self._value} IS NULL")]
        return self._limits(demand)

    def full_conditions(self, demand: Condition) -> list[str]:
        """The same for any row: a cell that holds no number is missing."""
        if takes_missing(demand):
            return [self._or_missing(demand, f"{self._value} IS NULL OR NOT ({self._is_number()})")]
        if self._dialect.bounded_is_number and demand.upper < math.inf:
            return self._limits(demand)
        if not self._can_lack:
            return self._limits(demand)
        return [*self._limits(demand), self._is_number()]

    def _limits(self, demand: Condition) -> list[str]:
        low, high = demand.lower, demand.upper
        above = [f"{self._value} > {self._literal(low)}"] if low > -math.inf else []
        return above + ([f"{self._value} <= {self._literal(high)}"] if high < math.inf else [])

    def _or_missing(self, demand: Condition, missing: str) -> str:
        known = "" if demand.is_empty else joined(self._limits(demand), "AND") + " OR "
        return f"({known}{missing})"

    def cell(self, write: Callable[[int], str]) -> str:
        """The row's cell, in the form that ``write`` gives it."""
        limits = [(f"{self._value} <= {self._literal(cut)}", i) for i, cut in enumerate(self.thresholds)]
        lacking = [(f"NOT ({self._is_number()})", write(MISSING))] if self._can_lack else []
        return case(
            [
                *lacking,
                *_nested(limits, write),
                (f"{self._value} > {self._literal(self.thresholds[-1])}", write(self.n_cells)),
            ],
            write(MISSING),
        )

    def _is_number(self) -> str:
        return joined(self._filled(self._dialect.is_number) or [f"{self._value} IS NOT NULL"], "AND")

    def _filled(self, template: str) -> list[str]:
        """A template for each column of numbers, once where it speaks of their sum only; others cannot be odd."""
        return list(dict.fromkeys(template.format(cell=name, number=self._value) for name in self._plain))

    def runs(self, demand: Condition) -> list[tuple[int, int]]:
        """The cells, as first and last of each run, whose rows meet the demand."""
        low, high = demand.lower, demand.upper
        first = bisect.bisect_left(self.thresholds, low) + 2 if low > -math.inf else 1
        last = bisect.bisect_left(self.thresholds, high) + 1 if high < math.inf else self.n_cells
        return [(first, last)]


def _number(column: Column, name: str, dialect: Dialect) -> str:
    """A column as a double: moments in milliseconds, levels by their place; NULL for a text that is no level."""
    if column.is_date:
        return dialect.milliseconds.format(cell=name)
    if column.levels is None:
        return f"CAST({name} AS {dialect.number_type})"
    text = f"CAST({name} AS {dialect.text_type}){dialect.collation}"
    places = [(f"{text} = {dialect.text(level)}", dialect.double(place)) for place, level in enumerate(column.levels)]
    return case(places, "NULL") if places else f"CAST(NULL AS {dialect.number_type})"


def _nested(limits: Sequence[tuple[str, int]], write: Callable[[int], str]) -> list[tuple[str, str]]:
    """Ascending limits as WHEN … THEN pairs, many of them in blocks so that a row meets few."""
    if len(limits) <= PARTS:
        return [(test, write(i + 1)) for test, i in limits]
    size = -(-len(limits) // PARTS)
    blocks = [limits[start : start + size] for start in range(0, len(limits), size)]
    return [(block[-1][0], case(_nested(block, write), write(MISSING))) for block in blocks]


class NominalCells:
    """A nominal column: values that no node of the tree tells apart share a cell."""

    def __init__(self, tree: Tree, feature: int, dialect: Dialect, column: str) -> None:
        n_values = tree.columns[feature].n_values
        nodes = (tree.feature == feature).nonzero()[0]
        sets = [set(tree.subset(node)) for node in nodes if tree.kind[node] == Kind.SUBSET]
        all_differ = len(sets) < len(nodes)  # a node has one branch for each value
        answers = [(*(code in s for s in sets), code if all_differ else 0) for code in range(n_values)]
        number = {answer: i + 1 for i, answer in enumerate(sorted(set(answers)))}  # sorted: few runs of cells
        self.cell_of = [number[answer] for answer in answers]
        self.n_cells = len(number)
        self._values = Values(tree.columns[feature], column, dialect)

    def conditions(self, demand: Condition) -> list[str]:
        """What ``x in values`` is in SQL; a value that is not declared counts as missing."""
        codes = demand.values or ()
        if not demand.missing:
            return [self._values.among(sorted(codes))]
        others = sorted(set(range(len(self.cell_of))).difference(codes))
        return [f"({self._values.cell} IS NULL OR NOT {self._values.among(others)})"] if others else []

    def full_conditions(self, demand: Condition) -> list[str]:
        return self.conditions(demand)

    def cell(self, write: Callable[[int], str]) -> str:
        """The row's cell, in the form that ``write`` gives it."""
        members: dict[int, list[int]] = {}
        for code, cell in enumerate(self.cell_of):
            members.setdefault(cell, []).append(code)
        return case(self._nested(list(members.items()), write), write(MISSING))

    def _nested(self, members: list[tuple[int, list[int]]], write: Callable[[int], str]) -> list[tuple[str, str]]:
        if len(members) <= 2 * PARTS:
            return [(self._values.among(codes), write(cell)) for cell, codes in members]
        size = -(-len(members) // PARTS)
        whens = []
        for start in range(0, len(members), size):
            block = members[start : start + size]
            test = self._values.among([code for _, codes in block for code in codes])
            whens.append((test, case(self._nested(block, write), write(MISSING))))
        return whens

    def runs(self, demand: Condition) -> list[tuple[int, int]]:
        """The cells, as first and last of each run, whose rows meet the demand."""
        runs: list[tuple[int, int]] = []
        for cell in sorted({self.cell_of[code] for code in demand.values or ()}):
            if runs and runs[-1][1] == cell - 1:
                runs[-1] = runs[-1][0], cell
            else:
                runs.append((cell, cell))
        return runs


class ListedCells(NominalCells):
    """A nominal column with many values: a list of them, joined to the table, says each value's cell."""

    def __init__(self, tree: Tree, feature: int, dialect: Dialect, column: str, alias: str) -> None:
        super().__init__(tree, feature, dialect, column)
        self._alias = alias
        self._write: Callable[[int], str] = str

    def listed(self, name: str, write: Callable[[int], str]) -> str:
        """The list as a common table expression; from now on conditions speak of the cells that ``write`` writes."""
        self._write = write
        pairs = zip(self._values.texts, self.cell_of, strict=True)
        rows = ",\n".join(f"({text}, {write(cell)})" for texts, cell in pairs for text in texts)
        return f"{name}(value, cell) AS (VALUES\n{rows}\n)"

    def join(self, name: str) -> str:
        # || '': SQLite makes an index for the list only if the other side is of no declared type
        return f"LEFT JOIN {name} AS {self._alias} ON {self._alias}.value = {self._values.cell} || ''"

    def conditions(self, demand: Condition) -> list[str]:
        if demand.missing and demand.is_void:
            return []
        tests = [f"{self._alias}.cell IS NULL"] if demand.missing else []
        for first, last in self.runs(demand):
            if first == last:
                tests.append(f"{self._alias}.cell = {self._write(first)}")
            else:
                tests.append(f"{self._alias}.cell BETWEEN {self._write(first)} AND {self._write(last)}")
        return tests if len(tests) == 1 else [f"({joined(tests, 'OR')})"]

    def cell(self, write: Callable[[int], str]) -> str:
        return f"COALESCE({self._alias}.cell, {write(MISSING)})"


Cells = NumericCells | NominalCells
MOST_LISTS = 30  # SQLite joins 64 tables at most


def cells_of(tree: Tree, dialect: Dialect, qualifier: str = "", *, lists: bool = False) -> dict[Subject, Cells]:
    """The cells of each column that the tree tests, by the column's index in ascending order, then of each hyper-plane.

    With ``lists`` the columns with the most values are :class:`ListedCells`.
    """
    names = list(tree.features)
    if dialect.folds_case and len({name.lower() for name in names}) < len(names):
        twice = sorted(name for name in names if [other.lower() for other in names].count(name.lower()) > 1)
        raise ValueError(
            f"{dialect.name} does not tell upper case from lower in names, but the tree tests the columns "
            f"{', '.join(map(repr, twice))}; rename one of them."
        )
    tested = sorted({int(feature) for feature in tree.feature[tree.feature >= 0]})
    wide = [feature for feature in tested if lists and tree.columns[feature].n_values > dialect.most_values]
    listed = set(sorted(wide, key=lambda feature: -tree.columns[feature].n_values)[:MOST_LISTS])
    cells: dict[Subject, Cells] = {}
    for feature in tested:
        column = qualifier + dialect.identifier(tree.columns[feature].name)
        if not tree.columns[feature].is_nominal:
            cuts = tree.threshold[tree.feature == feature].tolist()
            cells[feature] = NumericCells(cuts, dialect, [tree.columns[feature]], [column])
        elif feature in listed:
            cells[feature] = ListedCells(tree, feature, dialect, column, f"v{feature}")
        else:
            cells[feature] = NominalCells(tree, feature, dialect, column)
    thresholds: dict[Plane, list[float]] = {}
    for node in (tree.kind == Kind.LINEAR).nonzero()[0].tolist():
        thresholds.setdefault(tree.plane(node), []).append(float(tree.threshold[node]))
    for plane, cuts in thresholds.items():
        sources = [qualifier + dialect.identifier(column.name) for column in plane.columns]
        cells[plane] = NumericCells(cuts, dialect, plane.columns, sources, plane)
    return cells
