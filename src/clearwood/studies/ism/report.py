"""ISMReproduction: the paper's four tables with ours beside them, and the fidelity that it does not give."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np

from clearwood.cached import cached_property
from clearwood.studies.reproduction import Reproduction
from clearwood.studies.text_grid import grid, short
from clearwood.wording import plural, visible

__all__ = ["ISMReproduction"]

LEVEL = 0.10  # "a 90% two-tailed significance test"
SIZES = {"cmm_p": 1.82, "cmm_up": 3.08, "bagging": 25.73, "ism_t": 3.28, "ism_td": 2.4, "ism_tu": 3.36, "ism_tdu": 2.5}
"""Table 3: nodes, relative to J48, on average over the sets."""


class ISMReproduction(Reproduction):
    """Tables 1 to 4 of the paper, on the data sets that were run."""

    # -- figures --------------------------------------------------------------------------------

    @cached_property
    def published_wins(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        """Table 1: for each pair how often the second wins, draws and loses against the first."""
        with (self.study.folder / "wins.csv").open(encoding="utf-8", newline="") as file:
            return {
                (row["row"], row["column"]): (int(row["wins"]), int(row["draws"]), int(row["losses"]))
                for row in csv.DictReader(file)
            }

    def wins(self, row: str, column: str) -> tuple[int, int, int]:
        """The same of ours."""
        learners = self.comparison.learners
        table = self.comparison.test("corrected_t", LEVEL).win_draw_loss
        won, drawn, lost = table[learners.index(column), learners.index(row)]
        return int(won), int(drawn), int(lost)

    def sizes(self, learner: str) -> np.ndarray:
        """For each data set the mean number of nodes, relative to C4.5's."""
        nodes = self.comparison.means("nodes")
        return nodes[:, self.comparison.learners.index(learner)] / nodes[:, self.comparison.learners.index("c45")]

    def mean_of(self, score: str, learner: str) -> float:
        """The mean of a score over the data sets that have it; NaN if none has."""
        found = self.comparison.means(score)[:, self.comparison.learners.index(learner)]
        return float(np.nanmean(found)) if np.isfinite(found).any() else float("nan")

    def behind(self, learner: str, other: str) -> list[str]:
        """The data sets on which a learner is significantly less accurate than another, at 90 %."""
        tested = self.comparison.test("corrected_t", LEVEL)
        return [data for data in self.comparison.data if tested.mark(data, learner, other) == "-"]

    # -- text -----------------------------------------------------------------------------------

    def beside(self) -> list[str]:
        parts = [self._wins(), self._accuracies(), self._sizes(), self._stabilities(), self._fidelities()]
        parts.append(self._worst())
        if not self.is_whole:
            parts.append("The paper's counts and averages are over all of its sets, so they are left out here.")
        return parts

    def _runs(self) -> str:
        """How often the cross-validations were repeated, in words."""
        by_repeats: dict[int, list[str]] = {}
        for data in self.comparison.data:
            by_repeats.setdefault(self.study.repeats_of(data, self.quick), []).append(data)
        if len(by_repeats) == 1:
            return f"{plural(next(iter(by_repeats)), 'cross-validation')} of {self.study.cv} folds each"
        parts = [
            f"{repeats} of {plural(len(names), 'set')}" + (f" ({', '.join(names)})" if repeats == 1 else "")
            for repeats, names in sorted(by_repeats.items(), reverse=True)
        ]
        return f"cross-validations of {self.study.cv} folds: {', '.join(parts)}"

    def _wins(self) -> str:
        learners = self.comparison.learners
        rows = [["(won/drawn/lost)", *map(short, learners[1:])]]
        for i, row in enumerate(learners[:-1]):
            rows.append([short(row), *("" for _ in learners[1 : i + 1])])
            rows[-1] += ["{}/{}/{}".format(*self.wins(row, column)) for column in learners[i + 1 :]]
            if self.is_whole:
                published = ["{}/{}/{}".format(*self.published_wins[row, column]) for column in learners[i + 1 :]]
                rows.append(["  paper", *("" for _ in learners[1 : i + 1]), *published])
        title = (
            f"Table 1. How often the learner above wins, draws and loses in accuracy against the one at the left, on "
            f"{plural(len(self.comparison.data), 'data set')}\n(corrected resampled t-test, two-tailed, at 90 %; "
            f"{self._runs()})"
        )
        return f"{title}\n\n{grid(rows)}"

    def _accuracies(self) -> str:
        learners = [name for name in self.comparison.learners if name in self.study.columns]
        tested = self.comparison.test("corrected_t", LEVEL)
        means, published = 100 * self.comparison.means(), self.study.published()
        rows = [["ours / paper %", *map(short, learners)]]
        for i, data in enumerate(self.comparison.data):
            cells = [short(data)]
            for name in learners:
                mark = " " if name == "c45" else tested.mark(data, name, "c45") or " "
                cells.append(f"{means[i, self._place(name)]:.2f}{mark}/ {100 * published[data][name]:.2f}")
            rows.append(cells)
        rows.append(["average"])
        for name in learners:
            theirs = np.mean([100 * published[data][name] for data in self.comparison.data])
            rows[-1].append(f"{np.nanmean(means[:, self._place(name)]):.2f} / {theirs:.2f}")
        return f"Table 2. Accuracy; + significantly better, - worse than C4.5, ours at 90 %\n\n{grid(rows)}"

    def _place(self, learner: str) -> int:
        return self.comparison.learners.index(learner)

    def _sizes(self) -> str:
        rows = [["", *map(short, SIZES)]]
        rows.append(["ours", *(f"{np.nanmean(self.sizes(name)):.2f}" for name in SIZES)])
        if self.is_whole:
            rows.append(["paper", *(f"{value:.2f}" for value in SIZES.values())])
        return f"Table 3. Nodes, relative to C4.5's, on average over the sets\n\n{grid(rows)}"

    def _stabilities(self) -> str:
        known = {name: self.study.averages[name]["stability"] for name in self.study.columns}
        rows = [["", *map(short, known)]]
        rows.append(["ours %", *(f"{100 * self.mean_of('stability', name):.2f}" for name in known)])
        if self.is_whole:
            rows.append(["paper %", *(f"{value:.2f}" for value in known.values())])
        return f"Table 4. Stability (equation 5), on average over the sets\n\n{grid(rows)}"

    def _fidelities(self) -> str:
        names = [name for name in self.comparison.learners if np.isfinite(self.mean_of("fidelity", name))]
        rows = [["", *map(short, names)]]
        rows.append(["mean %", *(f"{100 * self.mean_of('fidelity', name):.2f}" for name in names)])
        for name, pick in (("least %", np.nanmin), ("its set", np.nanargmin)):
            cells = [name]
            for learner in names:
                found = pick(self.comparison.means("fidelity")[:, self._place(learner)])
                cells.append(short(self.comparison.data[found]) if name == "its set" else f"{100 * found:.2f}")
            rows.append(cells)
        return (
            "Fidelity, which the paper does not give: tests labelled as the ensemble labels them. The forms with u "
            f"were given the tests, unlabelled\n\n{grid(rows)}"
        )

    def _worst(self) -> str:
        """Where ours is behind C4.5, and where it is furthest behind the paper."""
        lines = []
        for name in ("ism_t", "ism_td"):
            lost = ", ".join(map(visible, self.behind(name, "c45"))) or "no set"
            lines.append(f"{name} is significantly less accurate than C4.5 on {lost} (the paper: on none).")
            worst = sorted(self.of(name), key=lambda line: line.difference)[:3]
            named = ", ".join(f"{visible(line.data)} {line.difference:+.2f}" for line in worst)
            lines.append(f"{name} beside the paper at worst: {named} points.")
        return "\n".join(lines)

    def beside_in_page(self) -> list[str]:
        from clearwood.studies.page import preformatted

        return [preformatted(part) for part in self.beside()]

    def to_dict(self) -> dict[str, Any]:
        pairs = self.published_wins
        return {
            **super().to_dict(),
            "wins": [
                {"row": row, "column": column, "ours": list(self.wins(row, column)), "published": list(theirs)}
                for (row, column), theirs in pairs.items()
            ],
            "sizes": {
                name: {"ours": float(np.nanmean(self.sizes(name))), "published": value} for name, value in SIZES.items()
            },
            "stability": {
                name: {"ours": 100 * self.mean_of("stability", name), "published": known["stability"]}
                for name, known in self.study.averages.items()
            },
            "fidelity": {
                name: 100 * self.mean_of("fidelity", name)
                for name in self.comparison.learners
                if np.isfinite(self.mean_of("fidelity", name))
            },
        }
