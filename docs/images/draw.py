"""Draw the pictures that the README and the pages show: ``python docs/images/draw.py``."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer, load_iris

import clearwood as cw

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


if __name__ == "__main__":
    main()
