"""What every learner of one tree offers beside fit and predict."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

import clearwood as cw

IRIS = load_iris(as_frame=True)
LABELS = IRIS.target_names[IRIS.target]


@pytest.fixture(scope="module")
def clf():
    return cw.C45Classifier().fit(IRIS.data, LABELS)


def test_what_scikit_learns_trees_have(clf):
    assert (clf.get_depth(), clf.get_n_leaves()) == (clf.tree_.depth, clf.tree_.n_leaves)
    np.testing.assert_allclose(np.exp(clf.predict_log_proba(IRIS.data)), clf.predict_proba(IRIS.data))
    assert clf.decision_path(IRIS.data).shape == (150, clf.tree_.n_nodes)
    assert clf.feature_importances_.shape == (4,) and clf.feature_importances_.sum() == pytest.approx(1)
    assert dict(zip(IRIS.data, clf.feature_importances_, strict=True)) == pytest.approx(clf.tree_.importances())
    with pytest.raises(NotFittedError):
        cw.C45Classifier().get_depth()


def test_a_row_is_explained_from_any_form(clf):
    wanted = clf.tree_.explain(IRIS.data, 70)
    row = IRIS.data.iloc[70]
    for form in (row, dict(row), row.to_numpy(), row.tolist(), IRIS.data.iloc[[70]]):
        assert clf.explain(form) == wanted
    assert clf.explain(IRIS.data, 70) == wanted and repr(wanted) == str(wanted)
    assert wanted.splitlines()[-1] == "It would be versicolor if petal width (cm) were above 0.6 and at most 1.7."


def test_a_tree_of_chosen_features_is_explained_with_all_of_them():
    clf = cw.SetGenClassifier(evaluations=60, population_size=10, random_state=0).fit(IRIS.data.to_numpy(), LABELS)
    assert clf.explain(IRIS.data.to_numpy()[70]).startswith("x")
    assert clf.feature_importances_.shape == (4,)


def test_log_probabilities_of_the_impossible_are_minus_infinity():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0]})
    clf = cw.C45Classifier(min_leaf=1).fit(frame, ["x", "x", "y", "y"])
    assert np.isneginf(clf.predict_log_proba(frame)).sum() == 4
