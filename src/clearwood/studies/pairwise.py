"""Pairwise: which learner beats which, on how many data sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.cached import cached_property
from clearwood.evaluate.significance import TESTS, paired_test
from clearwood.learn.checks import check_choice
from clearwood.studies.measures import measure
from clearwood.studies.text_grid import grid, short
from clearwood.wording import plural

__all__ = ["Pairwise", "test_pairs"]


@dataclass(frozen=True, eq=False)
class Pairwise:
    """A paired test for each data set and pair of learners.

    Attributes
    ----------
    kind, level, score : str, float, str
        The test, the level of significance and what was compared.
    data, learners : tuple of str
        The names, in the order of the arrays.
    differences : array
        By data set, first and second learner: the mean of first minus second.
    estimates : array
        The same for what the test itself is about: the mean, pseudo-median or median, whose sign says who is better.
    p_values : array
        The same for the test's two-sided p-value; NaN where there is nothing to test.
    """

    kind: str
    level: float
    score: str
    data: tuple[str, ...]
    learners: tuple[str, ...]
    differences: np.ndarray
    estimates: np.ndarray
    p_values: np.ndarray

    @cached_property
    def verdicts(self) -> np.ndarray:
        """By data set, first and second learner: 1 where the first is significantly better, -1 where it is worse."""
        better = 1 if measure(self.score).higher else -1
        return np.where(self.p_values <= self.level, better * np.sign(self.estimates), 0).astype(int)

    @property
    def win_draw_loss(self) -> np.ndarray:
        """For each first and second learner the data sets that the first wins, draws and loses; untested ones out."""
        verdicts, tested = self.verdicts, np.isfinite(self.p_values)
        return np.stack([((verdicts == sign) & tested).sum(axis=0) for sign in (1, 0, -1)], axis=-1)

    def mark(self, data: str, learner: str, reference: str) -> str:
        """``"+"`` where the learner is significantly better than the reference, ``"-"`` where worse, else nothing."""
        i, j, k = self.data.index(data), self.learners.index(learner), self.learners.index(reference)
        return ("", "+", "-")[self.verdicts[i, j, k]]

    def __str__(self) -> str:
        rows = [["", *map(short, self.learners)]]
        for name, records in zip(self.learners, self.win_draw_loss, strict=True):
            cells = ("/".join(map(str, record)) for record in records)
            rows.append(
                [short(name), *("" if name == other else c for other, c in zip(self.learners, cells, strict=True))]
            )
        return (
            f"Wins/draws/losses of the learner at the left in {measure(self.score).heading}, over "
            f"{plural(len(self.data), 'data set')} ({self.kind} at {100 * self.level:g} %)\n\n{grid(rows)}"
        )


def test_pairs(
    scores: np.ndarray,
    data: Sequence[str],
    learners: Sequence[str],
    kind: str,
    level: float,
    score: str,
    test_share: float,
) -> Pairwise:
    """Test each pair of learners on each data set; ``scores`` go by data set, learner, repeat and fold."""
    check_choice("kind", kind, TESTS)
    n = len(learners)
    differences, estimates, p_values = np.full((3, len(data), n, n), np.nan)
    for i, cells in enumerate(scores.reshape(len(data), n, -1)):
        for j in range(n):
            for k in range(j + 1, n):
                if np.count_nonzero(np.isfinite(cells[j]) & np.isfinite(cells[k])) < 2:
                    continue
                found = paired_test(cells[j], cells[k], kind, test_share=test_share)
                p_values[i, j, k] = p_values[i, k, j] = found.p_value
                differences[i, j, k] = found.mean_difference
                differences[i, k, j] = -found.mean_difference
                estimates[i, j, k] = found.interval.mean
                estimates[i, k, j] = -found.interval.mean
    return Pairwise(kind, level, score, tuple(data), tuple(learners), differences, estimates, p_values)


test_pairs.__test__ = False  # type: ignore[attr-defined]  # pytest: the name says what it does, it is no test
