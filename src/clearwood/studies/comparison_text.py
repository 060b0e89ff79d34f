"""A comparison as text or HTML: a table for each data set while they are few, one table of all when they are many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from clearwood.html import html_table, html_words
from clearwood.studies.measures import measure
from clearwood.studies.text_grid import first_line, grid, short
from clearwood.wording import cut, plural, visible

if TYPE_CHECKING:
    from clearwood.studies.comparison import Comparison

__all__ = ["comparison_html", "comparison_text"]

Part = str | list[list[str]]  # some lines, or a table: its headings and its rows

FEW = 4  # more data sets than this, and a table for each would scroll away
SIZES = ("nodes", "leaves", "features", "stability", "fidelity", "fit_seconds")


def comparison_text(comparison: Comparison) -> str:
    """What is printed for a comparison."""
    return "\n\n".join(part if isinstance(part, str) else grid(part) for part in _parts(comparison))


def comparison_html(comparison: Comparison) -> str:
    """The same for a notebook."""
    return "\n".join(html_words(part) if isinstance(part, str) else _html(part) for part in _parts(comparison))


def _html(rows: list[list[str]]) -> str:
    head, *body = [[cell.strip() for cell in row] for row in rows]
    return html_table(head, body, numbers=range(1, len(head)))


def _parts(comparison: Comparison) -> Iterator[Part]:
    yield _heading(comparison)
    if len(comparison.data) <= FEW:
        for data in comparison.data:
            yield from _one_data_set(comparison, data)
    else:
        yield _accuracies(comparison)
    if len(comparison.data) > 1:
        yield from _over_all(comparison)
    footnote = _footnote(comparison)
    if footnote:
        yield footnote


def _heading(comparison: Comparison) -> str:
    times = "" if comparison.repeats == 1 else f", {comparison.repeats} times"
    return (
        f"{plural(len(comparison.learners), 'learner')} on {plural(len(comparison.data), 'data set')}: "
        f"{comparison.cv}-fold cross-validation{times}"
    )


def _one_data_set(comparison: Comparison, data: str) -> Iterator[Part]:
    facts = comparison.tables[data]
    tests = {score: comparison.test(score=score) for score in ("accuracy", "nodes", "leaves", "features")}
    i = comparison.data.index(data)
    sizes = [score for score in SIZES if np.isfinite(comparison.means(score)[i]).any()]
    rows = [["", "accuracy %", "", *(measure(score).heading for score in sizes)]]
    for j, learner in enumerate(comparison.learners):
        interval = comparison.summary("accuracy")[data, learner]
        cells = [short(learner), measure("accuracy").text(interval.mean) + _mark(comparison, tests, data, learner)]
        cells.append("" if np.isnan(interval.low) else f"± {100 * interval.half_width:.2f}")
        for score in sizes:
            text = measure(score).text(comparison.means(score)[i, j])
            cells.append(text + " %" * (measure(score).form == "share" and text != "–"))
            if score in tests:
                cells[-1] += _mark(comparison, tests, data, learner, score)
        rows.append(cells)
    yield f"{visible(data)} ({facts.n_rows} rows, {facts.n_features} features, {facts.n_classes} classes)"
    yield rows


def _mark(comparison: Comparison, tests: dict, data: str, learner: str, score: str = "accuracy") -> str:
    if len(comparison.learners) == 1:
        return ""
    return " " + (tests[score].mark(data, learner, comparison.reference) or " ")


def _accuracies(comparison: Comparison) -> Part:
    """Data sets down, learners across; intervals too while there is room for them."""
    tests = {"accuracy": comparison.test()}
    intervals = comparison.summary("accuracy")
    roomy = len(comparison.learners) <= 3
    space = "  " * (len(comparison.learners) > 1)  # below it stands the mark
    rows = [["accuracy %"]]
    for learner in comparison.learners:
        rows[0] += [short(learner) + space, *([""] if roomy else [])]
    for data in comparison.data:
        cells = [short(data)]
        for learner in comparison.learners:
            found = intervals[data, learner]
            cells.append(measure("accuracy").text(found.mean) + _mark(comparison, tests, data, learner))
            if roomy:
                cells.append("" if np.isnan(found.low) else f"± {100 * found.half_width:.2f}")
        rows.append(cells)
    return rows


def _over_all(comparison: Comparison) -> Iterator[Part]:
    """A line for each learner: means over the data sets that all have finished, rank, wins against the reference."""
    complete = np.isfinite(comparison.means()).all(axis=1)
    if not complete.any():
        yield "No data set was finished by every learner, so there are no means over all."
        return
    several = len(comparison.learners) > 1
    sizes = [score for score in SIZES if np.isfinite(comparison.means(score)[complete]).any()]
    rows = [["mean over the data sets", "accuracy %", *(measure(score).heading for score in sizes)]]
    if several:
        rows[0] += ["rank", f"against {short(comparison.reference)}"]
        table = comparison.test().win_draw_loss
        ranks = comparison.rank().ranks
    for j, learner in enumerate(comparison.learners):
        cells = [short(learner)]
        for score in ("accuracy", *sizes):
            text = measure(score).text(float(np.mean(comparison.means(score)[complete, j])))
            cells.append(text + " %" * (score != "accuracy" and measure(score).form == "share" and text != "–"))
        if several:
            won = table[j, comparison.learners.index(comparison.reference)]
            same = learner == comparison.reference
            cells += [f"{ranks[j]:.2f}", "" if same else "{} won, {} drawn, {} lost".format(*won)]
        rows.append(cells)
    yield rows
    left_out = int(np.count_nonzero(~complete))
    if left_out:
        yield f"({plural(left_out, 'data set')} not finished by every learner left out.)"
    if several:
        yield str(comparison.rank())


def _footnote(comparison: Comparison) -> str:
    lines = []
    if len(comparison.learners) > 1:
        lines.append(
            f"+ significantly better, - worse than {short(comparison.reference)}: corrected resampled t-test at "
            f"{100 * comparison.level:g} %; ± half of the 95 % interval."
        )
    if comparison.failures:
        lines.append(f"{plural(len(comparison.failures), 'unit')} failed; the first:")
        for result in comparison.failures[:3]:
            lines.append(f"  {visible(result.unit)}: {result.status}: {cut(visible(first_line(result.error)), 100)}")
    return "\n".join(lines)
