"""BestReproduction: how often the interval holds the truth and noise is called noise, and what the choice costs."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from clearwood.studies.best.sets import COVERAGE, NOISE
from clearwood.studies.comparison import Comparison
from clearwood.studies.reproduction import Reproduction
from clearwood.studies.text_grid import grid, short
from clearwood.whole_file import whole_text
from clearwood.wording import plural

__all__ = ["BestReproduction", "Covered"]

READABLE = ("c45", "cart", "setgen", "pareto", "axis", "sparse", "linear")


class Covered(NamedTuple):
    """One simulated table: its kind and rows, the true error, and what was said of it."""

    kind: str
    n_rows: int
    true: float
    judged: float
    low: float
    high: float
    tells: bool

    @property
    def holds(self) -> bool:
        return self.low <= self.true <= self.high


@dataclass(frozen=True, eq=False)
class BestReproduction(Reproduction):
    """The study's tables: there is no paper beside them."""

    simulated: Comparison | None = None

    # -- figures --------------------------------------------------------------------------------

    def covered(self) -> list[Covered]:
        """What became of each simulated table that has a truth to be told."""
        found = []
        for scores, words in self._done(COVERAGE):
            kind, n_rows = words[1], int(words[2])
            judged, low, high = (scores[name] for name in ("judged", "low", "high"))
            found.append(Covered(kind, n_rows, 1 - scores["accuracy"], judged, low, high, bool(scores["tells"])))
        return found

    def noise(self) -> tuple[int, int]:
        """How many tables of noise were called so, and how many there were."""
        told = [not scores["tells"] for scores, _ in self._done(NOISE)]
        return sum(told), len(told)

    def _done(self, part: str) -> list[tuple[dict[str, float], list[str]]]:
        results = () if self.simulated is None else self.simulated.results
        named = [(result.scores, result.unit.data.split()) for result in results if result.status == "done"]
        return [(scores, words) for scores, words in named if words[0] == part]

    def regret(self) -> list[dict[str, Any]]:
        """For each data set what ``best`` reached, and the readable learner that reached most, known afterwards."""
        if "best" not in self.comparison.learners or self.comparison is self.simulated:
            return []
        accuracy, leaves = self.comparison.means("accuracy"), self.comparison.means("leaves")
        names = list(self.comparison.learners)
        rivals = [names.index(name) for name in READABLE if name in names]
        mine, rows = names.index("best"), []
        for i, data in enumerate(self.comparison.data):
            if np.isnan(accuracy[i, mine]) or np.isnan(accuracy[i, rivals]).all():
                continue
            top = rivals[int(np.nanargmax(accuracy[i, rivals]))]
            fair = self._picked_elsewhere(i, rivals)
            rows.append(
                {
                    "data": data,
                    "accuracy": 100 * float(accuracy[i, mine]),
                    "leaves": float(leaves[i, mine]),
                    "rival": names[top],
                    "rival_accuracy": 100 * float(accuracy[i, top]),
                    "rival_leaves": float(leaves[i, top]),
                    "regret": 100 * float(accuracy[i, top] - accuracy[i, mine]),
                    "picked_elsewhere": 100 * fair,
                }
            )
        return rows

    def _picked_elsewhere(self, data: int, rivals: list[int]) -> float:
        """The accuracy, in each fold, of the rival that is best in all other folds; the mean over the folds.

        What is picked by the rows that judge it looks better than it is. This is not.
        """
        folds = self.comparison.scores("accuracy")[data][rivals].reshape(len(rivals), -1)
        folds = folds[:, ~np.isnan(folds).all(axis=0)]
        if folds.shape[1] < 2:
            return float("nan")
        found = []
        for fold in range(folds.shape[1]):
            known = ~np.isnan(folds[:, fold])
            elsewhere = np.nanmean(np.delete(folds[known], fold, axis=1), axis=1)
            found.append(float(folds[known, fold][int(np.nanargmax(elsewhere))]))
        return float(np.mean(found))

    # -- text -----------------------------------------------------------------------------------

    def __str__(self) -> str:
        title = f"{self.study.title}{self._version()}"
        return "\n\n".join(part for part in (title, self.study.source, *self.beside(), self._remarks()) if part)

    def beside(self) -> list[str]:
        return [self._coverage(), self._noise(), self._regret(), self._averages()]

    def _coverage(self) -> str:
        found = self.covered()
        if not found:
            return ""
        rows = [["", "tables", "interval holds", "true error %", "said %", "width, points"]]
        groups = [(f"{n} rows", [one for one in found if one.n_rows == n]) for n in sorted({f.n_rows for f in found})]
        groups += [(kind, [one for one in found if one.kind == kind]) for kind in dict.fromkeys(f.kind for f in found)]
        for name, part in [*groups, ("all", found)]:
            rows.append(
                [
                    name,
                    str(len(part)),
                    f"{100 * np.mean([one.holds for one in part]):.1f} %",
                    f"{100 * np.mean([one.true for one in part]):.1f}",
                    f"{100 * np.mean([one.judged for one in part]):.1f}",
                    f"{100 * np.mean([one.high - one.low for one in part]):.1f}",
                ]
            )
        return f"Coverage: how often the 95 % interval holds the true error of the returned tree\n\n{grid(rows)}"

    def _noise(self) -> str:
        told, n = self.noise()
        if not n:
            return ""
        return f"Noise: of {plural(n, 'table')} whose columns say nothing of the class, {told} are told to be so."

    def _regret(self) -> str:
        found = self.regret()
        if not found:
            return ""
        rows = [["", "best %", "leaves", "in hindsight", "%", "leaves", "regret", "picked elsewhere %"]]
        for one in found:
            rows.append(
                [
                    short(one["data"]),
                    f"{one['accuracy']:.2f}",
                    f"{one['leaves']:.1f}",
                    one["rival"],
                    f"{one['rival_accuracy']:.2f}",
                    f"{one['rival_leaves']:.1f}",
                    f"{one['regret']:+.2f}",
                    f"{one['picked_elsewhere']:.2f}",
                ]
            )
        keys = ("accuracy", "leaves", "rival_accuracy", "rival_leaves", "regret", "picked_elsewhere")
        mean = {key: float(np.mean([one[key] for one in found])) for key in keys}
        rows.append(
            [
                "mean", f"{mean['accuracy']:.2f}", f"{mean['leaves']:.1f}", "", f"{mean['rival_accuracy']:.2f}",
                f"{mean['rival_leaves']:.1f}", f"{mean['regret']:+.2f}", f"{mean['picked_elsewhere']:.2f}",
            ]
        )  # fmt: skip
        head = (
            "Regret: accuracy beside that of the readable learner that turned out best on each set. Picked by the\n"
            "rows that judge it, it looks better than it is; in the last column the other folds pick it for each:\n"
            f"{mean['picked_elsewhere'] - mean['accuracy']:+.2f} points, on average, beside best."
        )
        return f"{head}\n\n{grid(rows)}"

    def _averages(self) -> str:
        if not self.regret():
            return ""
        rows = [["mean over the sets", "accuracy %", "leaves", "features"]]
        for j, learner in enumerate(self.comparison.learners):
            cells = [float(np.nanmean(self.comparison.means(s)[:, j])) for s in ("accuracy", "leaves", "features")]
            rows.append([learner, f"{100 * cells[0]:.2f}", f"{cells[1]:.1f}", f"{cells[2]:.1f}"])
        return grid(rows)

    def beside_in_page(self) -> list[str]:
        from clearwood.studies.page import preformatted

        return [preformatted(part) for part in self.beside() if part]

    def _figures(self) -> dict[str, Any]:
        found = self.covered()
        told, n = self.noise()
        return {
            "coverage": {"tables": len(found), "holds": sum(one.holds for one in found)},
            "noise": {"tables": n, "told": told},
            "regret": self.regret(),
        }

    def write_csv(self, path: Path) -> None:
        """Write one row for each data set."""
        found = self.regret()
        with whole_text(path) as file:
            writer = csv.DictWriter(file, list(found[0]) if found else ["data"], lineterminator="\n")
            writer.writeheader()
            writer.writerows(found)
