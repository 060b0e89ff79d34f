"""Route: one SQL expression that says how a row goes down a tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from clearwood.conditions import Condition
from clearwood.export.sql_cells import MISSING, ListedCells, NumericCells, cells_of
from clearwood.export.sql_dialects import Dialect
from clearwood.export.sql_paths import Paths
from clearwood.export.sql_words import PARTS, case, joined

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["Route"]


class Route:
    """How a row of a database table goes down a tree, as SQL over the row's columns.

    A row whose tested values are all known ends in one leaf, found by :meth:`leaf`, and so does one without a value
    where the tests name a branch for it. For any other row all that matters is the cell of each tested column and
    plane, missing being cell 0: :meth:`cells` writes them side by side as digits.
    """

    def __init__(self, tree: Tree, dialect: Dialect, qualifier: str = "", *, lists: bool = False) -> None:
        self.tree = tree
        self.dialect = dialect
        self.paths = Paths(tree)
        self._cells = cells_of(tree, dialect, qualifier, lists=lists)
        self.width = len(str(max((cells.n_cells for cells in self._cells.values()), default=0)))
        self._position = {subject: 1 + i * self.width for i, subject in enumerate(self._cells)}

    def lists(self, prefix: str) -> tuple[list[str], list[str]]:
        """Lists of values that the expressions need: as common table expressions, and as joins to the table."""
        expressions, joins = [], []
        for feature, cells in self._cells.items():
            if isinstance(cells, ListedCells):
                expressions.append(cells.listed(f"{prefix}_values{feature}", self._literal))
                joins.append(cells.join(f"{prefix}_values{feature}"))
        return expressions, joins

    # -- rows that end in one leaf ---------------------------------------------------------------

    def conditions(self, leaf: int) -> list[str] | None:
        """What is true for exactly the rows that end in a leaf; None if no row can."""
        demands = self.paths.between(0, self.paths.of_node[leaf])
        if demands is None:
            return None
        return [text for subject, demand in demands.items() for text in self._cells[subject].full_conditions(demand)]

    def leaf(self, write: Callable[[int], str]) -> str:
        """What ``write`` makes of the leaf in which the row ends; NULL for a row that meets a missing value."""
        numeric = list(
            dict.fromkeys(odd for cells in self._cells.values() if isinstance(cells, NumericCells) for odd in cells.odd)
        )
        # NaN is greater than every number, and text is not one: such rows are left to the cells
        odd = [(f"{self.dialect.not_a_number[0]} IN ({', '.join(numeric)})", "NULL")] if numeric else []
        return self._choice(0, [], write, odd)

    def _choice(self, top: int, holes: list[int], write: Callable[[int], str], first: list[tuple[str, str]]) -> str:
        """The leaf of a row that is known to reach ``top``: a test for each leaf, or for each of a few large parts."""
        leaves = [place for place in self.paths.piece(top, holes) if self.paths.is_leaf(place)]
        if leaves == [top]:
            return write(self.paths.places[top].node)
        whens = list(first)
        if len(leaves) <= PARTS:
            for place in leaves:
                test = self._test(top, place)
                if test:
                    whens.append((test, write(self.paths.places[place].node)))
            return case(whens)
        parts = self.paths.cut(top, holes, PARTS)
        for i, part in enumerate(parts):  # lower parts first: what they do not take goes on to the part around them
            test = self._test(top, part)
            if test:
                whens.append((test, self._choice(part, holes + parts[:i], write, [])))
        return case(whens, self._choice(top, holes + parts, write, []))

    def _test(self, top: int, place: int) -> str:
        """What is true for the rows that come from one place to another; nothing if none can."""
        demands = self.paths.between(top, place)
        if demands is None:
            return ""
        tests = [text for subject, demand in demands.items() for text in self._cells[subject].conditions(demand)]
        return joined(tests, "AND") or "1 = 1"

    # -- rows that meet a missing value ----------------------------------------------------------

    def cells(self) -> str:
        """The cell of every tested column, as digits side by side."""
        return joined([cells.cell(self._literal) for cells in self._cells.values()], "||")

    def _literal(self, cell: int) -> str:
        return f"'{cell:0{self.width}d}'"

    def position(self, place: int) -> int:
        """Where in the digits the column stands that is tested at a place; 0 for a leaf."""
        branches = self.paths.places[place].branches
        demand = self.paths.places[branches[0]].demand if branches else None
        return 0 if demand is None else self._position[demand.subject]

    def steps(self) -> list[tuple[int, int, int, str, str, float]]:
        """Every step down: from, to, the position tested there, the first and last cell that take it, the share.

        Places count from 1 here. A step for a missing value starts at minus its place and goes straight to a branch
        of the tree's node, however many groups lie between.
        """
        steps = []
        weight = np.where(self.tree.empty, 0.0, self.tree.bags.sum(axis=1))
        for here, place in enumerate(self.paths.places):
            for below in place.branches:
                branch = self.paths.places[below]
                assert branch.demand is not None
                for first, last in self._runs(branch.demand):
                    steps.append((here + 1, below + 1, self.position(below), first, last, 1.0))
            if place.node < 0 or not place.branches:
                continue
            children, direction = self.tree.children(place.node), int(self.tree.missing[place.node])
            total = float(weight[list(children)].sum())
            for branch_number, child in enumerate(children):
                share = float(weight[child]) / total if total > 0 else 0.0
                if direction >= 0:
                    share = float(branch_number == direction)
                if share > 0:
                    below, missing = self.paths.of_node[child], self._literal(MISSING)
                    steps.append((-here - 1, below + 1, self.position(below), missing, missing, share))
        return steps

    def _runs(self, demand: Condition) -> list[tuple[str, str]]:
        return [(self._literal(first), self._literal(last)) for first, last in self._cells[demand.subject].runs(demand)]
