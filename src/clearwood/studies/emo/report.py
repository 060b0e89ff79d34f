"""EmoReproduction: errors and rules beside Tables 11.1 and 11.2, and what Figures 11.5 to 11.9 show."""

from __future__ import annotations

import csv
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from clearwood.cached import cached_property
from clearwood.studies.emo.curves import Curve, curve_of
from clearwood.studies.emo.figures import figure_5_text, figure_6_text, first_experiment, plot_figure_5, plot_figure_8
from clearwood.studies.reproduction import Reproduction
from clearwood.studies.text_grid import grid, short
from clearwood.whole_file import whole_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from clearwood.studies.emo.study import EmoStudy

__all__ = ["EmoReproduction", "Figures"]

CHOOSERS = ("emo100", "emo1000")
"""Learners that choose a size from their training rows."""
NAMES = {
    "c45": "C4.5",
    "variable": "variable-node C4.5",
    "emo100": "EMO, 100 gen.",
    "emo1000": "EMO, 1000 gen.",
    "bagged": "bagged EMO",
}


@dataclass(frozen=True)
class Figures:
    """One learner on one data set: errors in per cent, ours with the 95 % interval of the folds.

    ``ours`` is the least mean test error of a size, chosen in hindsight as the paper does; ``chosen`` that of the tree
    which the learner took, knowing its training rows only. C4.5 has one tree, and variable-node C4.5 takes none. Where
    the paper has no figure, ``published`` is NaN.
    """

    data: str
    learner: str
    published: float
    published_pm: float
    published_rules: float
    ours: float
    low: float
    high: float
    rules: float
    chosen: float
    chosen_low: float
    chosen_high: float
    chosen_rules: float

    @property
    def difference(self) -> float:
        return self.ours - self.published

    @property
    def is_above(self) -> bool:
        """Whether our error is significantly above the paper's: its figure lies below our interval."""
        return self.published < self.low

    @property
    def is_below(self) -> bool:
        return self.published > self.high

    @property
    def is_published(self) -> bool:
        return self.published == self.published

    @property
    def paper_error(self) -> str:
        return f"{self.published:.1f} ± {self.published_pm:.1f}" if self.is_published else ""

    @property
    def paper_rules(self) -> str:
        return f"{self.published_rules:g}" if self.is_published else ""

    @property
    def rules_text(self) -> str:
        """Ours, a mean where the folds have trees of different sizes."""
        return f"{self.rules:.1f}" if self.learner in ("c45", "bagged") else f"{self.rules:g}"


@dataclass(frozen=True, eq=False)
class EmoReproduction(Reproduction):
    """The paper takes, for each data set, the size with the least mean test error; so does this report, and beside it
    gives the error with the size chosen inside each training fold.
    """

    @cached_property
    def curves(self) -> dict[tuple[str, str], Curve]:
        """By data set and learner."""
        found = {
            (data, learner): curve_of(self.comparison, data, learner)
            for data in self.comparison.data
            for learner in self.comparison.learners
        }
        return {key: curve for key, curve in found.items() if curve is not None}

    @cached_property
    def figures(self) -> tuple[Figures, ...]:
        """By learner, one for each data set."""
        rows = cast("EmoStudy", self.study).rows()
        intervals = self.comparison.summary("error")
        leaves = self.comparison.means("leaves")
        found = []
        for j, learner in enumerate(self.comparison.learners):
            for i, data in enumerate(self.comparison.data):
                curve = self.curves.get((data, learner))
                own = ours = intervals[data, learner]
                own_rules = rules = float(leaves[i, j])
                if curve is not None:
                    ours, rules = curve.errors[curve.best], float(curve.sizes[curve.best])
                if ours.mean == ours.mean:
                    published, pm, paper_rules = (
                        rows[data].get(f"{learner}_{key}", float("nan")) for key in ("error", "pm", "rules")
                    )
                    hindsight = (100 * ours.mean, 100 * ours.low, 100 * ours.high, rules)
                    honest = (100 * own.mean, 100 * own.low, 100 * own.high, own_rules)
                    if learner == "variable":  # its tree is C4.5's own, of no chosen size
                        honest = (float("nan"),) * 4
                    found.append(Figures(data, learner, published, pm, paper_rules, *hindsight, *honest))
        return tuple(found)

    def of_learner(self, learner: str) -> list[Figures]:
        return [figures for figures in self.figures if figures.learner == learner]

    def beside(self) -> list[str]:
        parts = []
        for learner in self.comparison.learners:
            rows = [[NAMES[learner], "paper %", "ours %", "difference", "95 % interval", "paper rules", "ours", ""]]
            if learner in CHOOSERS:
                rows[0] += ["chosen inside %", "95 % interval", "rules"]
            rows += [
                [
                    short(f.data),
                    f.paper_error,
                    f"{f.ours:.1f}",
                    f"{f.difference:+.1f}" if f.is_published else "",
                    f"{f.low:.1f} to {f.high:.1f}",
                    f.paper_rules,
                    f.rules_text,
                    "above" if f.is_above else "below" if f.is_below else "",
                    *(_chosen(f) if learner in CHOOSERS else ()),
                ]
                for f in self.of_learner(learner)
            ]
            if len(rows) > 1:
                parts.append(grid(rows))
        parts += [*self.claims(), *self.bagging()]
        parts.append(f"§ 11.3.1 and Figure 11.5: the artificial points\n\n{figure_5_text()}")
        parts.append(f"Figure 11.6: the best trees of some sizes\n\n{figure_6_text()}")
        return parts

    def bagging(self) -> list[str]:
        """Whether bags of evolved trees, which the paper leaves to others, err less than one tree chosen inside."""
        one = {f.data: f.chosen for f in self.of_learner("emo100")}
        bags = [f for f in self.of_learner("bagged") if f.data in one]
        if not bags:
            return []
        better = sum(f.ours < one[f.data] for f in bags)
        return [f"Bagged EMO errs less than one tree of EMO, 100 gen., chosen inside, on {better} of {len(bags)} sets."]

    def claims(self) -> list[str]:
        """What the paper claims, and what our figures say, with the size chosen in hindsight and inside the folds."""
        lines = []
        for learner in CHOOSERS:
            mine = self.of_learner(learner)
            if not mine:
                continue
            above = [f.data for f in mine if f.is_above]
            c45 = {f.data: f.ours for f in self.of_learner("c45")}
            hindsight = sum(f.ours < c45.get(f.data, 0) for f in mine)
            honest = sum(f.chosen < c45.get(f.data, 0) for f in mine)
            tested = self.comparison.test("corrected_t", 0.05, "error")
            marks = [tested.mark(f.data, learner, "c45") for f in mine if f.data in c45]
            lines.append(
                f"{NAMES[learner]}, size chosen in hindsight as in the paper: errors significantly above the paper's "
                f"on {', '.join(above) or 'no set'}; below C4.5's on {hindsight} of {len(mine)} sets.\n"
                f"{NAMES[learner]}, size chosen inside each training fold: below C4.5's on {honest} of {len(mine)} "
                f"sets, significantly on {marks.count('+')}, significantly above on {marks.count('-')}."
            )
        return lines

    def beside_in_page(self) -> list[str]:
        from clearwood.studies.page import Cell, inline_svg, paragraph, preformatted, table

        parts = []
        for learner in self.comparison.learners:
            rows = [
                [
                    f.data,
                    f.paper_error,
                    Cell(f"{f.ours:.1f}", style="differs" if f.is_above or f.is_below else ""),
                    f"{f.low:.1f} to {f.high:.1f}",
                    f.paper_rules,
                    f.rules_text,
                    *(_chosen(f) if learner in CHOOSERS else ()),
                ]
                for f in self.of_learner(learner)
            ]
            if rows:
                head = ["data set", "paper %", "ours %", "95 % interval of ours", "paper rules", "our rules"]
                if learner in CHOOSERS:
                    head += ["size chosen inside %", "95 % interval", "rules"]
                parts.append(table(head, rows, NAMES[learner]))
        drawn = [
            inline_svg(self.plot(), "curves", "Test error by number of rules, as in Figures 11.7 and 11.9"),
            inline_svg(plot_figure_8(self.figures, NAMES), "figure-8", "Errors and rules, as in Figure 11.8"),
            inline_svg(plot_figure_5(), "figure-5", "The artificial points and boundaries, as in Figure 11.5"),
            preformatted(f"{figure_5_text()}\n\n{figure_6_text()}"),
        ]
        below = (
            "The sections below compare one tree of each fold: C4.5's own, and EMO's of the size that cross-validation "
            "within the fold's training rows chose. The figures above, by number of rules, are the paper's comparison."
        )
        return [*parts, *map(paragraph, [*self.claims(), *self.bagging()]), *drawn, paragraph(below)]

    # -- the curves -----------------------------------------------------------------------------

    def plot(self) -> Figure:
        """One drawing for each data set: test error against the number of rules."""
        from matplotlib.figure import Figure as Drawing

        names = self.comparison.data
        across = min(3, len(names))
        down = -(-len(names) // across)
        figure = Drawing(figsize=(4.2 * across, 3.0 * down), layout="constrained")
        for i, data in enumerate(names):
            self.plot_curve(data, figure.add_subplot(down, across, i + 1), legend=i == 0)
        return figure

    def plot_curve(self, data: str, ax: Axes, legend: bool = True) -> Axes:
        """Test error against the number of rules, C4.5 with its own settings marked by a triangle."""
        from clearwood.view.colours import class_colours

        colours = class_colours(3)
        looks = {"variable": ("*", colours[1]), "emo100": (">", colours[2]), "emo1000": ("o", colours[0])}
        for learner, (marker, colour) in looks.items():
            curve = self.curves.get((data, learner))
            if curve is None:
                continue
            means = [100 * e.mean for e in curve.errors]
            reach = [[100 * (e.mean - e.low) for e in curve.errors], [100 * (e.high - e.mean) for e in curve.errors]]
            ax.errorbar(
                curve.sizes, means, reach, fmt=f"{marker}-", markersize=4, linewidth=1, elinewidth=0.4, color=colour,
                label=NAMES[learner], alpha=0.9,
            )  # fmt: skip
        for f in self.of_learner("c45"):
            if f.data == data:
                ax.plot([f.rules], [f.ours], "k^", markersize=7, label=NAMES["c45"])
        ax.set_title(data, fontsize=9, loc="left", parse_math=False)
        ax.set_xlabel("number of rules", fontsize=8)
        ax.set_ylabel("test error (%)", fontsize=8)
        ax.tick_params(labelsize=8)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(axis="y", color="#E4E4E4", linewidth=0.7)
        if legend:
            ax.legend(frameon=False, fontsize=7)
        return ax

    # -- files ----------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        curves = [{"data": data, "learner": learner, **asdict(curve)} for (data, learner), curve in self.curves.items()]
        figures = [
            {key: None if value != value else value for key, value in asdict(f).items()}
            | {"above": f.is_above, "below": f.is_below}
            for f in self.figures
        ]
        run = first_experiment()
        first = {
            "c45": run.c45_errors,
            "network": run.network_errors,
            "emo": {n: run.errors(n) for n in run.front.sizes},
        }
        return {**super().to_dict(), "figures": figures, "curves": curves, "claims": self.claims(), "first": first}

    def write_csv(self, path: Path) -> None:
        """Write one row for each data set and learner; the curves go to a file beside it."""
        with whole_text(path) as file:
            writer = csv.DictWriter(
                file, list(asdict(self.figures[0])) if self.figures else ["data"], lineterminator="\n"
            )
            writer.writeheader()
            writer.writerows(
                {key: round(value, 4) if isinstance(value, float) else value for key, value in asdict(f).items()}
                for f in self.figures
            )
        with whole_text(path.with_name(f"{path.stem}-curves.csv")) as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["data", "learner", "rules", "error", "low", "high", "training"])
            for (data, learner), curve in self.curves.items():
                for size, error, training in zip(curve.sizes, curve.errors, curve.training, strict=True):
                    numbers = (f"{100 * value:.4f}" for value in (error.mean, error.low, error.high, training))
                    rows.writerow([data, learner, size, *numbers])


def _chosen(f: Figures) -> list[str]:
    """The error of the size chosen inside each training fold, its interval, and the mean number of rules."""
    return [f"{f.chosen:.1f}", f"{f.chosen_low:.1f} to {f.chosen_high:.1f}", f"{f.chosen_rules:.1f}"]
