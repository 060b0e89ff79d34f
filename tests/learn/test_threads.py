"""A tree grown by a team is the tree that one thread grows, node for node."""

import numpy as np
import pytest
from large_shapes import many_values
from sklearn.datasets import make_classification
from small_tables import random_c45_params, random_small_table

from clearwood import (
    C45Classifier,
    CARTClassifier,
    DistilledTreeClassifier,
    ID3Classifier,
    ParetoTreeClassifier,
    SetGenClassifier,
    routing,
)
from clearwood.evaluate import evaluate
from clearwood.evolve.pareto import search as pareto_search
from clearwood.kernels.greedy import joining_rows
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
    alone, *teams = (C45Classifier(**params, n_jobs=n).fit(table).tree_ for n in (1, 2, 3, 16))
    assert all(team == alone for team in teams)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("learner", [C45Classifier(), ID3Classifier(), CARTClassifier(pruning=None)])
def test_a_team_grows_the_same_large_tree(learner, classes):
    X, y = make_classification(12_000, 8, n_informative=5, n_classes=classes, flip_y=0.1, random_state=0)
    X[:, 0] = X[:, 0].round(1)  # one column is counted by value, the others are swept in order
    alone, *teams = (learner.set_params(n_jobs=n).fit(X, y).tree_ for n in (1, 2, 7, 16))
    assert all(team == alone for team in teams) and alone.n_leaves > 50


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


@pytest.mark.parametrize("error_estimate", ["j48", "c4.5"])
@pytest.mark.parametrize("classes", [2, 5])
def test_rows_that_join_a_branch_in_slices_decide_as_they_do_at_once(classes, error_estimate, monkeypatch):
    """A branch is raised, or is not, whoever counts the rows that would join it."""
    X, y = make_classification(9000, 6, n_informative=5, n_redundant=0, n_classes=classes, flip_y=0.3, random_state=3)
    X[:, :2] = X[:, :2].round(1)
    trees = []
    for least, n_jobs in [(10**9, 1), (1, 1), (1, 2), (1, 7), (40, 16)]:
        monkeypatch.setattr(joining_rows, "LEAST_ROWS", least)
        monkeypatch.setattr(growing, "WORTH_SHARING", 1)
        learner = C45Classifier(min_leaf=5, confidence=0.4, error_estimate=error_estimate, n_jobs=n_jobs)
        trees.append(learner.fit(X, y).tree_)
    unraised = C45Classifier(min_leaf=5, confidence=0.4, error_estimate=error_estimate, raise_subtrees=False).fit(X, y)
    assert all(tree == trees[0] for tree in trees) and trees[0].n_leaves > 20 and trees[0] != unraised.tree_


SHORT = {"random_state": 0, "progress": False}


@pytest.mark.parametrize(
    "learner",
    [
        C45Classifier(confidence="cv", random_state=0),
        CARTClassifier(cv=4, random_state=0),
        SetGenClassifier(evaluations=30, population_size=10, cv=3, **SHORT),
        SetGenClassifier(
            base_learner=CARTClassifier(), confidence=None, evaluations=6, population_size=4, cv=2, **SHORT
        ),
        ParetoTreeClassifier(generations=12, population_size=40, cv=3, **SHORT),
        ParetoTreeClassifier(generations=6, population_size=40, cv=2, cv_repeats=2, targets="distilled", **SHORT),
        DistilledTreeClassifier(cv=2, n_synthetic=200, max_leaves=8, **SHORT),
    ],
    ids=lambda learner: f"{type(learner).__name__}-{len(repr(learner))}",
)
def test_folds_side_by_side_find_what_they_find_in_turn(learner, monkeypatch):
    """With more threads than folds too, when those left over take part in the work on a fold."""
    monkeypatch.setattr(growing, "WORTH_SHARING", 1)
    monkeypatch.setattr(pareto_search, "SHARED_ROWS", 1)
    X, y = make_classification(160, 5, n_informative=3, n_redundant=0, n_classes=3, flip_y=0.1, random_state=1)
    results = []
    for n in (1, 2, 7, 16):
        clf = learner.set_params(n_jobs=n).fit(X, y)
        front = [(e.n_leaves, e.tree, e.cv_error) for e in getattr(clf, "front_", ())]
        results.append((clf.tree_, front, getattr(clf, "confidence_", None)))
    assert all(result == results[0] for result in results) and results[0][0].n_leaves > 1


def test_a_learner_in_a_fold_gets_its_part_of_the_cores(monkeypatch):
    """Four folds at a time on eight cores, each by a learner that asks for all cores: eight threads, not 32."""
    monkeypatch.setattr("joblib.cpu_count", lambda: 8)
    monkeypatch.setattr(growing, "WORTH_SHARING", 1)
    asked, grow_together = [], growing.grow_together

    def counted(grower, features, n_threads):
        asked.append(n_threads)
        grow_together(grower, features, n_threads)

    monkeypatch.setattr(growing, "grow_together", counted)
    evaluate(C45Classifier(n_jobs=8), many_values(20, rows_each=20), cv=4, repeats=1, n_jobs=4)
    assert asked == [2] * 4


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply"])
def test_the_threads_of_a_learner_share_the_rows_to_predict(method, monkeypatch):
    monkeypatch.setattr(routing, "BLOCK_ROWS", 10)
    X, y = make_classification(300, 4, n_informative=3, n_redundant=0, random_state=0)
    X[::7, 0] = np.nan
    clf = C45Classifier(n_jobs=1).fit(X, y)
    alone, blocks, row_blocks = getattr(clf, method)(X), [], routing.row_blocks

    def counted(*arguments, **more):
        blocks.append(row_blocks(*arguments, **more))
        return blocks[-1]

    monkeypatch.setattr(routing, "row_blocks", counted)
    for n_jobs in (2, 7, 16):
        assert np.array_equal(getattr(clf.set_params(n_jobs=n_jobs), method)(X), alone)
    assert [len(found) for found in blocks] == [2, 7, 16]
