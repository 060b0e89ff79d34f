"""Figures: a comparison drawn with matplotlib, fit for a paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from clearwood.studies.measures import measure
from clearwood.view.colours import class_colours
from clearwood.wording import cut, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from clearwood.studies.comparison import Comparison

__all__ = ["PLOTS", "plot_bars", "plot_critical_difference", "plot_overview", "plot_scatter"]

TEXT = 8.5  # points
GREY = "#595959"
LONGEST_NAME = 28
STYLE: dict[str, Any] = {"fontsize": TEXT, "parse_math": False}
MARKERS = "osD^vP*X"


def plot_bars(comparison: Comparison, ax: Axes | None = None, *, score: str = "error", legend: bool = True) -> Axes:
    """Bars of one score: a group for each data set, a bar for each learner, whiskers for the 95 % interval."""
    means, (low, high) = comparison.means(score), _bounds(comparison, score)
    n_data, n_learners = means.shape
    if ax is None:
        ax = _new_axes(max(4.5, 1.2 + 0.25 * n_data * (n_learners + 1)), 3.0)
    factor = 100 if measure(score).form == "share" else 1
    room = 0.8 / n_learners
    for j, (learner, colour) in enumerate(zip(comparison.learners, class_colours(n_learners), strict=True)):
        places = np.arange(n_data) + (j - (n_learners - 1) / 2) * room
        bars = factor * means[:, j]
        ax.bar(places, np.nan_to_num(bars), 0.92 * room, color=colour, label=_name(learner), zorder=2)
        known = np.isfinite(low[:, j]) & np.isfinite(high[:, j])
        reach = factor * np.array([means[:, j] - low[:, j], high[:, j] - means[:, j]])[:, known]
        ax.errorbar(
            places[known], bars[known], reach, fmt="none", ecolor="#000000", elinewidth=0.7, capsize=1.5, zorder=3
        )
    names = [_name(data) for data in comparison.data]
    slanted = n_data > 4 or max(map(len, names)) > 14
    turned: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
    ax.set_xticks(range(n_data), names, **STYLE, **turned)
    ax.set_xlim(-0.6, n_data - 0.4)
    ax.set_ylabel(_axis(score), **STYLE)
    if measure(score).form == "size":
        _spread(ax.set_yscale, means)
    _tidy(ax, "y")
    if legend and n_learners > 1:
        _legend(ax)
    return ax


def plot_overview(comparison: Comparison, scores: Sequence[str] = ("error", "nodes", "features")) -> Figure:
    """Bar charts of error, size and number of features, one above the other."""
    known = [score for score in scores if np.isfinite(comparison.means(score)).any()]
    n_data, n_learners = len(comparison.data), len(comparison.learners)
    wide = min(14.0, max(5.0, 1.2 + 0.22 * n_data * (n_learners + 1)))
    figure = _new_figure(wide, 0.5 + 2.1 * len(known))
    for i, score in enumerate(known):
        ax = plot_bars(comparison, figure.add_subplot(len(known), 1, i + 1), score=score, legend=i == 0)
        if i + 1 < len(known):
            ax.set_xticklabels([])
    return figure


def plot_scatter(comparison: Comparison, ax: Axes | None = None, *, x: str = "nodes", y: str = "accuracy") -> Axes:
    """One score against another: a point for each data set and learner, those of a data set joined by a line."""
    if ax is None:
        ax = _new_axes(5.0, 3.6)
    across, up = (comparison.means(score) * (100 if measure(score).form == "share" else 1) for score in (x, y))
    for i, data in enumerate(comparison.data):
        known = np.isfinite(across[i]) & np.isfinite(up[i])
        ax.plot(across[i, known], up[i, known], color="#BBBBBB", linewidth=0.8, zorder=1)
        if known.any() and len(comparison.data) <= 12:
            j = int(np.flatnonzero(known)[np.argmax(across[i, known])])
            ax.annotate(
                _name(data), (across[i, j], up[i, j]), (4, 3), textcoords="offset points", color=GREY,
                **STYLE | {"fontsize": 7.5},
            )  # fmt: skip
    colours = class_colours(len(comparison.learners))
    for j, learner in enumerate(comparison.learners):
        if not np.isfinite(across[:, j] + up[:, j]).any():
            continue
        ax.scatter(
            across[:, j], up[:, j], s=26, color=colours[j], marker=MARKERS[j % len(MARKERS)], edgecolor="#FFFFFF",
            linewidth=0.5, label=_name(learner), zorder=2,
        )  # fmt: skip
    _spread(ax.set_xscale, across)
    ax.set_xlabel(_axis(x), **STYLE)
    ax.set_ylabel(_axis(y), **STYLE)
    _tidy(ax, "both")
    if len(comparison.learners) > 1:
        _legend(ax)
    return ax


def plot_critical_difference(comparison: Comparison, ax: Axes | None = None, *, score: str = "accuracy") -> Axes:
    """Demšar's diagram: mean ranks on a line, learners that do not differ significantly joined by a thick bar."""
    ranking = comparison.rank(score)
    n = len(ranking.learners)
    order = np.argsort(ranking.ranks, kind="stable")
    half = (n + 1) // 2
    bars = ranking.groups
    depth = 0.35 * len(bars) + 0.35
    if ax is None:
        ax = _new_axes(6.5, 0.9 + 0.24 * (half + len(bars) + 1))
    ax.set_xlim(1 - 0.45 * (n - 1), n + 0.45 * (n - 1))
    ax.set_ylim(-(depth + 0.75 * half + 0.2), 1.9)
    ax.axis("off")
    ax.plot([1, n], [0, 0], color="#000000", linewidth=1)
    for tick in range(1, n + 1):
        ax.plot([tick, tick], [0, 0.2], color="#000000", linewidth=1)
        ax.text(tick, 0.3, str(tick), ha="center", va="bottom", **STYLE)
    distance = ranking.critical_difference
    if np.isfinite(distance):
        _ruler(ax, distance)
    colours = class_colours(n)
    for place, j in enumerate(order):
        left = place < half
        row = place if left else n - 1 - place
        y = -(depth + 0.75 * row)
        end = 1 - 0.06 * (n - 1) if left else n + 0.06 * (n - 1)
        rank = float(ranking.ranks[j])
        ax.plot([rank, rank, end], [0, y, y], color=GREY, linewidth=0.8, zorder=1)
        ax.plot([rank], [0], "o", markersize=4, color=colours[j], zorder=3, clip_on=False)
        text = f"{_name(ranking.learners[j])}  {rank:.2f}" if left else f"{rank:.2f}  {_name(ranking.learners[j])}"
        ax.text(
            end + (-0.02 if left else 0.02) * (n - 1), y, text, ha="right" if left else "left", va="center", **STYLE
        )
    for row, group in enumerate(bars):
        y = -0.3 - 0.35 * row
        best, worst = ranking.ranks[group[0]], ranking.ranks[group[-1]]
        ax.plot([best - 0.02 * (n - 1), worst + 0.02 * (n - 1)], [y, y], color="#000000", linewidth=3.2, zorder=2)
    return ax


def _ruler(ax: Axes, distance: float) -> None:
    """The critical difference as a length above the axis of ranks."""
    end = 1 + distance
    ax.plot([1, end], [1.3, 1.3], color="#000000", linewidth=1, clip_on=False)
    for x in (1, end):
        ax.plot([x, x], [1.2, 1.4], color="#000000", linewidth=1, clip_on=False)
    ax.text(1, 1.5, f"critical difference {distance:.2f}", ha="left", va="bottom", **STYLE)


PLOTS: dict[str, Callable[..., Any]] = {
    "bars": plot_bars,
    "critical_difference": plot_critical_difference,
    "scatter": plot_scatter,
}


def _bounds(comparison: Comparison, score: str) -> tuple[np.ndarray, np.ndarray]:
    found = comparison.summary(score)
    shape = (len(comparison.data), len(comparison.learners))
    low = np.array([interval.low for interval in found.values()]).reshape(shape)
    high = np.array([interval.high for interval in found.values()]).reshape(shape)
    return low, high


def _spread(set_scale: Callable[..., None], values: np.ndarray) -> None:
    """Draw values of very different sizes by their logarithm, or the small ones could not be told from nothing."""
    positive = values[np.isfinite(values) & (values > 0)]
    if len(positive) and positive.max() > 50 * positive.min():
        set_scale("log")


def _name(text: str) -> str:
    return cut(visible(text), LONGEST_NAME)


def _axis(score: str) -> str:
    known = measure(score)
    unit = {"share": " (%)", "time": " (s)"}.get(known.form, "")
    return known.heading + unit


def _new_figure(wide: float, high: float) -> Figure:
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(wide, high), layout="constrained")


def _new_axes(wide: float, high: float) -> Axes:
    return _new_figure(wide, high).add_subplot()


def _tidy(ax: Axes, lines: Literal["y", "both"]) -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=TEXT)
    ax.grid(axis=lines, color="#E4E4E4", linewidth=0.7)
    ax.set_axisbelow(True)


def _legend(ax: Axes) -> None:
    """The learners, above the axes where they hide nothing."""
    columns = min(4, len(ax.get_legend_handles_labels()[1]))
    legend = ax.legend(
        loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, frameon=False, fontsize=TEXT, borderaxespad=0.2
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
