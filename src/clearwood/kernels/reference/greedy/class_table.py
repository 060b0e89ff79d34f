"""Class table: the weight of each class in each branch of a test."""

from __future__ import annotations

from collections.abc import Iterable

from clearwood.kernels.reference.common.rows import Data, Rows
from clearwood.kernels.reference.common.tolerance import at_least, equal, greater


class ClassTable:
    """Weights n[b][c] of classes in bags, with the sums of bags, of classes and of all.

    >>> table = ClassTable(2, 2)
    >>> table.add(0, 0, 3.0); table.add(1, 1, 1.0)
    >>> table.majority(), table.errors(), table.largest_bag()
    (0, 1.0, 0)
    """

    def __init__(self, n_bags: int, n_classes: int) -> None:
        self.bags = [[0.0] * n_classes for _ in range(n_bags)]
        self.bag_weights = [0.0] * n_bags
        self.class_weights = [0.0] * n_classes
        self.total = 0.0

    def add(self, bag: int, code: int, weight: float) -> None:
        self.bags[bag][code] += weight
        self.bag_weights[bag] += weight
        self.class_weights[code] += weight
        self.total += weight

    def move(self, source: int, goal: int, code: int, weight: float) -> None:
        """Take weight out of one bag and put it into another."""
        self.bags[source][code] -= weight
        self.bag_weights[source] -= weight
        self.bags[goal][code] += weight
        self.bag_weights[goal] += weight

    def spread(self, labelled: Iterable[tuple[int, float]]) -> None:
        """Share out (class, weight) pairs of rows with an unknown value, as the known rows are shared."""
        n_bags = len(self.bags)
        if equal(self.total, 0.0):
            shares = [1.0 / n_bags] * n_bags
        else:
            shares = [weight / self.total for weight in self.bag_weights]
        for code, weight in labelled:
            self.class_weights[code] += weight
            self.total += weight
            for bag, share in enumerate(shares):
                self.bags[bag][code] += share * weight
                self.bag_weights[bag] += share * weight

    def merged(self) -> ClassTable:
        """All bags as one."""
        one = ClassTable(1, len(self.class_weights))
        one.bags = [list(self.class_weights)]
        one.bag_weights = [self.total]
        one.class_weights = list(self.class_weights)
        one.total = self.total
        return one

    def majority(self) -> int:
        """The heaviest class; the lowest of those that are equal within 1e-6."""
        best, heaviest = 0, 0.0
        for code, weight in enumerate(self.class_weights):
            if greater(weight, heaviest):
                best, heaviest = code, weight
        return best

    def errors(self) -> float:
        return self.total - self.class_weights[self.majority()] if self.class_weights else 0.0

    def largest_bag(self) -> int:
        """The heaviest bag; the last of those that are equal within 1e-6."""
        best, heaviest = 0, 0.0
        for bag, weight in enumerate(self.bag_weights):
            if at_least(weight, heaviest):
                best, heaviest = bag, weight
        return best

    def shares(self) -> list[float]:
        """For each bag its part of the whole; of nothing there are no parts."""
        return [weight / self.total if self.total else 0.0 for weight in self.bag_weights]

    def is_pure(self) -> bool:
        """Whether at most one class has any weight."""
        return sum(weight > 0 for weight in self.class_weights) <= 1


def one_bag(data: Data, rows: Rows) -> ClassTable:
    """The classes of some rows."""
    table = ClassTable(1, data.n_classes)
    for row, weight in rows:
        table.add(0, data.label(row), weight)
    return table


def by_value(data: Data, rows: Rows, feature: int) -> ClassTable:
    """The classes of the rows with a known value, one bag for each declared value."""
    table = ClassTable(data.n_values[feature], data.n_classes)
    for row, weight in data.known(rows, feature):
        table.add(data.cells[feature][row], data.label(row), weight)
    return table
