"""Draw the pictures that the README and the pages show: ``python docs/images/draw.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import clearwood as cw
from clearwood.studies.distilled.measured import read_measured
from clearwood.studies.figures import plot_overview

HERE = Path(__file__).parent


def save(tree: cw.Tree, name: str, **options: object) -> None:
    ax = tree.plot(**options)
    ax.figure.savefig(HERE / name, metadata={"Date": None, "Creator": "Clearwood"})
    plt.close(ax.figure)


def main() -> None:
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "clearwood"  # the same tree gives the same file
    iris = load_iris(as_frame=True)
    flowers = iris.data.rename(columns=lambda name: name.removesuffix(" (cm)"))
    flowers["species"] = iris.target_names[iris.target]
    save(cw.C45Classifier().fit(cw.read(flowers, target="species")).tree_, "iris.svg")
    cancer = load_breast_cancer(as_frame=True)
    cells = cancer.data.assign(diagnosis=cancer.target_names[cancer.target])
    save(cw.C45Classifier().fit(cw.read(cells, target="diagnosis")).tree_, "cancer.svg")
    draw_partition(cw.read(flowers, target="species"))
    draw_chessboard()
    draw_comparison(cancer)
    draw_distilled()


def draw_partition(table: cw.Table) -> None:
    build = cw.TreeBuilder(table.columns, table.classes, target="species")
    low, high = build.leaf([0, 48, 1]), build.leaf([0, 2, 49])
    wide = build.linear({"petal width": 0.8, "petal length": 0.2}, 2.35, [low, high])
    tree = build.build(build.threshold("petal width", 0.6, [build.leaf([50, 0, 0]), wide]))
    ax = tree.plot_partition(table)
    ax.figure.savefig(HERE / "partition.svg", metadata={"Date": None, "Creator": "Clearwood"})
    plt.close(ax.figure)


def draw_chessboard() -> None:
    board = cw.artificial.chess2(noise=1, random_state=0)
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.8), layout="constrained")
    learners = {"C4.5": cw.C45Classifier(), "linear": cw.LinearTreeClassifier(random_state=0, progress=False)}
    for ax, (name, learner) in zip(axes, learners.items(), strict=True):
        tree = learner.fit(board.select(["x1", "x2"])).tree_
        tree.plot_partition(board.select(["x1", "x2"]).take(range(300)), ax)
        ax.set_title(f"{name}: {tree.n_leaves} leaves")
    figure.savefig(HERE / "chessboard.svg", metadata={"Date": None, "Creator": "Clearwood"})
    plt.close(figure)


def draw_comparison(cancer: Any) -> None:
    tables = {
        "iris": cw.read(load_iris(as_frame=True).frame, target="target"),
        "wine": cw.read(load_wine(as_frame=True).frame, target="target"),
        "breast cancer": cw.read(cancer.frame, target="target"),
    }
    figure = plot_overview(cw.compare(["c45", "cart", "id3"], tables, progress=False))
    figure.savefig(HERE / "comparison.svg", metadata={"Date": None, "Creator": "Clearwood"})
    plt.close(figure)


def draw_distilled() -> None:
    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    read_measured().plot(figure.add_subplot())
    figure.savefig(HERE / "distilled.svg", metadata={"Date": None, "Creator": "Clearwood"})


if __name__ == "__main__":
    main()
