"""Search: what an evolutionary learner's state must offer so that the loop can run, show, save and resume it."""

from __future__ import annotations

from typing import Protocol

import numpy as np

__all__ = ["Search"]


class Search(Protocol):
    """A search that is under way. Its result depends on its seed and its steps, never on time or workers."""

    unit: str
    """What a step is, in the plural: "evaluations", "generations"."""
    record_every: int
    """After how many steps the history gets a line."""

    @property
    def total(self) -> int:
        """How many steps there will be, unless the search ends earlier."""

    @property
    def done(self) -> int:
        """How many steps have been taken."""

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do."""

    @property
    def usable(self) -> bool:
        """Whether something has been found, so that an interrupted run has a result."""

    def advance(self) -> None:
        """Take at least one step, for about a tenth of a second at most; the state changes as a whole at the end."""

    def row(self) -> dict[str, float]:
        """The line of the history that describes the state."""

    def words(self) -> str:
        """The best so far in a few words, for the progress bar."""

    def state(self) -> dict[str, np.ndarray]:
        """Everything that the rest of the run depends on, as arrays of numbers or text."""

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a state."""
