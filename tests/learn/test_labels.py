"""Labels of any type come back from a learner, and a tree names them in a way that can be written."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

import clearwood as cw
from clearwood.learn.labels import tree_labels

X = np.array([[1.0], [2.0]] * 10)
DAYS = np.array(["2020-01-01", "2021-06-01"] * 10, dtype="datetime64[D]")
KINDS = ["datetime64[D]", "datetime64[us]", "datetime64[ns]"]


@pytest.mark.parametrize("kind", KINDS)
def test_moments_come_back_and_the_tree_can_be_written(kind, tmp_path):
    y = DAYS.astype(kind)
    clf = cw.C45Classifier().fit(X, y)
    assert np.array_equal(clf.predict(X), y) and clf.score(X, y) == 1
    tree = cw.Tree.from_json(clf.tree_.to_json())
    assert tree == clf.tree_ and tree.classes == ("2020-01-01", "2021-06-01")
    assert [tree.classes[code] for code in tree.predict(X)] == DAYS.astype(str).tolist()
    assert clf.tree_.to_page(tmp_path / "page.html").stat().st_size > 0
    assert "2021-06-01" in clf.tree_.to_javascript()
    assert "'2021-06-01'" in clf.tree_.to_python()


def test_durations_do_too():
    y = np.array([1, 2] * 10, dtype="timedelta64[h]")
    clf = cw.C45Classifier().fit(X, y)
    assert np.array_equal(clf.predict(X), y) and cw.Tree.from_json(clf.tree_.to_json()) == clf.tree_


@pytest.mark.parametrize("learner", [cw.ForestClassifier(n_estimators=5), cw.BaggedTreesClassifier(n_estimators=5)])
def test_ensembles_give_moments_and_can_teach(learner):
    fitted = learner.set_params(random_state=0).fit(X, DAYS)
    assert np.array_equal(fitted.predict(X), DAYS)
    forest = RandomForestClassifier(5, random_state=0).fit(X, DAYS)
    for teacher in (fitted, forest):
        taught = cw.DistilledTreeClassifier(teacher=teacher, random_state=0).fit(X, DAYS)
        assert np.array_equal(taught.predict(X), DAYS)
    assert np.array_equal(cw.ISMClassifier(ensemble=forest, random_state=0).fit(X, DAYS).predict(X), DAYS)


@pytest.mark.parametrize("classes", [["a", "b"], [1, 2], [0.5, 1.5], [False, True]])
def test_other_labels_stay_as_they_are(classes):
    assert tree_labels(np.array(classes)) == tuple(classes)
