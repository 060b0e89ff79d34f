"""The first minute after an install, as a program: a tree is grown, read, drawn, explained, scored and saved."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from sklearn.datasets import load_iris

import clearwood as cw


def main() -> None:
    iris = load_iris(as_frame=True)
    clf = cw.C45Classifier().fit(iris.data, iris.target_names[iris.target])
    assert "petal width (cm) ≤ 0.6" in str(clf.tree_)
    assert "So class is" in clf.explain(iris.data.iloc[70])
    assert clf.tree_.to_svg().startswith("<svg") and "CASE" in clf.tree_.to_sql("flowers")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        iris.data.assign(species=iris.target_names[iris.target]).to_csv(folder / "iris.csv", index=False)
        command = [
            Path(sys.executable).with_name("clearwood"),
            "fit",
            folder / "iris.csv",
            "--save",
            folder / "tree.json",
        ]
        subprocess.run(command, check=True)
        clf.tree_.plot().figure.savefig(folder / "tree.png")  # type: ignore[union-attr]
        assert cw.Tree.from_json((folder / "tree.json").read_text(encoding="utf-8")).n_leaves == clf.tree_.n_leaves
    print("The first minute works.")


if __name__ == "__main__":
    main()
