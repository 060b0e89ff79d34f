"""DistilledReproduction: how much of an ensemble's gain each tree keeps, at which size, and where it loses to C4.5."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clearwood.studies.measures import measure
from clearwood.studies.reproduction import Reproduction
from clearwood.studies.text_grid import grid, short
from clearwood.whole_file import whole_text
from clearwood.wording import plural, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["DistilledReproduction", "Share"]

LEVEL = 0.05
ENSEMBLES = ("bagging", "forest")
DRAWS = 2000  # resamples of the data sets, for the intervals of shares
FACTS = ("data", "rows", "columns", "classes")
SCORES = ("accuracy", "leaves", "terms", "features", "stability", "fidelity", "fit_seconds")


class Share(NamedTuple):
    """What part of an ensemble's gain over C4.5 is kept, with the interval over data sets that holds 95 %."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return "–" if np.isnan(self.value) else f"{self.value:.0f} ({self.low:.0f} to {self.high:.0f})"


class DistilledReproduction(Reproduction):
    """The study's tables: there is no paper beside them."""

    # -- figures --------------------------------------------------------------------------------

    def of_learner(self, score: str, learner: str) -> np.ndarray:
        """The mean of a score on each data set."""
        return self.comparison.means(score)[:, self.comparison.learners.index(learner)]

    def share(self, learner: str, ensemble: str) -> Share:
        """Accuracy above C4.5's, in per cent of what the ensemble has above it; both are means over the sets.

        The interval is that of data sets drawn anew, so it tells how far other sets might have given another figure.
        """
        base = self.of_learner("accuracy", "c45")
        ours, theirs = self.of_learner("accuracy", learner) - base, self.of_learner("accuracy", ensemble) - base
        known = np.isfinite(ours) & np.isfinite(theirs)
        ours, theirs = ours[known], theirs[known]
        if not len(ours) or theirs.mean() <= 0:
            return Share(float("nan"), float("nan"), float("nan"))
        drawn = np.random.default_rng(0).integers(len(ours), size=(DRAWS, len(ours)))
        gains = theirs[drawn].mean(axis=1)
        shares = ours[drawn].mean(axis=1)[gains > 0] / gains[gains > 0]
        low, high = np.percentile(shares, (2.5, 97.5))
        return Share(100 * float(ours.mean() / theirs.mean()), 100 * float(low), 100 * float(high))

    def relative_leaves(self, learner: str) -> float:
        """The mean number of leaves over the sets, relative to C4.5's."""
        return float(np.nanmean(self.of_learner("leaves", learner)) / np.nanmean(self.of_learner("leaves", "c45")))

    def against_c45(self, learner: str) -> tuple[list[str], list[str]]:
        """The data sets on which it is significantly more, and significantly less accurate than C4.5."""
        tested = self.comparison.test("corrected_t", LEVEL)
        marks = {data: tested.mark(data, learner, "c45") for data in self.comparison.data}
        return [d for d, mark in marks.items() if mark == "+"], [d for d, mark in marks.items() if mark == "-"]

    # -- text -----------------------------------------------------------------------------------

    def __str__(self) -> str:
        title = f"{self.study.title}{self._version()}"
        return "\n\n".join(part for part in (title, self.study.source, *self.beside(), self._remarks()) if part)

    def beside(self) -> list[str]:
        return [self._averages(), self._shares(), self._wins(), self._accuracies()]

    def _averages(self) -> str:
        rows = [["", *(measure(score).heading for score in SCORES)]]
        for learner in self.comparison.learners:
            rows.append([short(learner)])
            for score in SCORES:
                found = self.of_learner(score, learner)
                mean = float(np.nanmean(found)) if np.isfinite(found).any() else float("nan")
                rows[-1].append(measure(score).text(mean))
        sets = plural(len(self.comparison.data), "data set")
        return f"Means over {sets}; accuracy, stability and fidelity in per cent\n\n{grid(rows)}"

    def _shares(self) -> str:
        rows = [["", "of bagging's gain %", "of the forest's gain %", "leaves / C4.5's"]]
        for learner in self.comparison.learners:
            if learner not in ("c45", *ENSEMBLES):
                kept = [str(self.share(learner, ensemble)) for ensemble in ENSEMBLES]
                rows.append([short(learner), *kept, f"{self.relative_leaves(learner):.2f}"])
        return f"Gain in accuracy over C4.5 that is kept, with 95 % intervals over the data sets\n\n{grid(rows)}"

    def _wins(self) -> str:
        rows = [["against C4.5", "won", "drawn", "lost", "lost on"]]
        for learner in self.comparison.learners:
            if learner != "c45":
                won, lost = self.against_c45(learner)
                drawn = len(self.comparison.data) - len(won) - len(lost)
                names = ", ".join(map(visible, lost)) or "no set"
                rows.append([short(learner), str(len(won)), str(drawn), str(len(lost)), names])
        return f"Significant differences: corrected resampled t-test at {100 * LEVEL:.0f} %\n\n{grid(rows)}"

    def _accuracies(self) -> str:
        tested, means = self.comparison.test("corrected_t", LEVEL), 100 * self.comparison.means()
        rows = [["accuracy %", *map(short, self.comparison.learners)]]
        for i, data in enumerate(self.comparison.data):
            rows.append([short(data)])
            for j, learner in enumerate(self.comparison.learners):
                mark = " " if learner == "c45" else tested.mark(data, learner, "c45") or " "
                rows[-1].append(f"{means[i, j]:.2f}{mark}")
        return f"+ significantly better, - worse than C4.5\n\n{grid(rows)}"

    def beside_in_page(self) -> list[str]:
        from clearwood.studies.page import inline_svg, preformatted

        caption = "Accuracy and size, averaged over the data sets: up and to the left is better."
        drawn = inline_svg(self.plot().figure, "sizes", caption)
        return [*(preformatted(part) for part in self.beside()), drawn]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw accuracy against the number of leaves, both averaged over the data sets; ensembles are lines."""
        from matplotlib.figure import Figure
        from matplotlib.ticker import LogLocator, NullLocator

        from clearwood.view.colours import class_colours

        if ax is None:
            ax = Figure(figsize=(6.4, 3.8), layout="constrained").add_subplot()
        names = self.comparison.learners
        places = {
            learner: (float(np.nanmean(self.of_learner("leaves", learner))), accuracy)
            for learner in names
            if learner not in ENSEMBLES
            for accuracy in [100 * float(np.nanmean(self.of_learner("accuracy", learner)))]
        }
        for learner, colour in zip(names, class_colours(len(names)), strict=True):
            accuracy = 100 * float(np.nanmean(self.of_learner("accuracy", learner)))
            if learner in ENSEMBLES:
                ax.axhline(accuracy, color=colour, linestyle="--", linewidth=1)
                at, within, offset, side = (0.99, accuracy), ("axes fraction", "data"), (0, 3), "right"
            else:
                leaves, _ = places[learner]
                ax.plot([leaves], [accuracy], "o", color=colour)
                # of two that are nearly equal the lower one has its name below
                others = [place for other, place in places.items() if other != learner]
                low = any(0.8 < leaves / other < 1.25 and 0 <= height - accuracy < 0.5 for other, height in others)
                at, within, offset, side = (leaves, accuracy), ("data", "data"), (6, -11) if low else (6, 4), "left"
            ax.annotate(learner, at, offset, within, "offset points", ha=side, fontsize=8.5)
        ax.set_xscale("log")
        ax.margins(x=0.15, y=0.08)
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5)))
        ax.xaxis.set_major_formatter("{x:g}")
        ax.xaxis.set_minor_locator(NullLocator())
        ax.grid(alpha=0.25)
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_xlabel(f"leaves, mean over {plural(len(self.comparison.data), 'data set')}")
        ax.set_ylabel("accuracy (%)")
        return ax

    def _figures(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for learner in self.comparison.learners:
            won, lost = self.against_c45(learner) if learner != "c45" else ([], [])
            means = {score: float(np.nanmean(self.of_learner(score, learner))) for score in ("accuracy", "leaves")}
            found[learner] = {
                **means,
                "relative_leaves": self.relative_leaves(learner),
                "of_bagging": list(self.share(learner, "bagging")),
                "of_forest": list(self.share(learner, "forest")),
                "won": won,
                "lost": lost,
            }
        return {"learners": found}

    def write_csv(self, path: Path) -> None:
        """Write a row for each data set, learner and cross-validation: each fold's accuracy, means of other scores."""
        scores = {score: self.comparison.scores(score) for score in SCORES}
        with whole_text(path) as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*FACTS, "learner", "repeat", *SCORES])
            for i, facts in enumerate(self.comparison.tables.values()):
                for j, learner in enumerate(self.comparison.learners):
                    for repeat in range(self.comparison.repeats):
                        cells = {score: cube[i, j, repeat] for score, cube in scores.items()}
                        if np.isfinite(cells["accuracy"]).all():
                            folds = " ".join(f"{value:.6g}" for value in cells.pop("accuracy"))
                            means = [f"{value.mean():.6g}" for value in cells.values()]
                            writer.writerow([*facts, learner, repeat, folds, *means])
