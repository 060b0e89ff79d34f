"""Reproduction: our figures beside a paper's, as a value to print and to save."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.cached import cached_property
from clearwood.evaluate.significance import PairedTest, paired_t_test
from clearwood.studies.measures import measure
from clearwood.studies.rankings import p_text
from clearwood.studies.text_grid import first_line, grid, short
from clearwood.whole_file import whole_text, write_whole
from clearwood.wording import cut, plural, visible

if TYPE_CHECKING:
    from clearwood.studies.comparison import Comparison
    from clearwood.studies.study import Study

__all__ = ["Line", "Reproduction"]


@dataclass(frozen=True)
class Line:
    """One figure of the paper, and ours for it: accuracies in per cent, with the 95 % interval of our folds."""

    data: str
    learner: str
    published: float
    ours: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        return self.ours - self.published

    @property
    def is_significant(self) -> bool:
        """Whether the published figure lies outside the interval of our folds."""
        return bool(self.published < self.low or self.published > self.high)


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A paper's figures with ours beside them.

    Attributes
    ----------
    study : Study
        What was reproduced.
    comparison : Comparison
        Our run; its data sets have the paper's names.
    absent : mapping of str to str
        Data sets that could not be read, and why.
    quick : bool
        Whether this was the small version, with fewer data sets and one repeat.
    """

    study: Study
    comparison: Comparison
    absent: Mapping[str, str]
    quick: bool = False

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """One for each data set and learner that was run and published, in the paper's order."""
        published = self.study.published()
        intervals = self.comparison.summary("accuracy")
        return tuple(
            Line(data, learner, 100 * published[data][learner], 100 * ours.mean, 100 * ours.low, 100 * ours.high)
            for learner in self.comparison.learners
            if learner in self.study.columns
            for data in self.comparison.data
            for ours in [intervals[data, learner]]
            if not np.isnan(ours.mean) and learner in published[data]
        )

    def of(self, learner: str) -> list[Line]:
        return [line for line in self.lines if line.learner == learner]

    def averages(self, learner: str) -> tuple[float, float, PairedTest]:
        """The mean published and our mean accuracy over the data sets, and the paired t-test of the two."""
        lines = self.of(learner)
        published, ours = np.array([line.published for line in lines]), np.array([line.ours for line in lines])
        return float(published.mean()), float(ours.mean()), paired_t_test(ours, published)

    def __str__(self) -> str:
        parts = [f"{self.study.title}, beside the paper's figures{self._version()}"]
        parts += [_wrapped(self.study.source), *self.beside(), self._remarks()]
        return "\n\n".join(part for part in parts if part)

    def beside(self) -> list[str]:
        """Our figures beside the paper's, as parts of a text; a study with tables of another form has its own."""
        return [self._table(learner) for learner in self.comparison.learners if self.of(learner)]

    def _table(self, learner: str) -> str:
        several = len(self.comparison.learners) > 1
        rows = [[f"{learner}: data set" if several else "data set", "paper %", "ours %", "difference", "95 % interval"]]
        rows[0].append("")
        for line in self.of(learner):
            rows.append(
                [
                    short(line.data),
                    f"{line.published:.2f}",
                    f"{line.ours:.2f}",
                    f"{line.difference:+.2f}",
                    f"{line.low:.2f} to {line.high:.2f}",
                    "*" if line.is_significant else "",
                ]
            )
        published, ours, _ = self.averages(learner)
        rows.append(["average", f"{published:.2f}", f"{ours:.2f}", f"{ours - published:+.2f}", "", ""])
        return f"{grid(rows)}\n\n{self.verdict(learner)}"

    def verdict(self, learner: str) -> str:
        """How the learner's figures and the paper's agree, in words."""
        lines = self.of(learner)
        apart = [line.data for line in lines if line.is_significant]
        inside = (
            f"{len(lines) - len(apart)} of {plural(len(lines), 'published figure')} within the interval of our folds"
        )
        outside = f"; * outside: {', '.join(map(visible, apart))}" if apart else ""
        p_value = self.averages(learner)[2].p_value
        differ = f" Over all sets the difference is {'' if p_value <= 0.05 else 'not '}significant (paired t-test, "
        tested = "" if np.isnan(p_value) else f"{differ}{p_text(p_value)})."
        return "\n".join([f"{inside}{outside}.{tested}", *self._besides(learner)])

    def _besides(self, learner: str) -> list[str]:
        """The paper's other averages, where all of its data sets were run."""
        if not self.is_whole:
            return []
        lines = []
        for score, published in self.study.averages.get(learner, {}).items():
            known = measure(score)
            factor = 100 if known.form == "share" else 1
            ours = factor * float(np.mean(self.comparison.means(score)[:, self.comparison.learners.index(learner)]))
            lines.append(f"Average {known.heading}: paper {published:.2f}, ours {ours:.2f}{' %' * (factor == 100)}.")
        return lines

    def _remarks(self) -> str:
        lines = []
        if self.absent:
            lines.append(f"Left out, for want of data: {', '.join(map(visible, self.absent))}.")
            lines.append(f"  {cut(visible(next(iter(self.absent.values()))), 200)}")
        if self.comparison.failures:
            lines.append(f"{plural(len(self.comparison.failures), 'unit')} failed; the first:")
            first = self.comparison.failures[0]
            lines.append(f"  {visible(first.unit)}: {cut(visible(first_line(first.error)), 100)}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain values that JSON can hold."""
        return {
            "study": self.study.name,
            "source": self.study.source,
            "command": self.comparison.command,
            "quick": self.quick,
            **self._figures(),
            "absent": dict(self.absent),
            "failures": [{"unit": str(result.unit), "error": result.error} for result in self.comparison.failures],
        }

    def _figures(self) -> dict[str, Any]:
        """What the study's own kind of report adds to the document."""
        return {
            "lines": [
                {**asdict(line), "difference": line.difference, "significant": line.is_significant}
                for line in self.lines
            ],
            "averages": {
                learner: dict(zip(("published", "ours"), self.averages(learner)[:2], strict=True))
                for learner in self.comparison.learners
                if self.of(learner)
            },
        }

    # -- files ----------------------------------------------------------------------------------

    def write_csv(self, path: Path) -> None:
        """Write one row for each data set and learner."""
        with whole_text(path) as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["data", "learner", "published", "ours", "difference", "low", "high", "significant"])
            for line in self.lines:
                numbers = (line.published, line.ours, line.difference, line.low, line.high)
                writer.writerow(
                    [line.data, line.learner, *(f"{value:.4f}" for value in numbers), str(line.is_significant).lower()]
                )

    def write_page(self, path: Path) -> None:
        """Write the report of the run as one HTML page, the paper's figures first."""
        from clearwood.studies.markdown import markdown_html
        from clearwood.studies.page import page, paragraph, section
        from clearwood.studies.report import report_sections

        remarks = paragraph(self._remarks()) if self._remarks() else ""
        sections = [
            section("Beside the paper", *self.beside_in_page(), remarks),
            *report_sections(self.comparison),
            section("Notes", markdown_html(self.study.notes())),
        ]
        write_whole(path, page(f"{self.study.title}{self._version()}", self.study.source, sections))

    def _version(self) -> str:
        """What a quick run leaves out, for the title."""
        if not self.quick:
            return ""
        done, known = len(self.comparison.data), len(self.study.published())
        sets = f"{done} of {known} data sets" if known > done else plural(done, "data set")
        fewer = [plural(self.comparison.repeats, "repeat"), *self._settings()]
        return f" (quick version: {sets}, {', '.join(fewer)})"

    def _settings(self) -> list[str]:
        """What the learners of a quick run do less of, as ``300 evaluations``."""
        if self.study.quick_learners is None:
            return []
        whole, told = self.study.learners(), dict[str, None]()
        for name, learner in self.study.quick_learners().items():
            usual = whole[name].get_params() if name in whole else {}
            for key, value in learner.get_params().items():
                if isinstance(value, int | float) and usual.get(key, value) != value:
                    what = key.rpartition("__")[2].removeprefix("n_").replace("_", " ")
                    sized = what.removesuffix(" size")
                    told[f"{value:g} {what}" if sized == what else f"{sized} of {value:g}"] = None
        return list(told)

    @property
    def is_whole(self) -> bool:
        """Whether all of the paper's data sets were run: else its averages over them do not compare with ours."""
        return not (self.quick or self.absent or self.comparison.failures)

    def beside_in_page(self) -> list[str]:
        """What :meth:`beside` says, as parts of a page."""
        from clearwood.studies.page import Cell, paragraph, table

        beside: list[str] = []
        for learner in self.comparison.learners:
            rows = [
                [
                    line.data,
                    f"{line.published:.2f}",
                    f"{line.ours:.2f}",
                    Cell(f"{line.difference:+.2f}", style="differs" if line.is_significant else ""),
                    f"{line.low:.2f} to {line.high:.2f}",
                ]
                for line in self.of(learner)
            ]
            if not rows:
                continue
            published, ours, _ = self.averages(learner)
            total = ["average", f"{published:.2f}", f"{ours:.2f}", f"{ours - published:+.2f}", ""]
            head = ["data set", "paper %", "ours %", "difference", "95 % interval of ours"]
            beside += [table(head, rows, learner, total), paragraph(self.verdict(learner))]
        return beside


def _wrapped(text: str) -> str:
    import textwrap

    return textwrap.fill(text, 100)
