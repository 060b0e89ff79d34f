"""SetGenReproduction: error, size and features of two learners with paired t-tests, and whether the claim holds."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from clearwood.studies.measures import measure
from clearwood.studies.rankings import p_text
from clearwood.studies.reproduction import Reproduction
from clearwood.studies.text_grid import grid, short
from clearwood.whole_file import whole_text
from clearwood.wording import plural, visible

__all__ = ["Pair", "SetGenReproduction"]

SCORES = ("error", "nodes", "features")
LEVEL = 0.05


@dataclass(frozen=True)
class Pair:
    """The means of both learners on one data set, and the p-value of the two-tailed matched-pair t-test.

    ``corrected`` is the p-value of the corrected resampled test, which allows for the overlap of the training rows.
    """

    data: str
    score: str
    c45: float
    setgen: float
    p_value: float
    corrected: float

    @property
    def is_significant(self) -> bool:
        return bool(self.p_value <= LEVEL)


@dataclass(frozen=True, eq=False)
class SetGenReproduction(Reproduction):
    """The paper has bar charts and claims instead of a table, so ours are tested against the claims."""

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """By score, one for each data set that both learners have finished."""
        found = []
        for score in SCORES:
            means = self.comparison.means(score)
            plain, corrected = (self.comparison.test(t, LEVEL, score).p_values[:, 0, 1] for t in ("t", "corrected_t"))
            found += [
                Pair(data, score, *(float(x) for x in (*means[i], plain[i], corrected[i])))
                for i, data in enumerate(self.comparison.data)
                if np.isfinite(means[i]).all()
            ]
        return tuple(found)

    def of_score(self, score: str) -> list[Pair]:
        return [pair for pair in self.pairs if pair.score == score]

    def beside(self) -> list[str]:
        return [_table(self.of_score(score), score) for score in SCORES if self.pairs] + self.claims()

    def claims(self) -> list[str]:
        """The paper's three claims, and what our figures say."""
        if not self.pairs:
            return []
        error, nodes, features = (self.of_score(score) for score in SCORES)
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
        for score in SCORES:
            rows = [
                [
                    pair.data,
                    *_cells(pair)[:2],
                    Cell(_cells(pair)[2], style="differs" if pair.is_significant else ""),
                    _cells(pair)[3],
                ]
                for pair in self.of_score(score)
            ]
            if rows:
                head = ["data set", "c45", "setgen", "p", "p, corrected"]
                parts.append(table(head, rows, _heading(score)))
        return [*parts, *map(paragraph, self.claims())]

    def to_dict(self) -> dict[str, Any]:
        pairs = [{**asdict(pair), "significant": pair.is_significant} for pair in self.pairs]
        return {**super().to_dict(), "pairs": pairs, "claims": self.claims()}

    def write_csv(self, path: Path) -> None:
        with whole_text(path) as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["data", "score", "c45", "setgen", "p_value", "p_corrected", "significant"])
            for pair in self.pairs:
                numbers = (f"{value:.6g}" for value in (pair.c45, pair.setgen, pair.p_value, pair.corrected))
                writer.writerow([pair.data, pair.score, *numbers, str(pair.is_significant).lower()])


def _heading(score: str) -> str:
    return measure(score).heading + (" %" if measure(score).form == "share" else "")


def _cells(pair: Pair) -> list[str]:
    known = measure(pair.score)
    tested = ("–" if np.isnan(p) else p_text(p)[2:].removeprefix("= ") for p in (pair.p_value, pair.corrected))
    return [known.text(pair.c45), known.text(pair.setgen), *tested]


def _table(pairs: Sequence[Pair], score: str) -> str:
    rows = [[_heading(score), "c45", "setgen", "ratio", "p", "", "corrected"]]
    for pair in pairs:
        ratio = pair.setgen / pair.c45 if pair.c45 else np.nan
        c45, setgen, p_value, corrected = _cells(pair)
        star = "*" if pair.is_significant else ""
        rows.append([short(pair.data), c45, setgen, f"{ratio:.2f}", p_value, star, corrected])
    return grid(rows)


def _named(pairs: Sequence[Pair]) -> str:
    return ", ".join(visible(pair.data) for pair in pairs) or "none"


def _less(pairs: Sequence[Pair]) -> str:
    less = [pair for pair in pairs if pair.setgen < pair.c45]
    significant = sum(pair.is_significant for pair in less)
    half = sum(pair.setgen <= pair.c45 / 2 for pair in pairs)
    sets = plural(len(pairs), "set")
    return f"less on {len(less)} of {sets}, significantly on {significant}, half or less on {half}"
