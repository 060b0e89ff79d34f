"""Fronts: the best tree of every size, from one learner or from several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from clearwood.evaluate.intervals import Interval, corrected_interval
from clearwood.html import html_table
from clearwood.tree import Tree
from clearwood.wording import plural

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from matplotlib.axes import Axes

    from clearwood.table import Table

__all__ = ["Front", "FrontEntry", "join_fronts"]

ROUNDING = 1e-12  # of errors that are sums of weights


@dataclass(frozen=True, eq=False)
class FrontEntry:
    """A tree and what it is worth.

    Attributes
    ----------
    n_leaves : int
        The number of rules.
    tree : Tree
    training_error : float
        The share of the training rows, by weight, that the tree gets wrong.
    cv_error : float
        The mean error of trees of this size on rows that they were not grown from; NaN if it was not estimated.
    cv_interval : Interval or None
        The 95 % t interval of that mean, corrected for the overlap of the folds' training rows and cut to 0 .. 1.
    n_features : int
        How many features the tree tests.
    cost : float
        What the tree's tests cost for a row, where test costs were given; NaN elsewhere.
    learner : str
        What the tree comes from.
    fidelity : float
        The share of the training rows, by weight, that it labels as its teacher does; NaN without a teacher.
    lower_bound : float
        No tree of so many leaves, or fewer, that the learner could have grown has a smaller training error; NaN if
        nothing is known. It tests one feature at a time, sends rows that lack the value down one branch, and keeps
        values on one side that have too few rows to be told apart.
    """

    n_leaves: int
    tree: Tree
    training_error: float
    cv_error: float = float("nan")
    cv_interval: Interval | None = None
    n_features: int = 0
    cost: float = float("nan")
    learner: str = ""
    fidelity: float = float("nan")
    lower_bound: float = float("nan")

    @property
    def proved(self) -> bool:
        """Whether no such tree of this size can have a smaller training error; else it is the best that was found."""
        return self.training_error <= self.lower_bound + ROUNDING

    @property
    def certificate(self) -> str:
        """What is known of smaller training errors, in words; empty where nothing was looked for."""
        if np.isnan(self.lower_bound):
            return ""
        if self.proved:
            return "proved to be the least"
        return f"the best found, at least {100 * self.lower_bound:.1f} %"

    def __repr__(self) -> str:
        cv = "" if np.isnan(self.cv_error) else f", cross-validated {100 * self.cv_error:.1f} %"
        certificate = f" ({self.certificate})" if self.certificate else ""
        return f"<{self.n_leaves} leaves: training error {100 * self.training_error:.1f} %{certificate}{cv}>"


class Front(Sequence[FrontEntry]):
    """Entries by number of leaves, the smallest tree first; of equal sizes the one with fewer errors first.

    Parameters
    ----------
    entries : iterable of FrontEntry
    fold_errors : array (n_folds, n_entries) or None
        The error of each entry's size in each fold, in the order of the entries.
    test_share : float
        The ratio of test rows to training rows in a fold, for the intervals of differences.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from clearwood import C45Classifier, Column, Table, variable_node_c45
    >>> iris = load_iris()
    >>> table = Table([Column(n) for n in iris.feature_names], iris.data.T,
    ...               target=Column("species", tuple(iris.target_names)), y=iris.target)
    >>> front = variable_node_c45(table)
    >>> front.sizes
    (1, 2, 3, 4, 5)
    >>> front.of_size(3).tree.features
    ('petal width (cm)',)
    """

    def __init__(
        self, entries: Iterable[FrontEntry], fold_errors: np.ndarray | None = None, test_share: float = 0.0
    ) -> None:
        given = list(entries)
        order = sorted(range(len(given)), key=lambda i: (given[i].n_leaves, given[i].training_error, i))
        self._entries = tuple(given[i] for i in order)
        self.fold_errors = None if fold_errors is None else np.asarray(fold_errors, dtype=float)[:, order]
        self.test_share = test_share

    @overload
    def __getitem__(self, place: int) -> FrontEntry: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[FrontEntry, ...]: ...
    def __getitem__(self, place: int | slice) -> FrontEntry | tuple[FrontEntry, ...]:
        return self._entries[place]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[FrontEntry]:
        return iter(self._entries)

    def __repr__(self) -> str:
        if not self._entries:
            return "<Front: empty>"
        return f"<Front: {len(self)} trees of {self.sizes[0]} to {self.sizes[-1]} leaves>"

    def _repr_html_(self) -> str:
        """What a notebook shows: a line for each tree."""
        rows = [
            (
                entry.n_leaves,
                len(entry.tree.features),
                f"{100 * entry.training_error:.1f} %{f' ({entry.certificate})' if entry.certificate else ''}",
                "" if np.isnan(entry.cv_error) else f"{100 * entry.cv_error:.1f} %",
                ""
                if entry.cv_interval is None
                else f"{100 * entry.cv_interval.low:.1f} to {100 * entry.cv_interval.high:.1f} %",
                entry.learner,
            )
            for entry in self
        ]
        heads = ["leaves", "features", "training error", "cross-validated", "95 % interval", "learner"]
        return html_table(heads, rows, caption=repr(self).strip("<>"), numbers=(0, 1, 2, 3, 4))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of leaves that there are trees of, each once."""
        return tuple(sorted({entry.n_leaves for entry in self._entries}))

    def place_of(self, n_leaves: int) -> int:
        """The place of the tree with that many leaves that has the fewest errors."""
        for place, entry in enumerate(self._entries):
            if entry.n_leaves == n_leaves:
                return place
        raise ValueError(f"no tree has {n_leaves!r} leaves; there are trees of {_ranges(self.sizes)} leaves.")

    def of_size(self, n_leaves: int) -> FrontEntry:
        """The tree with that many leaves that has the fewest errors."""
        return self._entries[self.place_of(n_leaves)]

    def pareto(self) -> Front:
        """The entries that no smaller or equally large tree equals or beats in training error."""
        kept: list[int] = []
        best = float("inf")
        for place, entry in enumerate(self._entries):
            if entry.training_error < best:
                best = entry.training_error
                kept.append(place)
        errors = None if self.fold_errors is None else self.fold_errors[:, kept]
        return Front((self._entries[i] for i in kept), errors, self.test_share)

    def hypervolume(self, max_leaves: int | None = None, worst: float | None = None) -> float:
        """The share of the rectangle up to ``max_leaves`` and an error of ``worst`` that the front dominates.

        The defaults are the front's own largest size and the error of always saying the most common class.
        """
        if not self._entries:
            return 0.0
        if worst is None:
            root = self._entries[0].tree.counts[0]
            worst = float(1 - root.max() / root.sum())
        errors = {entry.n_leaves: 0.0 for entry in self._entries}
        for entry in reversed(self._entries):
            errors[entry.n_leaves] = entry.training_error
        return hypervolume(errors, max_leaves or self.sizes[-1], worst)

    def by(self, learner: str) -> Front:
        """The same front under another name."""
        return Front((replace(e, learner=learner) for e in self._entries), self.fold_errors, self.test_share)

    def to_rows(self) -> list[dict[str, Any]]:
        """One plain row for each entry, for a frame or a file."""
        return [
            {
                "learner": entry.learner,
                "n_leaves": entry.n_leaves,
                "training_error": entry.training_error,
                "cv_error": entry.cv_error,
                "cv_low": entry.cv_interval.low if entry.cv_interval else float("nan"),
                "cv_high": entry.cv_interval.high if entry.cv_interval else float("nan"),
                "n_features": entry.n_features,
                "cost": entry.cost,
                "fidelity": entry.fidelity,
                "lower_bound": entry.lower_bound,
                "proved": entry.proved,
            }
            for entry in self._entries
        ]

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw error against the number of rules; see :func:`clearwood.view.front_figure.plot_front`."""
        from clearwood.view.front_figure import plot_front

        return plot_front(self, ax=ax, **options)

    def to_page(self, path: str | PathLike[str], table: Table | None = None, **options: Any) -> Path:
        """Write a page on which people choose among the trees and try them out; see :class:`clearwood.Page`."""
        from clearwood.view.page.page import Page

        return Page(self, table, **options).write(path)


def hypervolume(errors: dict[int, float], max_leaves: int, worst: float) -> float:
    """The share of the rectangle (1 to max_leaves, 0 to worst) that trees of these sizes and errors dominate.

    >>> hypervolume({2: 0.25, 3: 0.0}, 4, 0.5)
    0.8333333333333334
    """
    if max_leaves < 2 or worst <= 0:
        return 1.0
    best, area = worst, 0.0
    for size in range(2, max_leaves + 1):
        best = min(best, errors.get(size, worst))
        area += worst - best
    return area / (worst * (max_leaves - 1))


def join_fronts(*given: Any, table: Table | None = None, names: Sequence[str] | None = None) -> Front:
    """Let trees of any learners compete: one front of all of them, each entry with the learner that it comes from.

    Parameters
    ----------
    *given : Front, Tree, fitted learner, or a list of those
        A learner's front is its ``front_``; one that has none brings its tree.
    table : Table or None
        The rows on which the training error is measured anew for all; None keeps what the entries say, and judges a
        tree by the class weights that it holds, which are those of the rows that it was grown from.
    names : sequence of str or None
        What each of the given is called; by default what the trees say.

    Returns
    -------
    Front
        All entries. Its :meth:`~Front.pareto` are those that nothing beats, and :meth:`~Front.plot` draws one line
        for each learner.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from clearwood import C45Classifier, CARTClassifier, join_fronts
    >>> X, y = load_wine(return_X_y=True)
    >>> front = join_fronts(C45Classifier().fit(X, y), CARTClassifier(random_state=0).fit(X, y))
    >>> [(entry.learner, entry.n_leaves) for entry in front]
    [('C4.5', 5), ('CART', 12)]
    """
    if not given:
        raise ValueError("join_fronts needs at least one front, tree or fitted learner, got none.")
    if names is not None and len(names) != len(given):
        raise ValueError(f"names must name each of the {len(given)} that are joined, got {len(names)}.")
    entries: list[FrontEntry] = []
    for i, one in enumerate(given):
        found = _entries(one)
        entries += found if names is None else [replace(entry, learner=names[i]) for entry in found]
    if table is not None:
        nothing = float("nan")  # what was proved was proved for other rows
        entries = [replace(entry, training_error=error_on(entry.tree, table), lower_bound=nothing) for entry in entries]
    return Front(entries)


def error_on(tree: Tree, table: Table) -> float:
    """The share of a table's rows, by weight, that a tree gets wrong; rows without a class do not count."""
    known = table.y >= 0
    labels = {str(label): code for code, label in enumerate(tree.classes)}
    codes = np.array([labels.get(label, -1) for label in map(str, table.classes)] + [-1])
    wrong = tree.predict(table)[known] != codes[table.y[known]]
    return float(table.weights[known][wrong].sum() / table.weights[known].sum())


def cross_validated(entries: list[FrontEntry], errors: np.ndarray, test_share: float) -> Front:
    """A front whose entries have the mean and the interval of their errors in the folds (one column for each)."""
    intervals = [corrected_interval(column, test_share).within(0, 1) for column in errors.T]
    judged = [
        replace(
            entry,
            tree=entry.tree.with_facts(accuracy=_accuracy(interval.mean, len(errors))),
            cv_error=interval.mean,
            cv_interval=interval,
        )
        for entry, interval in zip(entries, intervals, strict=True)
    ]
    return Front(judged, errors, test_share)


def _accuracy(error: float, folds: int) -> str:
    """How good trees of a size are; a search that was short of time may have finished some of its folds only."""
    return f"{100 * (1 - error):.1f} % right in cross-validation ({plural(folds, 'fold')})"


def entry_of(tree: Tree) -> FrontEntry:
    """A tree as an entry, judged by the class weights that it holds."""
    leaves = np.flatnonzero(tree.n_children == 0)
    counts = tree.counts[leaves]
    wrong = counts.sum() - counts[np.arange(len(leaves)), tree.leaf_class[leaves]].sum()
    total = tree.counts[0].sum()
    return FrontEntry(
        tree.n_leaves, tree, float(wrong / total) if total else 0.0, n_features=len(tree.features), learner=tree.learner
    )


def _entries(given: Any) -> list[FrontEntry]:
    if isinstance(given, Front):
        return list(given)
    if isinstance(given, Tree):
        return [entry_of(given)]
    if isinstance(given, FrontEntry):
        return [given]
    if hasattr(given, "front_"):
        return _entries(given.front_)
    if hasattr(given, "tree_"):
        return _entries(given.tree_)
    if isinstance(given, Iterable) and not isinstance(given, str | bytes):
        return [entry for one in given for entry in _entries(one)]
    raise TypeError(f"join_fronts takes fronts, trees and fitted learners of one tree, got {given!r}.")


def _ranges(sizes: Sequence[int]) -> str:
    """Whole numbers as short text.

    >>> _ranges([2, 3, 4, 7])
    '2 to 4, 7'
    """
    parts: list[list[int]] = []
    for size in sizes:
        if parts and size == parts[-1][1] + 1:
            parts[-1][1] = size
        else:
            parts.append([size, size])
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in parts) or "no"
