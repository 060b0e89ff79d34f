"""Rankings: the learners' mean places over the data sets, and which of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.cached import cached_property
from clearwood.evaluate.ranks import RankTest, critical_difference, friedman_test, groups_alike
from clearwood.studies.measures import measure
from clearwood.studies.text_grid import short
from clearwood.wording import plural

__all__ = ["Rankings", "rank_over_data"]


@dataclass(frozen=True, eq=False)
class Rankings:
    """The Friedman test of the learners over the data sets, and Nemenyi's test of their mean ranks.

    Attributes
    ----------
    learners : tuple of str
        The names, in the order of ``ranks``.
    score, level : str, float
        What was ranked, and the level of significance.
    test : RankTest
        The Friedman test.
    """

    learners: tuple[str, ...]
    score: str
    level: float
    test: RankTest

    @property
    def ranks(self) -> tuple[float, ...]:
        """For each learner its mean place, 1 for the best."""
        return self.test.average_ranks

    @cached_property
    def critical_difference(self) -> float:
        """How far two mean ranks must lie apart to differ; NaN where there is nothing to compare."""
        if len(self.learners) < 2 or self.test.n_sets < 2:
            return float("nan")
        return critical_difference(len(self.learners), self.test.n_sets, self.level)

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """The largest groups of learners, by position and best first, that do not differ significantly."""
        return [] if np.isnan(self.critical_difference) else groups_alike(self.ranks, self.critical_difference)

    def __str__(self) -> str:
        if np.isnan(self.critical_difference):
            return f"No ranks to test: {self.test.note}."
        differ = "differ" if self.test.is_significant(self.level) else "do not differ"
        lines = [
            f"Over {plural(self.test.n_sets, 'data set')} the learners {differ} significantly in "
            f"{measure(self.score).heading} (Friedman, {p_text(self.test.p_value)}).",
            f"Two of them differ if their mean ranks lie {self.critical_difference:.2f} apart (Nemenyi).",
        ]
        if self.groups and len(self.learners) > 2:
            alike = "; ".join(", ".join(short(self.learners[j]) for j in group) for group in self.groups)
            lines[-1] += f" Not so far apart: {alike}."
        return "\n".join(lines)


def p_text(p_value: float) -> str:
    """A p-value for people.

    >>> p_text(0.03456), p_text(0.0000002)
    ('p = 0.035', 'p < 0.001')
    """
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def rank_over_data(means: np.ndarray, learners: Sequence[str], score: str, level: float) -> Rankings:
    """Rank the learners (across) by their means on the data sets (down)."""
    test = friedman_test(means, higher_is_better=measure(score).higher)
    return Rankings(tuple(learners), score, level, test)
