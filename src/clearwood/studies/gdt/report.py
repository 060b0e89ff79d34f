"""GdtReproduction: accuracy and leaves of both learners beside Tables 1 and 3, and the figures."""

from __future__ import annotations

import csv
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from clearwood.cached import cached_property
from clearwood.studies.gdt.figures import (
    figure_1_text,
    figure_2_text,
    figure_3_text,
    plot_figure_2,
    plot_figure_3,
    strategies,
)
from clearwood.studies.gdt.sets import is_artificial
from clearwood.studies.reproduction import Reproduction
from clearwood.studies.text_grid import grid
from clearwood.whole_file import whole_text, write_whole

__all__ = ["GdtReproduction", "Row"]

LEARNERS = {"linear": "gdt", "oc1": "oc1"}


@dataclass(frozen=True)
class Row:
    """A learner on a data set: per cent and leaves, the paper's and ours, means of so many runs."""

    data: str
    learner: str
    published: float
    published_leaves: float
    ours: float
    leaves: float
    seconds: float
    runs: int
    zero_noise: float

    @property
    def falls_short(self) -> str:
        """What our linear trees lack: more than a point of accuracy, or a leaf too many; nothing for OC1."""
        if self.learner != "linear":
            return ""
        short = "accuracy" if self.ours < self.published - 1 else ""
        large = "leaves" if self.leaves > self.published_leaves + 1 else ""
        return ", ".join(filter(None, (short, large)))


@dataclass(frozen=True, eq=False)
class GdtReproduction(Reproduction):
    """The paper's tables with sizes, and what its figures show."""

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """One for each data set and learner that was run, in the paper's order."""
        with (self.study.folder / "published.csv").open(encoding="utf-8", newline="") as file:
            published = {row["data"]: row for row in csv.DictReader(file)}
        found = []
        for data, cells in published.items():
            for learner, column in LEARNERS.items():
                done = [
                    r.scores
                    for r in self.comparison.results
                    if (r.unit.data, r.unit.learner, r.status) == (data, learner, "done")
                ]
                if not done:
                    continue
                means = {name: float(np.mean([scores[name] for scores in done])) for name in _MEANS}
                noise = [scores["zero_noise"] for scores in done if "zero_noise" in scores]
                found.append(
                    Row(
                        data,
                        learner,
                        float(cells[column]),
                        float(cells[f"{column}_leaves"]),
                        100 * means["accuracy"],
                        means["leaves"],
                        means["fit_seconds"],
                        len(done),
                        float(np.mean(noise)) if noise else np.nan,
                    )
                )
        return tuple(found)

    def beside(self) -> list[str]:
        artificial = [row for row in self.rows if is_artificial(row.data)]
        real = [row for row in self.rows if not is_artificial(row.data)]
        parts = [f"{title}\n\n{_table(rows)}" for title, rows in ((_T1, artificial), (_T3, real)) if rows]
        if real:
            parts.append(f"Table 2: the data sets of the UCI repository\n\n{self._sets()}")
        parts += self.claims()
        parts.append(f"Figure 1: how the nodes of a tree are ranked for mutation\n\n{figure_1_text()}")
        parts.append(f"Figure 2: chess2, zebra1 and zebra3\n\n{figure_2_text()}")
        parts.append(f"Figure 3: two ways to mutate, on LS5\n\n{figure_3_text(strategies())}")
        return parts

    def claims(self) -> list[str]:
        """Where ours fall short, how noise tells, and whether trees are smaller than OC1's."""
        linear = {row.data: row for row in self.rows if row.learner == "linear"}
        oc1 = {row.data: row for row in self.rows if row.learner == "oc1"}
        short = [f"{row.data} ({row.falls_short})" for row in linear.values() if row.falls_short]
        parts = [
            f"Within one point of GDT's accuracy and one leaf of its size: {len(linear) - len(short)} of "
            f"{len(linear)} rows" + (f"; short: {', '.join(short)}." if short else ".")
        ]
        zero = [row.zero_noise for row in linear.values() if not np.isnan(row.zero_noise)]
        falls = {
            row.data: linear[row.data.split()[0]].ours - row.ours
            for row in linear.values()
            if "noise" in row.data and row.data.split()[0] in linear
        }
        if zero and falls:
            worst = max(falls, key=lambda data: falls[data])
            parts.append(
                f"Noise features: {100 * np.mean(zero):.1f} % of their weights are zero in the linear trees; accuracy "
                f"falls by {np.mean(list(falls.values())):.1f} points on average, at most {falls[worst]:.1f} ({worst})."
            )
        both = [data for data in linear if data in oc1]
        if both:
            fewer = sum(linear[data].leaves < oc1[data].leaves for data in both)
            ours, theirs = (np.mean([part[data].leaves for data in both]) for part in (linear, oc1))
            parts.append(
                f"Leaves beside our OC1: fewer on {fewer} of {len(both)} rows, {ours:.1f} to {theirs:.1f} on average."
            )
        return parts + self._relaxed()

    def _relaxed(self) -> list[str]:
        """What a relaxed stop does for vehicle, of which the paper speaks without figures."""
        lines = []
        for data in self.comparison.data:
            scores = {
                learner: [
                    result.scores
                    for result in self.comparison.results
                    if (result.unit.data, result.unit.learner, result.status) == (data, learner, "done")
                ]
                for learner in ("linear", "relaxed")
            }
            if all(scores.values()):
                usual, longer = (100 * float(np.mean([s["accuracy"] for s in found])) for found in scores.values())
                lines.append(
                    f"{data} with a relaxed stop (patience 2000 in place of 500): {longer:.1f} % in place of "
                    f"{usual:.1f}; the paper says that accuracy becomes significantly better."
                )
        return lines

    def _sets(self) -> str:
        """Table 2 beside what was read here; test rows in brackets where a set has its own."""
        with (self.study.folder / "table2.csv").open(encoding="utf-8", newline="") as file:
            published = {row["data"]: row for row in csv.DictReader(file)}
        lines = [["data set", "rows: paper", "ours", "features: paper", "ours", "classes: paper", "ours"]]
        for data, facts in self.comparison.tables.items():
            if data in published:
                theirs = published[data]
                tests = f" ({theirs['test_rows']})" if theirs["test_rows"] else ""
                ours = [str(facts.n_rows), str(facts.n_features), str(facts.n_classes)]
                rows = f"{theirs['rows']}{tests}"
                lines.append([data, rows, ours[0], theirs["features"], ours[1], theirs["classes"], ours[2]])
        return grid(lines)

    def _figures(self) -> dict[str, Any]:
        return {
            "rows": [
                {k: None if v != v else v for k, v in asdict(row).items()} | {"falls_short": row.falls_short}
                for row in self.rows
            ],
            "claims": self.claims(),
            "figure_3": {name: {k: v.tolist() for k, v in run.items()} for name, run in strategies().items()},
        }

    def write_csv(self, path: Path) -> None:
        with whole_text(path) as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*Row.__dataclass_fields__, "falls_short"])
            for row in self.rows:
                numbers = (f"{v:.6g}" if isinstance(v, float) else v for v in asdict(row).values())
                writer.writerow([*numbers, row.falls_short])

    def write_page(self, path: Path) -> None:
        from clearwood.studies.markdown import markdown_html
        from clearwood.studies.page import inline_svg, page, paragraph, preformatted, section
        from clearwood.studies.report import trees_section

        figures = [
            inline_svg(plot_figure_2(), "figure-2", "The artificial sets, and the tests of the trees found"),
            inline_svg(plot_figure_3(strategies()), "figure-3", "Mutations in a generation, and those that gain"),
        ]
        sections = [
            section("Beside the paper", preformatted("\n\n".join(self.beside()[:-2]))),  # the rest is drawn
            section("Figures", *figures),
            trees_section(self.comparison),
            section("Notes", markdown_html(self.study.notes())),
            section("Command", paragraph(self.comparison.command)),
        ]
        write_whole(path, page(f"{self.study.title}{self._version()}", self.study.source, sections))


_MEANS = ("accuracy", "leaves", "fit_seconds")
_T1 = "Table 1: artificial data sets"
_T3 = "Table 3: data sets of the UCI repository"


def _table(rows: list[Row]) -> str:
    head = ["data set", "learner", "paper %", "ours %", "leaves: paper", "ours", "runs", "s a run", "short of GDT"]
    lines = [head]
    for row in rows:
        lines.append(
            [
                row.data,
                "GDT" if row.learner == "linear" else "OC1",
                f"{row.published:.1f}",
                f"{row.ours:.1f}",
                f"{row.published_leaves:.1f}",
                f"{row.leaves:.1f}",
                str(row.runs),
                f"{row.seconds:.2f}",
                row.falls_short,
            ]
        )
    return grid(lines, left=2)
