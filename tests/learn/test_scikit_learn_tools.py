"""The learners at work in scikit-learn's own tools."""

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from clearwood import C45Classifier, CARTClassifier, ID3Classifier

LEARNERS = [C45Classifier(), ID3Classifier(), CARTClassifier(random_state=0)]
each_learner = pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@each_learner
def test_in_a_pipeline(learner, iris):
    """Scaling keeps the order of values, so it must not change a prediction on the training rows."""
    X, y = iris
    piped = make_pipeline(StandardScaler(), clone(learner).set_params(max_depth=3)).fit(X, y)
    alone = clone(learner).set_params(max_depth=3).fit(X, y)
    assert np.array_equal(piped.predict(X), alone.predict(X))
    assert piped[-1].tree_.n_leaves == alone.tree_.n_leaves


@each_learner
def test_in_a_grid_search(learner, iris):
    grid = {"max_depth": [1, 3], "max_leaves": [2, 6]}
    search = GridSearchCV(learner, grid, cv=3, n_jobs=2).fit(*iris)
    assert search.best_params_ == {"max_depth": 3, "max_leaves": 6}
    assert search.best_score_ > 0.9


@each_learner
def test_in_cross_validation(learner):
    scores = cross_validate(learner, *load_wine(return_X_y=True), cv=5, return_train_score=True, scoring="roc_auc_ovr")
    assert scores["test_score"].mean() > 0.85
    assert (scores["train_score"] >= scores["test_score"] - 0.1).all()


@each_learner
def test_in_a_pipeline_that_puts_out_frames(learner):
    """A transformer that hands on a pandas frame keeps column names, and nominal columns stay nominal."""
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0] * 5, "colour": ["red", "red", "blue", "blue"] * 5})
    keep = ColumnTransformer(
        [("size", StandardScaler(), ["size"])], remainder="passthrough", verbose_feature_names_out=False
    )
    piped = make_pipeline(keep, clone(learner)).set_output(transform="pandas").fit(frame, frame["colour"] == "red")
    assert set(piped[-1].tree_.features) <= {"size", "colour"}
    assert piped[-1].feature_names_in_.tolist() == ["size", "colour"]
    assert piped.score(frame, frame["colour"] == "red") == 1


@each_learner
@pytest.mark.parametrize("store", ["pickle", "joblib"])
def test_stored_and_loaded(learner, store, iris, tmp_path):
    X, y = iris
    fitted = clone(learner).fit(X, y)
    if store == "pickle":
        loaded = pickle.loads(pickle.dumps(fitted))
    else:
        joblib.dump(fitted, tmp_path / "fitted.joblib")
        loaded = joblib.load(tmp_path / "fitted.joblib")
    assert loaded.tree_ == fitted.tree_
    assert np.array_equal(loaded.predict_proba(X), fitted.predict_proba(X))


@each_learner
def test_cloned(learner, iris):
    fitted = clone(learner).set_params(max_depth=2).fit(*iris)
    twin = clone(fitted)
    assert twin.get_params() == fitted.get_params()
    assert not hasattr(twin, "tree_")
    assert repr(twin) == repr(fitted)


@each_learner
def test_in_an_ensemble(learner, iris):
    bagged = BaggingClassifier(learner, n_estimators=5, random_state=0, n_jobs=2).fit(*iris)
    assert bagged.score(*iris) > 0.95


@each_learner
def test_under_permutation(learner, iris):
    fitted = clone(learner).fit(*iris)
    importance = permutation_importance(fitted, *iris, n_repeats=3, random_state=0).importances_mean
    assert importance[2:].sum() > 5 * abs(importance[:2].sum())  # petals tell irises apart, sepals do not


@pytest.mark.parametrize(
    "learner", [C45Classifier(max_depth=1), C45Classifier(max_depth=2), CARTClassifier(max_depth=1)]
)
def test_boosting_boosts(learner):
    """Its weights sum to 1, and limits such as min_leaf count weight: every tree would be one leaf."""
    X, y = load_breast_cancer(return_X_y=True)
    fold = np.arange(len(y)) % 3 == 0
    boosted = AdaBoostClassifier(learner, n_estimators=15, random_state=0).fit(X[~fold], y[~fold])
    assert len(boosted.estimators_) == 15
    assert sum(one.tree_.n_leaves > 1 for one in boosted.estimators_) > 10
    alone = clone(learner).fit(X[~fold], y[~fold]).score(X[fold], y[fold])
    assert boosted.score(X[fold], y[fold]) > alone + 0.01


@each_learner
def test_the_scale_of_weights_below_one_does_not_matter(learner, iris):
    X, y = iris
    weights = np.random.default_rng(0).choice([0.125, 0.25, 0.5], size=len(y))
    trees = [clone(learner).fit(X, y, sample_weight=scale * weights).tree_ for scale in (1.0, 2.0**-10, 2.0**-900)]
    assert trees[0] == trees[1] == trees[2] and trees[0].n_leaves > 1
    assert trees[0].counts[0].sum() == pytest.approx(len(y))
