"""Figures 11.5, 11.6 and 11.8: the artificial points and the trees found on them, and both learners in bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from clearwood.evaluate.fronts import Front
from clearwood.evolve.pareto.classifier import ParetoTreeClassifier
from clearwood.learn.c45 import C45Classifier
from clearwood.studies.emo.artificial import artificial_table
from clearwood.studies.text_grid import grid
from clearwood.table import Table
from clearwood.tree import Tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from clearwood.studies.emo.report import Figures

__all__ = ["FirstExperiment", "figure_5_text", "figure_6_text", "first_experiment", "plot_figure_5", "plot_figure_8"]

MOST_RULES = 15
DRAWN = (3, 4, 6, 9)  # rules, in Figure 11.5 (b) to (e)
HIDDEN = 7
TALL = 60  # rules; where a bar is longer, lengths are drawn by their logarithm
PUBLISHED = {"C4.5": 44, "network": 22, 2: 43, 6: 22}
"""Wrong rows of 150 that § 11.3.1 names: by C4.5 (three rules), a neural network, and two and six rules of EMO."""


@dataclass(frozen=True)
class FirstExperiment:
    """Training errors on the artificial points, where the paper shows how the search works.

    Attributes
    ----------
    table : Table
    c45 : Tree
    front : Front
        By the paper's operators alone: 200 trees, 1000 generations.
    network_errors : int
        The wrong rows of a neural network with seven hidden nodes.
    """

    table: Table
    c45: Tree
    front: Front
    network_errors: int

    @property
    def c45_errors(self) -> int:
        return int((self.c45.predict(self.table) != self.table.y).sum())

    def errors(self, n_rules: int) -> int:
        """The wrong rows of the best tree with at most so many rules."""
        return min(round(e.training_error * self.table.n_rows) for e in self.front if e.n_leaves <= n_rules)


@lru_cache(maxsize=1)
def first_experiment() -> FirstExperiment:
    """Run the experiment of § 11.3.1, which takes a second."""
    from sklearn.neural_network import MLPClassifier
    from threadpoolctl import threadpool_limits

    table = artificial_table()
    search = ParetoTreeClassifier(
        population_size=200, max_leaves=MOST_RULES, selection=4, improvements=0, certify=False, random_state=0,
        progress=False,
    ).fit(table)  # fmt: skip
    with threadpool_limits(1):  # sums of several threads differ in their last bits
        network = MLPClassifier((HIDDEN,), solver="lbfgs", max_iter=2000, random_state=0).fit(table.numeric.T, table.y)
        wrong = int((network.predict(table.numeric.T) != table.y).sum())
    return FirstExperiment(table, C45Classifier().fit(table).tree_, search.front_, wrong)


def figure_5_text() -> str:
    """The wrong rows by number of rules, beside those that the paper names."""
    run = first_experiment()
    rows = [["training errors of 150", "paper", "ours"]]
    rows.append([f"C4.5 (3 rules in the paper, {run.c45.n_leaves} here)", str(PUBLISHED["C4.5"]), str(run.c45_errors)])
    rows.append([f"neural network, {HIDDEN} hidden nodes", str(PUBLISHED["network"]), str(run.network_errors)])
    for size in range(2, MOST_RULES + 1):
        rows.append([f"EMO, up to {size} rules", str(PUBLISHED.get(size, "")), str(run.errors(size))])
    return grid(rows)


def figure_6_text(sizes: Sequence[int] = (2, 4, 6)) -> str:
    """The best trees of a few sizes."""
    front = first_experiment().front
    return "\n\n".join(str(front.of_size(size).tree) for size in sizes if size in front.sizes)


def plot_figure_5() -> Figure:
    """The points with the boundaries of C4.5 and of trees of some sizes, and the front."""
    from matplotlib.figure import Figure

    run = first_experiment()
    figure = Figure(figsize=(11, 6.6), layout="constrained")
    axes = figure.subplots(2, 3).ravel()
    shown = {f"C4.5, {run.c45.n_leaves} rules": run.c45} | {f"EMO, {n} rules": run.front.of_size(n).tree for n in DRAWN}
    for ax, (title, tree) in zip(axes, shown.items(), strict=False):
        tree.plot_partition(run.table, ax, features=run.table.feature_names)
        ax.set_title(title, fontsize=9)
    axes[-1].plot(run.front.sizes, [100 * entry.training_error for entry in run.front], "o-", markersize=4, linewidth=1)
    axes[-1].set_xlabel("number of rules")
    axes[-1].set_ylabel("training error (%)")
    axes[-1].set_title("an example of a result", fontsize=9)
    axes[-1].spines[["top", "right"]].set_visible(False)
    return figure


def plot_figure_8(figures: Sequence[Figures], names: dict[str, str]) -> Figure:
    """Test errors and rules of each learner, with the size chosen in hindsight, in bars side by side."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, NullLocator

    from clearwood.view.colours import class_colours

    data = list(dict.fromkeys(f.data for f in figures))
    learners = [name for name in names if any(f.learner == name for f in figures)]
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    errors, rules = figure.subplots(1, 2)
    for k, (learner, colour) in enumerate(zip(learners, class_colours(len(learners)), strict=True)):
        mine = {f.data: f for f in figures if f.learner == learner}
        at = [data.index(name) + 0.8 * (k + 0.5) / len(learners) - 0.4 for name in mine]
        means = [f.ours for f in mine.values()]
        reach = [[f.ours - f.low for f in mine.values()], [f.high - f.ours for f in mine.values()]]
        look = {"width": 0.8 / len(learners), "color": colour, "label": names[learner]}
        errors.bar(at, means, yerr=reach, error_kw={"linewidth": 0.6}, **look)
        rules.bar(at, [f.rules for f in mine.values()], **look)
    for ax, what in ((errors, "test error (%)"), (rules, "number of rules")):
        ax.set_xticks(range(len(data)), data, rotation=45, ha="right", fontsize=8)
        ax.set_ylabel(what)
        ax.spines[["top", "right"]].set_visible(False)
    if max(f.rules for f in figures) > TALL:  # a bag has ten times the rules of a tree
        rules.set_yscale("log")
        rules.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        rules.yaxis.set_major_formatter("{x:g}")
        rules.yaxis.set_minor_locator(NullLocator())
    errors.legend(frameon=False, fontsize=8)
    return figure
