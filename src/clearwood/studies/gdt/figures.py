"""Figures 2 and 3: the artificial sets, and two ways to mutate compared."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from clearwood.read import artificial
from clearwood.studies.text_grid import grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["figure_2_text", "figure_3_text", "plot_figure_2", "plot_figure_3", "strategies"]

SETS = ("chess2", "zebra1", "zebra3")
GENERATIONS = 500
RUNS = {"mutation of nodes (5 %)": ("nodes", 0.05), "mutation of the tree (50 %)": ("tree", 0.5)}


def figure_2_text(width: int = 30, height: int = 15) -> str:
    """The classes of the three sets over the unit square, one mark for each cell: its commonest class."""
    pictures = []
    for name in SETS:
        table = artificial.make(name, 40 * width * height, random_state=0)
        across = np.minimum((table.numeric[0] * width).astype(int), width - 1)
        up = np.minimum((table.numeric[1] * height).astype(int), height - 1)
        counts = np.zeros((height, width, len(table.classes)))
        np.add.at(counts, (up, across, table.y), 1)
        pictures.append(["".join(".#o"[c] for c in line) for line in counts.argmax(axis=2)[::-1]])
    return "\n".join("   ".join(lines) for lines in zip(*pictures, strict=True))


@lru_cache(maxsize=1)
def strategies() -> dict[str, dict[str, np.ndarray]]:
    """One run on LS5 for each way to mutate, all else the same: history columns by name."""
    from clearwood.evolve.linear.classifier import LinearTreeClassifier

    table = artificial.ls5(random_state=0)
    found = {}
    for name, (mutation, rate) in RUNS.items():
        clf = LinearTreeClassifier(
            mutation=mutation,
            mutation_rate=rate,
            first_trees="dipolar",
            generations=GENERATIONS,
            patience=GENERATIONS,
            random_state=0,
            progress=False,
        )
        found[name] = dict(clf.fit(table).history_)
    return found


def figure_3_text(runs: dict[str, dict[str, np.ndarray]]) -> str:
    """Mutations in a generation, the share of them that gains, and the best fitness, for five parts of the run."""
    lines = [["generations", *(f"{name.split(' (')[0]}: {what}" for name in runs for what in _WHAT)]]
    n_lines = min(len(run["generation"]) for run in runs.values())
    for part in np.array_split(np.arange(n_lines), 5):
        cells = []
        for run in runs.values():
            mutations, gains = run["mutations"][part].sum(), run["gains"][part].sum()
            steps = len(part) * (run["generation"][1] - run["generation"][0])
            cells += [f"{mutations / steps:.1f}", f"{100 * gains / max(mutations, 1):.1f}"]
            cells.append(f"{run['best_fitness'][part[-1]]:.4f}")
        first = next(iter(runs.values()))["generation"]
        lines.append([f"up to {first[part[-1]]:.0f}", *cells])
    return grid(lines)


_WHAT = ("a generation", "gain %", "best")


def plot_figure_2() -> Figure:
    """The three sets with the partition that a linear tree finds."""
    from matplotlib.figure import Figure

    from clearwood.evolve.linear.classifier import LinearTreeClassifier

    figure = Figure(figsize=(11, 3.8), layout="constrained")
    for ax, name in zip(figure.subplots(1, 3), SETS, strict=True):
        table = artificial.make(name, random_state=0)
        tree = LinearTreeClassifier(first_trees="dipolar", random_state=0, progress=False).fit(table).tree_
        tree.plot_partition(table, ax)
        ax.set_title(name)
    return figure


def plot_figure_3(runs: dict[str, dict[str, np.ndarray]]) -> Figure:
    """Mutations and gains against the generations, one picture for each way to mutate."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.4), layout="constrained")
    for ax, (name, run) in zip(figure.subplots(1, 2, sharey=True), runs.items(), strict=True):
        step = run["generation"][1] - run["generation"][0]
        ax.plot(run["generation"], run["mutations"] / step, label="mutations", linewidth=1.2)
        ax.plot(run["generation"], run["gains"] / step, label="of these, gains", linewidth=1.2)
        ax.set_xlabel("generation")
        ax.set_title(name)
        ax.spines[["top", "right"]].set_visible(False)
    figure.axes[0].legend(frameon=False)
    return figure
