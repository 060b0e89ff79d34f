"""EvolvedClassifier: what the learners that search for one tree share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from clearwood.checkpoint import fingerprint
from clearwood.evolve.history import History
from clearwood.evolve.run import run
from clearwood.evolve.search import Search
from clearwood.learn.base import TreeClassifier
from clearwood.learn.checks import check_flag

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clearwood.table import Table

__all__ = ["EvolvedClassifier"]

NOT_IN_RESULT = ("n_jobs", "checkpoint", "progress")


class EvolvedClassifier(TreeClassifier):
    """A tree classifier that searches; it shows progress, can be interrupted, and resumes from a checkpoint."""

    history_: History
    interrupted_: bool
    checkpoint: Any
    progress: Any

    def _check_search(self) -> None:
        if self.checkpoint is not None and not isinstance(self.checkpoint, str | os.PathLike):
            raise TypeError(f"checkpoint must be the name of a file or None, got {self.checkpoint!r}.")
        if self.progress is not None and not callable(self.progress):
            check_flag("progress", self.progress)

    def _run(self, search: Search, table: Table, deadline: float | None = None, following: float = 0.0) -> None:
        """Run a search to its end, or to a deadline; sets ``history_`` and ``interrupted_``."""
        outcome = run(
            search,
            title=type(self).__name__,
            progress=self.progress,
            checkpoint=self.checkpoint,
            fingerprint=self._fingerprint(table),
            deadline=deadline,
            following=following,
        )
        self.history_, self.interrupted_ = outcome.history, outcome.interrupted

    def _fingerprint(self, table: Table) -> str:
        """What the result depends on, the seed included; generators by their kind only, since their state moves.

        Without a checkpoint nobody asks, and all cells of a large table need not be read.
        """
        if self.checkpoint is None:
            return ""
        params = {k: v for k, v in sorted(self.get_params(deep=True).items()) if k not in NOT_IN_RESULT}
        if hasattr(params.get("random_state"), "bit_generator") or hasattr(params.get("random_state"), "get_state"):
            params["random_state"] = type(params["random_state"]).__name__
        return fingerprint(type(self).__name__, table.digest, params)

    def plot_history(self, ax: Axes | None = None) -> Axes:
        """Draw how the search went."""
        check_is_fitted(self)
        return self.history_.plot(ax)
