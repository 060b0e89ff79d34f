"""Comparison: what several learners have shown on several data sets, as a value to print, plot and save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.cached import cached_property
from clearwood.evaluate.intervals import Interval, corrected_interval
from clearwood.evaluate.stability import agreement
from clearwood.learn.checks import check_choice, check_number
from clearwood.studies.measures import MEASURES, measure
from clearwood.studies.pairwise import Pairwise, test_pairs
from clearwood.studies.rankings import Rankings, rank_over_data
from clearwood.studies.units import Result, TableFacts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

    from clearwood.studies.tree_pages import TreePage

__all__ = ["Comparison", "joined"]


class Comparison:
    """The results of a study: the same folds of the same data sets for every learner.

    ``print`` shows means with intervals and marks what differs significantly from the reference, the first learner
    unless :meth:`against` names another.

    Parameters
    ----------
    results : sequence of Result
        What became of each unit, in any order; units that failed are kept apart.
    tables : mapping of str to TableFacts
        The data sets, in the order in which they are shown.
    learners : sequence of str
        The learners' names, in the order in which they are shown.
    cv, repeats : int
        The folds of one cross-validation, and how often it was repeated.
    command : str
        What runs the study again.

    Attributes
    ----------
    data, learners : tuple of str
        The names, in order.
    failures : tuple of Result
        The units that failed or ran out of time.
    pages : dict
        For data sets whose trees can be looked at the trees, and the name of the page, which is beside the report.
    reference, level : str, float
        The learner that the others are compared with, and the level of significance.
    """

    def __init__(
        self,
        results: Sequence[Result],
        *,
        tables: Mapping[str, TableFacts],
        learners: Sequence[str],
        cv: int,
        repeats: int,
        command: str = "",
    ) -> None:
        self.results = tuple(results)
        self.tables = dict(tables)
        self.data = tuple(tables)
        self.learners = tuple(learners)
        self.cv = cv
        self.repeats = repeats
        self.command = command
        self.reference = self.learners[0]
        self.level = 0.05
        self.pages: dict[str, TreePage] = {}
        self._known: dict[tuple[Any, ...], Any] = {}
        self.failures = tuple(result for result in self.results if result.status != "done")

    def against(self, reference: str, level: float | None = None) -> Comparison:
        """The same results with another learner as the reference, and another level of significance."""
        check_choice("reference", reference, self.learners)
        if level is not None:
            check_number("level", level, 0, 1, open_ends=True)
        twin = Comparison.__new__(Comparison)
        twin.__dict__.update(self.__dict__, reference=reference, level=self.level if level is None else level)
        return twin

    # -- numbers --------------------------------------------------------------------------------

    def scores(self, score: str = "accuracy") -> np.ndarray:
        """A score by data set, learner, repeat and fold; NaN where a unit has none.

        Stability belongs to all folds of a repeat together and stands at each of them.
        """
        measure(score)
        if score == "error":
            return 1.0 - self._cube["accuracy"]
        return self._cube[score]

    @cached_property
    def _cube(self) -> dict[str, np.ndarray]:
        shape = (len(self.data), len(self.learners), self.repeats, self.cv)
        cube = {name: np.full(shape, np.nan) for name in MEASURES if name != "error"}
        probes: dict[tuple[int, int, int], list[np.ndarray]] = {}
        for result in self.results:
            if result.status != "done":
                continue
            place = self.place(result)
            for name, value in result.scores.items():
                if name in cube:
                    cube[name][place] = value
            if result.probe is not None:
                probes.setdefault(place[:3], []).append(result.probe)
        for where, predictions in probes.items():
            cube["stability"][where] = agreement(predictions)
        return cube

    def place(self, result: Result) -> tuple[int, int, int, int]:
        """Where a unit stands in the arrays of :meth:`scores`."""
        unit = result.unit
        return self.data.index(unit.data), self.learners.index(unit.learner), unit.repeat, unit.fold

    def means(self, score: str = "accuracy") -> np.ndarray:
        """The mean of a score by data set and learner; NaN where no unit has one."""
        cells = self.scores(score)
        known = np.isfinite(cells)
        with np.errstate(invalid="ignore"):
            return np.where(known, cells, 0.0).sum(axis=(2, 3)) / known.sum(axis=(2, 3))

    def summary(self, score: str = "accuracy", confidence: float = 0.95) -> dict[tuple[str, str], Interval]:
        """The mean of a score with its interval for each data set and learner.

        The interval is the corrected resampled t interval of the folds. Its bounds are NaN where fewer than two
        folds have the score, and for stability, which folds do not have one by one.
        """
        key = ("summary", score, confidence)
        if key not in self._known:
            cells = self.scores(score)
            self._known[key] = {
                (data, learner): self._interval(score, cells[i, j], confidence)
                for i, data in enumerate(self.data)
                for j, learner in enumerate(self.learners)
            }
        return dict(self._known[key])

    def _interval(self, score: str, cells: np.ndarray, confidence: float) -> Interval:
        values = cells[np.isfinite(cells)]
        if score == "stability" or len(values) < 2:
            mean = float(values.mean()) if len(values) else np.nan
            return Interval(mean, np.nan, np.nan, confidence)
        most = 1.0 if measure(score).form == "share" else np.inf
        return corrected_interval(values, 1 / (self.cv - 1), confidence).within(0.0, most)

    def test(self, kind: str = "corrected_t", level: float | None = None, score: str = "accuracy") -> Pairwise:
        """Test every pair of learners on every data set.

        Parameters
        ----------
        kind : {"corrected_t", "t", "wilcoxon", "sign"}
            The test of the paired folds. Only the first allows for the overlap of the training sets.
        level : float
            The level of significance; that of this comparison if None.
        score : str
            What is compared.
        """
        level = self.level if level is None else level
        check_number("level", level, 0, 1, open_ends=True)
        key = ("test", kind, level, score)
        if key not in self._known:
            self._known[key] = test_pairs(
                self.scores(score), self.data, self.learners, kind, level, score, 1 / (self.cv - 1)
            )
        return self._known[key]

    def rank(self, score: str = "accuracy", level: float | None = None) -> Rankings:
        """Rank the learners over the data sets: Friedman's test, and Nemenyi's critical difference."""
        level = self.level if level is None else level
        return rank_over_data(self.means(score), self.learners, score, level)

    def to_frame(self) -> DataFrame:
        """A pandas frame with one row for each unit: names, status, scores, times, seed and error."""
        from clearwood.studies.frames import frame_of_units

        return frame_of_units(self)

    def write_csv(self, path: str | PathLike[str]) -> None:
        """Write the rows of :meth:`to_frame` to a CSV file, without pandas."""
        from clearwood.studies.frames import write_units

        write_units(self, path)

    def to_dict(self) -> dict[str, Any]:
        """The results as plain numbers and lists that JSON can hold; NaN becomes None."""
        from clearwood.studies.frames import document

        return document(self)

    # -- for people -----------------------------------------------------------------------------

    def __str__(self) -> str:
        from clearwood.studies.comparison_text import comparison_text

        return comparison_text(self)

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.learners)} on {', '.join(self.data)}: {len(self.results)} units>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from clearwood.studies.comparison_text import comparison_html

        return comparison_html(self)

    def plot(self, kind: str = "bars", ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the comparison with matplotlib.

        Parameters
        ----------
        kind : {"bars", "critical_difference", "scatter"}
            Bars of one score by data set and learner (``score="error"``); the learners' mean ranks with those that
            do not differ significantly joined by a line; or one score against another (``x="nodes", y="accuracy"``).
        ax : matplotlib Axes, optional
            Where to draw; a new figure if absent.
        """
        from clearwood.studies.figures import PLOTS

        check_choice("kind", kind, PLOTS)
        return PLOTS[kind](self, ax=ax, **options)

    def write_page(self, path: str | PathLike[str]) -> None:
        """Write a report as one HTML file that needs nothing else: tables, plots, failures, how to run it again."""
        from clearwood.studies.report import write_report

        write_report(self, path)


def joined(parts: Sequence[Comparison], data: Sequence[str]) -> Comparison:
    """Comparisons of the same learners on different data sets as one, in the given order of the data sets."""
    facts = {name: part.tables[name] for part in parts for name in part.data}
    return Comparison(
        [result for part in parts for result in part.results],
        tables={name: facts[name] for name in data},
        learners=parts[0].learners,
        cv=parts[0].cv,
        repeats=max(part.repeats for part in parts),
        command=parts[0].command,
    )
