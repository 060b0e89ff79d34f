"""Figures 1 to 3: how nodes are ranked, the artificial sets, and two ways to mutate compared."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from clearwood.read import artificial
from clearwood.studies.text_grid import grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["figure_1_text", "figure_2_text", "figure_3_text", "plot_figure_2", "plot_figure_3", "strategies"]

SETS = ("chess2", "zebra1", "zebra3")
GENERATIONS = 500
RUNS = {"mutation of nodes (5 %)": ("nodes", 0.05), "mutation of the tree (50 %)": ("tree", 0.5)}


def figure_1_text() -> str:
    """The two ranking lists of a tree in an early population, and the chance of each node to be mutated."""
    from clearwood.evolve.linear.scaling import scale
    from clearwood.evolve.linear.search import LinearSearch, Settings
    from clearwood.kernels.reference.linear import rank_chances

    table = artificial.zebra3(300, random_state=0)
    settings = Settings(0.0, 0.5, 0.5, "tree", 0.2, 5, 5, "linear", None, "dipolar", 20, 10, 10, 64)
    search = LinearSearch(settings, scale(table), seed=0)
    search.advance()
    tests = max((search.population.tests(i) for i in range(20)), key=lambda tests: len(tests["kind"]))
    is_leaf = tests["kind"] == 0
    level = np.zeros(len(is_leaf), dtype=int)
    for node in np.flatnonzero(~is_leaf).tolist():
        level[[tests["left"][node], tests["right"][node]]] = level[node] + 1
    errors = tests["counts"].sum(axis=1) - tests["counts"].max(axis=1)
    lines = [["list", "node", "level", "rows", "errors", "rank", "chance %"]]
    for name, listed, keys in (
        ("leaves", np.flatnonzero(is_leaf & (errors > 0)), errors),
        ("inner nodes", np.flatnonzero(~is_leaf), level),
    ):
        chances = rank_chances(keys[listed].tolist())
        for rank, place in enumerate(np.argsort(chances, kind="stable"), 1):
            node = int(listed[place])
            rows = int(tests["counts"][node].sum())
            cells = [str(node), str(level[node]), str(rows), f"{errors[node]:g}", str(rank)]
            lines.append([name if rank == 1 else "", *cells, f"{100 * chances[place]:.1f}"])
    pure = int(np.count_nonzero(is_leaf & (errors <= 0)))
    return f"{grid(lines)}\n\nLeaves of one class are on no list: {pure} of {int(is_leaf.sum())} here."


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
    """Trees and nodes mutated in a generation, the shares that gain, and the best fitness, in five parts of the run."""
    lines = [["", "generations", *_WHAT]]
    for name, run in runs.items():
        for i, part in enumerate(np.array_split(np.arange(len(run["generation"])), 5)):
            steps = len(part) * (run["generation"][1] - run["generation"][0])
            cells = []
            for of in ("", "node_"):  # counted alike: trees and trees that gained, nodes and nodes that gained
                mutations, gains = run[f"{of}mutations"][part].sum(), run[f"{of}gains"][part].sum()
                cells += [f"{mutations / steps:.1f}", f"{100 * gains / max(mutations, 1):.1f}"]
            cells.append(f"{run['best_fitness'][part[-1]]:.4f}")
            lines.append([name if i == 0 else "", f"up to {run['generation'][part[-1]]:.0f}", *cells])
    return grid(lines, left=2)


_WHAT = ("trees a generation", "gain %", "nodes a generation", "gain %", "best fitness")


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
        ax.plot(run["generation"], run["mutations"] / step, label="trees mutated", linewidth=1.2)
        ax.plot(run["generation"], run["gains"] / step, label="of these, trees that gained", linewidth=1.2)
        ax.set_xlabel("generation")
        ax.set_title(name)
        ax.spines[["top", "right"]].set_visible(False)
    figure.axes[0].legend(frameon=False)
    return figure
