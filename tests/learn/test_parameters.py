"""Parameters: out of range they are refused by name, within range they do what they say."""

from importlib import import_module

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine

import clearwood as cw
from clearwood.learn.registry import LEARNERS

X, Y = load_wine(return_X_y=True)
GREEDY = ("c45", "cart", "id3")  # those that share the limits of size


def learner(name, **params):
    module, _, cls = LEARNERS[name].partition(":")
    return getattr(import_module(module), cls)(**params)


@pytest.mark.parametrize(
    ("name", "parameter", "value", "message"),
    [
        (
            "c45",
            "criterion",
            "entropy",
            "criterion must be one of 'gain_ratio', 'gain', 'gini', 'twoing', got 'entropy'",
        ),
        ("c45", "confidence", 0, r"confidence must be a number between 0 and 1 \(both excluded\), got 0"),
        ("c45", "confidence", 1.0, "confidence must be"),
        ("c45", "confidence", float("nan"), "confidence must be"),
        ("c45", "confidence", "high", "confidence must be 'cv' or a number.*got 'high'"),
        ("c45", "min_leaf", 0, "min_leaf must be a number above 0, got 0"),
        ("c45", "prune", "no", "prune must be True or False, got 'no'"),
        ("c45", "collapse", 1, "collapse must be True or False, got 1"),
        ("c45", "raise_subtrees", None, "raise_subtrees must be True or False"),
        ("c45", "binary_splits", 0, "binary_splits must be True or False"),
        ("c45", "mdl_correction", "x", "mdl_correction must be True or False"),
        ("c45", "laplace", 2, "laplace must be True or False"),
        ("c45", "error_estimate", "c45", "error_estimate must be one of 'j48', 'c4.5', got 'c45'; did you mean 'c4.5'"),
        ("c45", "min_gap", -1e-5, "min_gap must be a number of at least 0, got -1e-05"),
        ("c45", "max_depth", 0, "max_depth must be a whole number of at least 1 or None, got 0"),
        ("c45", "max_leaves", 2.5, "max_leaves must be a whole number of at least 1 or None, got 2.5"),
        ("id3", "criterion", "gini", "criterion must be one of 'gain', 'gain_ratio', got 'gini'"),
        ("id3", "max_depth", True, "max_depth must be a whole number"),
        ("id3", "max_leaves", -1, "max_leaves must be a whole number of at least 1 or None, got -1"),
        ("cart", "criterion", "gain_ratio", "criterion must be one of 'gini', 'twoing', 'gain', got 'gain_ratio'"),
        ("cart", "min_leaf", -1, "min_leaf must be a number above 0, got -1"),
        ("cart", "min_split", -2, "min_split must be a number of at least 0, got -2"),
        ("cart", "max_depth", "deep", "max_depth must be"),
        ("cart", "max_leaves", 0, "max_leaves must be a whole number of at least 1 or None, got 0"),
        ("cart", "pruning", "pessimistic", "pruning must be 'cv', a number of at least 0 or None, got 'pessimistic'"),
        ("cart", "pruning", -0.1, "pruning must be"),
        ("cart", "pruning", True, "pruning must be"),
        ("cart", "pruning", float("nan"), "pruning must be"),
        ("cart", "cv", 1, "cv must be a whole number of at least 2, got 1"),
        ("cart", "cv", "10", "cv must be"),
        ("cart", "cv", [], "cv must hold at least one pair"),
        ("cart", "one_se", 1, "one_se must be True or False, got 1"),
        ("cart", "random_state", "seed", "random_state must be None, a whole number.*got 'seed'"),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(name, parameter, value, message):
    with pytest.raises((ValueError, TypeError), match=message):
        learner(name, **{parameter: value}).fit(X, Y)


@pytest.mark.parametrize("name", sorted(LEARNERS.keys() - {"oc1"}))  # which has no threads
@pytest.mark.parametrize(("n_jobs", "error"), [("x", TypeError), (0, ValueError), (1.5, TypeError), (True, TypeError)])
def test_a_number_of_threads_that_is_none_is_refused_by_every_learner(name, n_jobs, error):
    with pytest.raises(error, match="n_jobs must be a whole number other than 0, -1 for all cores, or None, got"):
        learner(name).set_params(n_jobs=n_jobs).fit(X, Y)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_misspelt_parameter_is_refused(name):
    with pytest.raises(TypeError, match="max_dept"):
        learner(name, max_dept=3)


@pytest.mark.parametrize("name", GREEDY)
def test_parameters_are_not_checked_before_fit(name):
    assert learner(name, max_depth=-5).max_depth == -5


@pytest.mark.parametrize("name", GREEDY)
@pytest.mark.parametrize("max_depth", [1, 2, 3])
def test_no_path_is_longer_than_max_depth(name, max_depth):
    unpruned = {"cart": {"pruning": None}, "c45": {"prune": False}}.get(name, {})
    assert learner(name, max_depth=max_depth, **unpruned).fit(X, Y).tree_.depth == max_depth


@pytest.mark.parametrize("name", GREEDY)
@pytest.mark.parametrize("max_leaves", [1, 2, 4, 7])
def test_there_are_no_more_leaves_than_max_leaves(name, max_leaves):
    rng = np.random.default_rng(0)
    noisy = np.where(rng.random(len(Y)) < 0.2, rng.integers(3, size=len(Y)), Y)
    given = {"cart": {"random_state": 0}}.get(name, {})
    free = learner(name, **given).fit(X, noisy).tree_
    tree = learner(name, max_leaves=max_leaves, **given).fit(X, noisy).tree_
    assert tree.n_leaves <= max_leaves < max(free.n_leaves, 8)
    assert tree.n_leaves > max_leaves / 3


@pytest.mark.parametrize(
    ("name", "criteria"),
    [
        ("c45", ("gain_ratio", "gain", "gini", "twoing")),
        ("id3", ("gain", "gain_ratio")),
        ("cart", ("gini", "twoing", "gain")),
    ],
)
def test_criteria_choose_different_trees_that_all_fit(name, criteria):
    cancer = load_breast_cancer(return_X_y=True)
    given = {"cart": {"pruning": None}}.get(name, {})
    fitted = [learner(name, criterion=criterion, **given).fit(*cancer) for criterion in criteria]
    assert all(clf.score(*cancer) > 0.95 for clf in fitted)
    # with two classes twoing is twice the Gini gain, so those two agree
    assert len({str(clf.tree_) for clf in fitted}) == len(criteria) - (1 if "twoing" in criteria else 0)


@pytest.mark.parametrize("name", GREEDY)
def test_the_number_of_jobs_changes_nothing(name):
    rng = np.random.default_rng(1)
    table = rng.normal(size=(3000, 5))
    y = (table[:, 0] * table[:, 1] > rng.normal(size=3000) * 0.3).astype(int)
    given = {"cart": {"random_state": 3}}.get(name, {})
    assert learner(name, n_jobs=1, **given).fit(table, y).tree_ == learner(name, n_jobs=3, **given).fit(table, y).tree_


# -- C4.5's own --------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", [cw.ID3Classifier(), cw.C45Classifier(), cw.CARTClassifier(random_state=0)])
def test_no_depth_is_too_large_to_ask_for(learner):
    X, y = load_wine(return_X_y=True)
    usual = learner.fit(X, y).tree_
    assert learner.set_params(max_depth=2**40).fit(X, y).tree_ == usual


@pytest.mark.parametrize(
    ("learner", "name"),
    [(cw.OC1Classifier, "restarts"), (cw.OC1Classifier, "jumps"), (cw.LinearTreeClassifier, "max_leaves")],
)
def test_counts_beyond_32_bits_are_refused_by_name(learner, name):
    with pytest.raises(ValueError, match=f"{name} must be a whole number between"):
        learner(**{name: 2**40}).fit([[1.0], [2.0]], [0, 1])
