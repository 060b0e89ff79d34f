"""Scoring: common table expressions that give every route down a tree its probabilities and its class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from clearwood.export.sql_route import Route
from clearwood.export.sql_words import case

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["Scoring"]


class Scoring:
    """The parts of a scoring statement; ``prefix`` keeps its names apart from the user's table.

    A row that ends in a leaf has the route ``leaf 7``; a row that meets a missing value has its cells as route, walks
    down in shares (a recursive query, so that depth costs no nesting) and adds up the leaves' probabilities.
    Equal routes are scored once.
    """

    def __init__(self, tree: Tree, route: Route, prefix: str = "clearwood") -> None:
        from clearwood.routing import Routing

        self.tree = tree
        self.route = route
        self.prefix = prefix
        routing = Routing(tree)
        self._smooth = routing.smooth
        self._deciding = routing.plain if routing.worth is None else routing.plain @ routing.worth
        self.labels = route.dialect.labels(tree.classes)
        self.shown = [f"p{i}" for i in range(tree.n_classes)]  # the probabilities to show
        # the class always comes from the unsmoothed ones, and from what an answer saves where errors have a cost
        self._apart = tree.laplace or tree.costs is not None
        self.deciding = [f"u{i}" for i in range(tree.n_classes)] if self._apart else self.shown
        self._both = self.shown + self.deciding if self._apart else self.shown

    def name(self, part: str) -> str:
        return f"{self.prefix}_{part}"

    def key(self) -> str:
        """The route of a row, as an expression over its columns."""
        return f"COALESCE({self.route.leaf(leaf_route)}, {self.route.cells()})"

    # -- parts -----------------------------------------------------------------------------------

    def gaps(self, source: str) -> str:
        """The routes of those rows of a table that meet a missing value."""
        return (
            f"{self.name('gaps')}(route) AS (\nSELECT DISTINCT {self.route.cells()}\n"
            f"FROM {source}\nWHERE {self.route.leaf(lambda _: '1')} IS NULL\n)"
        )

    def this_row(self) -> str:
        """The same for the one row of a query around this one."""
        return f"{self.name('gaps')}(route) AS (SELECT {self.route.cells()})"

    def leaves(self) -> str:
        """Each leaf's place, route, class and probabilities."""
        places = self.route.paths.of_node
        rows = []
        for node in self.tree.walk():
            if self.tree.is_leaf(node):
                numbers = [float(p) for p in self._smooth[node]]
                if self._apart:
                    numbers += [float(p) for p in self._deciding[node]]
                label = self.labels[self.tree.leaf_class[node]]
                rows.append([places[node] + 1, leaf_route(node), label, *numbers])
        return self._values("leaves", ["place", "route", "class", *self._both], rows)

    def walking(self) -> list[str]:
        """From the routes with missing values to their probabilities and classes."""
        return [self._steps(), self._walk(), self._sums(), self._scan()]

    def answers(self) -> str:
        """Every route with its class and probabilities."""
        label = case([(f"choice = {i}", label) for i, label in enumerate(self.labels)])
        shown = ", ".join(self.shown)
        return (
            f"{self.name('answers')}(route, class, {shown}) AS (\n"
            f"SELECT route, class, {shown} FROM {self.name('leaves')}\n"
            f"UNION ALL\nSELECT route, {label}, {shown} FROM {self.name('scan')} WHERE step = {self.tree.n_classes}\n)"
        )

    def _steps(self) -> str:
        return self._values("steps", ["here", "there", "position", "first", "last", "share"], self.route.steps())

    def _walk(self) -> str:
        cell = f"substr(w.route, w.position, {self.route.width})"
        missing = f"{cell} = '{'0' * self.route.width}'"
        return (
            f"{self.name('walk')}(route, place, position, share) AS (\n"
            f"SELECT route, 1, {self.route.position(0)}, {self.route.dialect.double(1.0)} FROM {self.name('gaps')}\n"
            f"UNION ALL\nSELECT w.route, s.there, s.position, w.share * s.share\n"
            f"FROM {self.name('walk')} AS w JOIN {self.name('steps')} AS s\n"
            f"ON s.here = CASE WHEN {missing} THEN -w.place ELSE w.place END AND {cell} BETWEEN s.first AND s.last\n)"
        )

    def _sums(self) -> str:
        zero = self.route.dialect.double(0.0)
        sums = ", ".join(f"COALESCE(sum(w.share * l.{p}), {zero})" for p in self._both)
        return (  # a left join: a route whose every branch is empty has a row too, of zeros
            f"{self.name('sums')}(route, {', '.join(self._both)}) AS (\nSELECT w.route, {sums}\n"
            f"FROM {self.name('walk')} AS w LEFT JOIN {self.name('leaves')} AS l ON l.place = w.place\n"
            f"GROUP BY w.route\n)"
        )

    def _scan(self) -> str:
        """Look at one class after another: a class wins if it exceeds the best so far by more than 1e-6."""
        both = ", ".join(self._both)
        new = case([(f"step = {i}", p) for i, p in enumerate(self.deciding) if i], "best")
        wins = f"{new} - best > 1e-6"
        return (
            f"{self.name('scan')}(route, step, choice, best, {both}) AS (\n"
            f"SELECT route, 1, 0, {self.deciding[0]}, {both} FROM {self.name('sums')}\n"
            f"UNION ALL\nSELECT route, step + 1, CASE WHEN {wins} THEN step ELSE choice END, "
            f"CASE WHEN {wins} THEN {new} ELSE best END, {both}\n"
            f"FROM {self.name('scan')} WHERE step < {self.tree.n_classes}\n)"
        )

    def _values(self, part: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
        dialect = self.route.dialect
        lines: list[str] = []
        for row in rows:
            write = dialect.digits if lines else dialect.double  # the first row gives a column its type
            lines.append(f"({', '.join(write(v) if isinstance(v, float) else str(v) for v in row)})")
        return f"{self.name(part)}({', '.join(columns)}) AS (VALUES\n" + ",\n".join(lines) + "\n)"


def leaf_route(leaf: int) -> str:
    """A text that no row of cells can equal."""
    return f"'leaf {leaf}'"
