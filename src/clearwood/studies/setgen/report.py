"""SetGenReproduction: error, size and features of C4.5 and SET-GEN with paired t-tests, and whether the claim holds."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from clearwood.cached import cached_property
from clearwood.evaluate.significance import paired_t_test
from clearwood.studies.measures import measure
from clearwood.studies.rankings import p_text
from clearwood.studies.reproduction import Reproduction
from clearwood.studies.text_grid import grid, short
from clearwood.whole_file import whole_text
from clearwood.wording import plural, visible

__all__ = ["Pair", "SetGenReproduction"]

SCORES = ("error", "nodes", "features")
LEVEL = 0.05
SETTINGS = {
    "C4.5 of 1993": ("c45_1993", "setgen_1993"),
    "C4.5 of 1993, final trees unpruned": ("c45_unpruned", "setgen_unpruned"),
    "C4.5 release 8 (1996)": ("c45", "setgen"),
}
"""The two learners of each setting; the first is the paper's."""


@dataclass(frozen=True)
class Pair:
    """The means of both learners on one data set, and the p-values of the two-tailed matched-pair t-test, run by run.

    A run is one cross-validation, as the paper has it. ``corrected`` is the p-value of the corrected resampled test of
    all runs together, which allows for the overlap of the training rows.
    """

    setting: str
    data: str
    score: str
    c45: float
    setgen: float
    p_values: tuple[float, ...]
    corrected: float

    @property
    def p_value(self) -> float:
        """That of the middle run."""
        return float(np.median(self.p_values))

    @property
    def n_significant(self) -> int:
        """In how many runs the two differ significantly."""
        return sum(p <= LEVEL for p in self.p_values)

    @property
    def is_significant(self) -> bool:
        return bool(self.p_value <= LEVEL)


@dataclass(frozen=True, eq=False)
class SetGenReproduction(Reproduction):
    """The paper has bar charts and claims instead of a table, so ours are tested against the claims."""

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """By setting and score, one for each data set that both learners have finished."""
        found = []
        for setting in self.settings:
            both = [self.comparison.learners.index(name) for name in SETTINGS[setting]]
            for score in SCORES:
                means, cells = self.comparison.means(score)[:, both], self.comparison.scores(score)[:, both]
                corrected = self.comparison.test("corrected_t", LEVEL, score).p_values[:, both[0], both[1]]
                found += [
                    Pair(
                        setting,
                        data,
                        score,
                        float(means[i, 0]),
                        float(means[i, 1]),
                        _by_run(cells[i]),
                        float(corrected[i]),
                    )
                    for i, data in enumerate(self.comparison.data)
                    if np.isfinite(means[i]).all() and _by_run(cells[i])
                ]
        return tuple(found)

    @property
    def settings(self) -> list[str]:
        """Those of which both learners were run."""
        return [name for name, both in SETTINGS.items() if set(both) <= set(self.comparison.learners)]

    def of_score(self, score: str, setting: str) -> list[Pair]:
        return [pair for pair in self.pairs if (pair.score, pair.setting) == (score, setting)]

    def beside(self) -> list[str]:
        parts = []
        for setting in self.settings:
            tables = [_table(self.of_score(score, setting), score) for score in SCORES if self.of_score(score, setting)]
            if tables:
                parts += [setting, *tables, *self.claims(setting)]
        return parts

    def claims(self, setting: str) -> list[str]:
        """The paper's three claims, and what our figures in a setting say."""
        error, nodes, features = (self.of_score(score, setting) for score in SCORES)
        if not error:
            return []
        worse = [p for p in error if p.is_significant and p.setgen > p.c45]
        better = [p for p in error if p.is_significant and p.setgen < p.c45]
        return [
            f"Accuracy. The paper: not distinguishable from C4.5's, or better. Ours: significantly worse on "
            f"{_named(worse)}, significantly better on {_named(better)}.",
            f"Size. The paper: smaller on every set, frequently by a factor of two or more. Ours: {_less(nodes)}.",
            f"Features. The paper: fewer on every set, almost always at least two to one. Ours: {_less(features)}.",
        ]

    def beside_in_page(self) -> list[str]:
        from clearwood.studies.page import Cell, paragraph, table

        parts = []
        for setting in self.settings:
            for score in SCORES:
                rows = [
                    [
                        pair.data,
                        *_cells(pair)[:2],
                        Cell(_cells(pair)[2], style="differs" if pair.is_significant else ""),
                        *_cells(pair)[3:],
                    ]
                    for pair in self.of_score(score, setting)
                ]
                if rows:
                    head = ["data set", "c45", "setgen", "p", "runs", "p, corrected"]
                    parts.append(table(head, rows, f"{setting}: {_heading(score)}"))
            parts += map(paragraph, self.claims(setting))
        return parts

    def to_dict(self) -> dict[str, Any]:
        pairs = [{**asdict(pair), "p_value": pair.p_value, "significant": pair.is_significant} for pair in self.pairs]
        claims = {setting: self.claims(setting) for setting in self.settings}
        return {**super().to_dict(), "pairs": pairs, "claims": claims}

    def write_csv(self, path: Path) -> None:
        with whole_text(path) as file:
            writer = csv.writer(file, lineterminator="\n")
            head = ["setting", "data", "score", "c45", "setgen", "p_value", "runs", "significant_runs", "p_corrected"]
            writer.writerow([*head, "significant"])
            for pair in self.pairs:
                c45, setgen, p_value, corrected = (
                    f"{value:.6g}" for value in (pair.c45, pair.setgen, pair.p_value, pair.corrected)
                )
                runs = [len(pair.p_values), pair.n_significant]
                cells = [pair.setting, pair.data, pair.score, c45, setgen, p_value, *runs, corrected]
                writer.writerow([*cells, str(pair.is_significant).lower()])


def _heading(score: str) -> str:
    return measure(score).heading + (" %" if measure(score).form == "share" else "")


def _by_run(cells: np.ndarray) -> tuple[float, ...]:
    """The p-values of the runs in which both learners have finished two folds; cells are by learner, run and fold."""
    enough = np.isfinite(cells).all(axis=0).sum(axis=1) >= 2
    return tuple(float(paired_t_test(*cells[:, run]).p_value) for run in np.flatnonzero(enough))


def _cells(pair: Pair) -> list[str]:
    known = measure(pair.score)
    plain, corrected = (
        "–" if np.isnan(p) else p_text(p)[2:].removeprefix("= ") for p in (pair.p_value, pair.corrected)
    )
    runs = f"{pair.n_significant} of {len(pair.p_values)}"
    return [known.text(pair.c45), known.text(pair.setgen), plain, runs, corrected]


def _table(pairs: Sequence[Pair], score: str) -> str:
    rows = [[_heading(score), "c45", "setgen", "ratio", "p", "", "runs", "corrected"]]
    for pair in pairs:
        ratio = pair.setgen / pair.c45 if pair.c45 else np.nan
        c45, setgen, p_value, runs, corrected = _cells(pair)
        star = "*" if pair.is_significant else ""
        rows.append([short(pair.data), c45, setgen, f"{ratio:.2f}", p_value, star, runs, corrected])
    return grid(rows)


def _named(pairs: Sequence[Pair]) -> str:
    return ", ".join(visible(pair.data) for pair in pairs) or "none"


def _less(pairs: Sequence[Pair]) -> str:
    less = [pair for pair in pairs if pair.setgen < pair.c45]
    significant = sum(pair.is_significant for pair in less)
    half = sum(pair.setgen <= pair.c45 / 2 for pair in pairs)
    sets = plural(len(pairs), "set")
    return f"less on {len(less)} of {sets}, significantly on {significant}, half or less on {half}"
