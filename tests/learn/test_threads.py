"""A tree grown by a team is the tree that one thread grows, node for node."""

import numpy as np
import pytest
from large_shapes import many_values
from sklearn.datasets import make_classification
from small_tables import random_c45_params, random_small_table

from clearwood import C45Classifier, CARTClassifier, ID3Classifier
from clearwood.learn import growing


@pytest.mark.filterwarnings("ignore::UserWarning")  # tiny units and small weights are in the tables on purpose
@pytest.mark.parametrize("seed", range(40))
def test_a_team_grows_the_same_tree_of_a_small_table(seed, monkeypatch):
    monkeypatch.setattr(growing, "WORTH_SHARING", 1)
    rng = np.random.default_rng(seed)
    table = random_small_table(rng, max_rows=120)
    if not table.weights[table.y >= 0].sum() > 0:
        pytest.skip("nothing to learn from")
    params = random_c45_params(rng)
    if params.get("criterion") == "twoing":
        params["binary_splits"] = True
    alone, team = (C45Classifier(**params, n_jobs=n).fit(table).tree_ for n in (1, 3))
    assert alone == team


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("learner", [C45Classifier(), ID3Classifier(), CARTClassifier(pruning=None)])
def test_a_team_grows_the_same_large_tree(learner, classes):
    X, y = make_classification(12_000, 8, n_informative=5, n_classes=classes, flip_y=0.1, random_state=0)
    X[:, 0] = X[:, 0].round(1)  # one column is counted by value, the others are swept in order
    alone, team = (learner.set_params(n_jobs=n).fit(X, y).tree_ for n in (1, 2))
    assert alone == team and alone.n_leaves > 50


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_a_team_grows_two_way_tests_of_values_as_one_thread_does(n_jobs, monkeypatch):
    """Below the nodes that a team grows together, each thread's subtrees bring their sets of values along."""
    monkeypatch.setattr(growing, "WORTH_SHARING", 1)
    table = many_values(60, rows_each=20)
    alone, team = (
        C45Classifier(binary_splits=True, prune=False, collapse=False, min_leaf=1, n_jobs=n).fit(table).tree_
        for n in (1, n_jobs)
    )
    assert alone == team and alone.n_leaves > 100
