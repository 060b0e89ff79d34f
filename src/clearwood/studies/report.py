"""Report: a comparison as one HTML page with tables, plots, failures and how to run it again."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from clearwood.studies.measures import MEASURES, measure
from clearwood.studies.page import (
    Cell,
    drawing,
    folded,
    inline_svg,
    links,
    page,
    paragraph,
    preformatted,
    section,
    side_by_side,
    table,
)
from clearwood.studies.text_grid import first_line
from clearwood.whole_file import write_whole
from clearwood.wording import duration, plural

if TYPE_CHECKING:
    from clearwood.studies.comparison import Comparison
    from clearwood.studies.tree_pages import TreePage

__all__ = ["report_sections", "trees_section", "write_report"]

OPEN, MOST_LEAVES, UPPER = 2, 30, 3  # data sets whose trees are unfolded; leaves drawn; levels of a larger tree
FEW = 6  # a table of its own for each data set up to here; beyond, one for each score
SHOWN = [name for name in MEASURES if name != "error"]
UNTESTED = ("stability", "fit_seconds")  # folds do not have the one by one; the other depends on what else ran


def write_report(comparison: Comparison, path: str | PathLike[str]) -> None:
    """Write the report to a file; an unwritable one raises OSError with its name."""
    title = f"{plural(len(comparison.learners), 'learner')} on {plural(len(comparison.data), 'data set')}"
    write_whole(Path(path), page(title, _subtitle(comparison), report_sections(comparison)))


def _subtitle(comparison: Comparison) -> str:
    done = len(comparison.results) - len(comparison.failures)
    when = max((result.finished for result in comparison.results), default="")
    times = "" if comparison.repeats == 1 else f", {comparison.repeats} times"
    failed = f", {plural(len(comparison.failures), 'unit')} failed" if comparison.failures else ""
    return (
        f"{comparison.cv}-fold cross-validation{times}: {plural(done, 'unit')} done{failed}. "
        f"Finished {when.replace('T', ' ')[:16] or 'at an unknown time'} (UTC)."
    )


def report_sections(comparison: Comparison) -> Iterator[str]:
    """The sections of the report, one by one."""
    yield section("At a glance", _legend(comparison), _over_all(comparison))
    yield section("Plots", *_plots(comparison))
    if len(comparison.data) <= FEW:
        tables = [_one_data_set(comparison, data) for data in comparison.data]
        yield section("Data set by data set", side_by_side(tables))
    else:
        shown = [name for name in SHOWN if np.isfinite(comparison.means(name)).any()]
        yield section("Score by score", side_by_side(_one_score(comparison, score) for score in shown))
    yield trees_section(comparison)
    yield section("Wins, draws and losses", *_wins(comparison))
    yield section("Failed units", _failures(comparison))
    yield section("How it was done", *_run(comparison))


def _legend(comparison: Comparison) -> str:
    if len(comparison.learners) == 1:
        return paragraph("Means of the folds; ± is half the 95 % interval (corrected resampled t).")
    return paragraph(
        f"▲ marks what is significantly better than {comparison.reference}, ▼ what is significantly worse, by the "
        f"corrected resampled t-test at {100 * comparison.level:g} %; ± is half the 95 % interval."
    )


def _over_all(comparison: Comparison) -> str:
    complete = np.isfinite(comparison.means()).all(axis=1)
    if not complete.any():
        return paragraph("No data set was finished by every learner, so there are no means over all.")
    shown = [name for name in SHOWN if np.isfinite(comparison.means(name)[complete]).any()]
    several = len(comparison.learners) > 1
    rows: list[list[object]] = []
    for name in shown:
        means = comparison.means(name)[complete].mean(axis=0)
        rows.append([_heading(name), *(measure(name).text(float(value)) for value in means)])
    if several:
        record = comparison.test().win_draw_loss[:, comparison.learners.index(comparison.reference)]
        rows.append(["mean rank in accuracy", *(f"{rank:.2f}" for rank in comparison.rank().ranks)])
        records = [
            "" if name == comparison.reference else "/".join(map(str, cells))
            for name, cells in zip(comparison.learners, record, strict=True)
        ]
        rows.append([f"won/drawn/lost against {comparison.reference}", *records])
    head = ["mean over the data sets" if len(comparison.data) > 1 else "mean over the folds", *comparison.learners]
    left_out = int(np.count_nonzero(~complete))
    note = f"{plural(left_out, 'data set')} not finished by every learner left out."
    words = str(comparison.rank()) if several and len(comparison.data) > 1 else ""
    return table(head, rows) + (paragraph(words) if words else "") + (paragraph(note, "faint") if left_out else "")


def _heading(score: str) -> str:
    return measure(score).heading + (" %" if measure(score).form == "share" else "")


def _cell(comparison: Comparison, score: str, data: str, learner: str) -> Cell:
    interval = comparison.summary(score)[data, learner]
    known = measure(score)
    factor = 100 if known.form == "share" else 1
    extra = ""
    if np.isfinite(interval.low) and known.form != "time":
        extra = f"± {factor * interval.half_width:.{3 if known.form == 'number' else 1}f}"
    several = len(comparison.learners) > 1 and score not in UNTESTED
    mark = comparison.test(score=score).mark(data, learner, comparison.reference) if several else ""
    return Cell(known.text(interval.mean), extra=extra, mark=mark)


def _one_data_set(comparison: Comparison, data: str) -> str:
    facts = comparison.tables[data]
    i = comparison.data.index(data)
    shown = [name for name in SHOWN if np.isfinite(comparison.means(name)[i]).any()]
    rows = [
        [_heading(name), *(_cell(comparison, name, data, learner) for learner in comparison.learners)] for name in shown
    ]
    about = f"{data}: {facts.n_rows} rows, {facts.n_features} features, {facts.n_classes} classes"
    return table(["", *comparison.learners], rows, about)


def _one_score(comparison: Comparison, score: str) -> str:
    means = comparison.means(score)
    rows = [
        [data, *(_cell(comparison, score, data, learner) for learner in comparison.learners)]
        for data in comparison.data
    ]
    complete = np.isfinite(means).all(axis=1)
    total = None
    if complete.any():
        total = ["mean", *(measure(score).text(float(value)) for value in means[complete].mean(axis=0))]
    return table(["", *comparison.learners], rows, _heading(score), total)


def _plots(comparison: Comparison) -> Iterator[str]:
    if find_spec("matplotlib") is None:
        yield paragraph("matplotlib is not installed, so there are no plots: pip install 'clearwood[plot]'.")
        return
    if not np.isfinite(comparison.means()).any():
        return
    from clearwood.studies.figures import plot_critical_difference, plot_overview, plot_scatter

    yield inline_svg(plot_overview(comparison), "bars", "Error, size and features with 95 % intervals.")
    several = len(comparison.learners) > 1
    if several and np.isfinite(comparison.rank().critical_difference):
        drawn = plot_critical_difference(comparison).figure
        yield inline_svg(
            drawn, "ranks", "Mean ranks in accuracy; learners under one bar do not differ significantly (Nemenyi)."
        )
    if np.isfinite(comparison.means("nodes")).any():
        yield inline_svg(plot_scatter(comparison).figure, "scatter", "Accuracy and size: up and to the left is better.")


def _wins(comparison: Comparison) -> Iterator[str]:
    if len(comparison.learners) == 1:
        return
    for score in ("accuracy", "nodes"):
        found = comparison.test(score=score)
        if not np.isfinite(found.p_values).any():
            continue
        cells = found.win_draw_loss
        rows = [
            [name, *("" if i == j else "/".join(map(str, cells[i, j])) for j in range(len(found.learners)))]
            for i, name in enumerate(found.learners)
        ]
        yield table(
            ["against", *found.learners], rows, f"{measure(score).heading}: won/drawn/lost by the row's learner"
        )


def trees_section(comparison: Comparison) -> str:
    """The learners' trees for each data set: pictures, all but the first few folded away, and the pages to try them."""
    shown = [data for data in comparison.data if data in comparison.pages]
    words = "Each learner's tree, grown from all rows; on the page of a data set they can be compared and tried out."
    parts = [_trees_of(data, comparison.pages[data], place < OPEN) for place, data in enumerate(shown)]
    return section("The trees", paragraph(words), *parts) if parts else ""


def _trees_of(data: str, known: TreePage, is_open: bool) -> str:
    sizes = ", ".join(f"{name} {plural(tree.n_leaves, 'leaf', 'leaves')}" for name, tree in known.trees.items())
    pictures = []
    for name, tree in known.trees.items():
        whole = tree.n_leaves <= MOST_LEAVES
        caption = name if whole else f"{name}: the upper part of {tree.n_leaves} leaves; all of them are on the page"
        pictures.append(drawing(tree.to_svg(max_depth=None if whole else UPPER), caption))
    return folded(f"{data}: {sizes}", links({f"The page of {data}": known.file}), *pictures, is_open=is_open)


def _failures(comparison: Comparison) -> str:
    rows = [
        [str(result.unit), Cell(result.status), Cell(first_line(result.error), style="long")]
        for result in comparison.failures
    ]
    return table(["unit", "what happened", "error"], rows) if rows else ""


def _run(comparison: Comparison) -> Iterator[str]:
    yield paragraph("This command runs it again:")
    yield preformatted(comparison.command or "(not known)")
    seconds = sum(result.seconds for result in comparison.results)
    yield paragraph(f"All units together took {duration(seconds)} of computing.")
    used: dict[str, set[str]] = {}
    for result in comparison.results:
        for name, version in result.versions.items():
            used.setdefault(name, set()).add(version)
    if used:
        yield table(["release of", "version"], [[name, ", ".join(sorted(found))] for name, found in used.items()])
    settings = {result.unit.learner: result.params for result in comparison.results if result.params}
    rows = [
        [learner, Cell(", ".join(f"{key}={value!r}" for key, value in settings[learner].items()), style="long")]
        for learner in comparison.learners
        if learner in settings
    ]
    if rows:
        yield table(["learner", "parameters"], rows)
