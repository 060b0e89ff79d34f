"""Front figure: error against the number of rules, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.evaluate.evaluation import Evaluation
from clearwood.evaluate.fronts import Front, FrontEntry, entry_of
from clearwood.tree import Tree
from clearwood.view.colours import class_colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_front", "plot_front_during"]

TEXT = 8.5  # points
GREY = "#595959"
MARKERS = "osD^vP*X"


def plot_front(
    front: Front, ax: Axes | None = None, *, chosen: int | None = None, marks: Mapping[str, Any] | None = None
) -> Axes:
    """Draw error against the number of rules.

    Training error is a dashed line; cross-validated error, where there is one, a line with whiskers for its 95 %
    interval. A joined front has a colour for each learner.

    Parameters
    ----------
    front : Front
    ax : matplotlib Axes, optional
    chosen : int, optional
        The size to mark.
    marks : mapping of names to evaluations, trees, fitted learners or (rules, error in per cent), optional
        Points to mark, such as C4.5: ``{"C4.5": evaluate(C45Classifier(), table)}`` is drawn with its cross-validated
        error and the mean size of its trees. A tree or a fitted learner is drawn with the error on the rows that it was
        grown from, and says so.

    Returns
    -------
    matplotlib Axes
    """
    if not len(front):
        raise ValueError("the front is empty: there is nothing to draw.")
    ax = _axes(ax)
    learners = list(dict.fromkeys(entry.learner for entry in front))
    colours = class_colours(max(len(learners), 2))
    for i, learner in enumerate(learners):
        mine = [entry for entry in front if entry.learner == learner]
        _draw(ax, mine, colours[i], MARKERS[i % len(MARKERS)], f"{learner}, " if len(learners) > 1 else "")
    if chosen is not None:
        entry = front.of_size(chosen)
        height = 100 * (entry.training_error if np.isnan(entry.cv_error) else entry.cv_error)
        ax.axvline(chosen, color=GREY, linewidth=0.8, linestyle=":", zorder=1)
        ax.plot([chosen], [height], "o", markersize=11, markerfacecolor="none", markeredgecolor="#000000", zorder=4)
        ax.annotate(f"chosen: {chosen}", (chosen, height), (6, 10), textcoords="offset points", fontsize=TEXT, zorder=5)
    for name, mark in (marks or {}).items():
        _mark(ax, name, mark)
    _finish(ax, "number of rules (leaves)", "error (%)")
    return ax


def _draw(ax: Axes, entries: list[FrontEntry], colour: str, marker: str, prefix: str) -> None:
    best: dict[int, FrontEntry] = {}
    for entry in entries:  # of several trees of a size the one with fewest errors
        best.setdefault(entry.n_leaves, entry)
    sizes = np.array(list(best))
    training = np.array([100 * entry.training_error for entry in best.values()])
    alone = len(sizes) == 1
    style: dict[str, Any] = {"color": colour, "zorder": 2}
    ax.plot(
        sizes, training, marker if alone else "--", linewidth=1.1, label=f"{prefix}training", **style,
    )  # fmt: skip
    tested = [entry for entry in best.values() if entry.cv_interval is not None]
    if tested:
        means = np.array([100 * entry.cv_error for entry in tested])
        low = np.array([100 * entry.cv_interval.low for entry in tested if entry.cv_interval])
        high = np.array([100 * entry.cv_interval.high for entry in tested if entry.cv_interval])
        ax.errorbar(
            [entry.n_leaves for entry in tested], means, [means - low, high - means], fmt=f"{marker}-", markersize=3.5,
            linewidth=1.3, elinewidth=0.6, capsize=1.5, label=f"{prefix}cross-validated", **style,
        )  # fmt: skip


def _mark(ax: Axes, name: str, mark: Any) -> None:
    if hasattr(mark, "tree_"):
        mark = mark.tree_
    if isinstance(mark, Evaluation):
        mark = (float(np.nanmean(mark.leaves)), 100 * (1 - mark.interval.mean))
        name += ", cross-validated"
    if isinstance(mark, Tree):
        entry = entry_of(mark)
        mark = (entry.n_leaves, 100 * entry.training_error)
        name += ", training"
    if not (isinstance(mark, tuple | list) and len(mark) == 2):
        raise TypeError(
            f"marks must hold evaluations, trees, fitted learners or (rules, error in per cent), got {mark!r}."
        )
    ax.plot([mark[0]], [mark[1]], "k^", markersize=6, zorder=4)
    ax.annotate(name, (mark[0], mark[1]), (6, -3), textcoords="offset points", fontsize=TEXT, parse_math=False)


def plot_front_during(history: Mapping[str, np.ndarray], ax: Axes | None = None) -> Axes:
    """Draw the least training error of each size at some moments of a search, from its history."""
    sizes = sorted(int(name.removeprefix("error_")) for name in history if name.startswith("error_"))
    if not sizes or not len(history["generations"]):
        raise ValueError("the history holds no errors by size: nothing was recorded.")
    ax = _axes(ax)
    lines = len(history["generations"])
    moments = sorted({0, *(round((lines - 1) * share) for share in (0.02, 0.1, 0.3, 1.0))})
    for i, moment in enumerate(moments):
        depth = 0.25 + 0.75 * (i + 1) / len(moments)
        errors = [100 * float(history[f"error_{size}"][moment]) for size in sizes]
        label = f"generation {int(history['generations'][moment]):,}"
        ax.plot(sizes, errors, "o-", markersize=2.5, linewidth=1.2, color="#0072b2", alpha=depth, label=label)
    _finish(ax, "number of rules (leaves)", "training error (%)")
    return ax


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(5.8, 3.6), layout="constrained").add_subplot()  # pyplot's own, so notebooks show it


def _finish(ax: Axes, across: str, up: str) -> None:
    ax.set_xlabel(across, fontsize=TEXT)
    ax.set_ylabel(up, fontsize=TEXT)
    ax.set_ylim(bottom=0)
    ax.tick_params(labelsize=TEXT)
    ax.grid(axis="y", color="#E4E4E4", linewidth=0.7)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    if len(ax.get_legend_handles_labels()[1]) > 1:
        legend = ax.legend(frameon=False, fontsize=TEXT)
        for text in legend.get_texts():
            text.set_parse_math(False)
