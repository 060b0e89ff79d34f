"""The path of a pruned tree, as text and as a picture."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from clearwood import CARTClassifier
from clearwood.learn.pruning_path import PruningPath


def test_the_path_prints_a_line_for_each_tree():
    path = CARTClassifier(random_state=0).fit(*load_iris(return_X_y=True)).pruning_path_
    head, *lines = str(path).splitlines()
    assert head.split() == ["leaves", "alpha", "training", "error", "error", "in", "cross-validation"]
    assert [int(line.split()[0]) for line in lines] == path.n_leaves.tolist()
    assert [line.endswith("chosen") for line in lines].index(True) == path.chosen


def test_a_long_path_is_cut_in_the_middle():
    n = 200
    numbers = np.linspace(0, 0.5, n)
    path = PruningPath(numbers, np.arange(n, 0, -1), numbers, numbers, numbers / 10, chosen=90)
    lines = str(path).splitlines()
    assert len(lines) < 35
    assert sum(line.strip() == "..." for line in lines) == 2
    assert any(line.endswith("chosen") for line in lines)


def test_the_path_can_be_drawn():
    plt = pytest.importorskip("matplotlib.pyplot")
    path = CARTClassifier(random_state=0).fit(*load_iris(return_X_y=True)).pruning_path_
    _, ax = plt.subplots()
    assert path.plot(ax) is ax
    assert ax.get_xlabel() == "leaves"
    assert {text.get_text() for text in ax.get_legend().get_texts()} >= {"training", "chosen"}
    plt.close(ax.figure)
