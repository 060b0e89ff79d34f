"""History: how a search went, as columns of numbers by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["History"]


class History(Mapping[str, np.ndarray]):
    """Columns of equal length, the first of them how far the search was.

    It is a mapping of names to arrays, so ``pandas.DataFrame(dict(history))`` makes a frame of it.

    Examples
    --------
    >>> history = History()
    >>> history.add({"evaluations": 100, "best_fitness": 0.7})
    >>> history.add({"evaluations": 200, "best_fitness": 0.8})
    >>> history["best_fitness"].tolist()
    [0.7, 0.8]
    >>> history
    <History: 2 lines of evaluations, best_fitness>
    """

    def __init__(self, columns: Mapping[str, Any] | None = None) -> None:
        given = {name: np.asarray(cells, dtype=float) for name, cells in (columns or {}).items()}
        if len({cells.shape for cells in given.values()}) > 1 or any(cells.ndim != 1 for cells in given.values()):
            raise ValueError("the columns of a history must be lists of equal length.")
        self._columns = {name: cells.tolist() for name, cells in given.items()}

    def add(self, row: Mapping[str, float]) -> None:
        """Add a line; all lines have the same names."""
        if self._columns and self._columns.keys() != row.keys():
            raise ValueError(f"a line must have {', '.join(self._columns)}, got {', '.join(row)}.")
        for name, value in row.items():
            self._columns.setdefault(name, []).append(float(value))

    @property
    def n_lines(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._columns:
            raise KeyError(f"no column {name!r}; the columns are {', '.join(self._columns)}.")
        return np.array(self._columns[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and all(
            (
                self._columns.keys() == other._columns.keys(),
                *(np.array_equal(self[name], other[name], equal_nan=True) for name in self if name in other),
            )
        )

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"<History: {self.n_lines} lines of {', '.join(self._columns)}>"

    def plot(self, ax: Axes | None = None, *, columns: Mapping[str, str] | None = None) -> Axes:
        """Draw columns against the first one.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        columns : mapping of names to labels, optional
            What to draw; by default every column but the first, under its own name.
        """
        if not self.n_lines:
            raise ValueError("the history is empty: nothing was recorded.")
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.figure(figsize=(5.5, 3.2), layout="constrained").add_subplot()  # pyplot's own: notebooks show it
        first, *others = self
        for name, label in (columns or {name: name for name in others}).items():
            ax.plot(self[first], self[name], label=label, linewidth=1.6)
        ax.set_xlabel(first.replace("_", " "))
        ax.grid(axis="y", color="#dddddd", linewidth=0.6)
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(frameon=False)
        return ax
