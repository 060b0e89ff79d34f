import numpy as np
import pytest
from sklearn.datasets import load_iris

from clearwood import C45Classifier, Ensemble
from clearwood.tree import Tree

IRIS = load_iris()


def test_an_ensemble_wants_trees_that_belong_together():
    a = C45Classifier().fit(IRIS.data, IRIS.target).tree_
    b = C45Classifier().fit(IRIS.data[:, :3], IRIS.target).tree_
    c = C45Classifier().fit(IRIS.data, IRIS.target > 0).tree_
    with pytest.raises(ValueError, match="at least one tree"):
        Ensemble([])
    with pytest.raises(ValueError, match="the same columns, but tree 1"):
        Ensemble([a, b])
    with pytest.raises(ValueError, match="the same classes, but tree 1"):
        Ensemble([a, c])
    with pytest.raises(ValueError, match="weights must hold one number of at least 0 for each of 1"):
        Ensemble([a], [-1.0])
    assert isinstance(Ensemble([a]).trees[0], Tree)
    assert (len(Ensemble([a, a])), Ensemble([a, a]).n_nodes, Ensemble([a, a]).features) == (2, 18, a.features)


def test_thousands_of_trees_do_not_exhaust_the_stack():
    one, other = (C45Classifier(max_leaves=n).fit(IRIS.data, IRIS.target).tree_ for n in (2, 3))
    rows = one.table_of(IRIS.data)
    found = Ensemble([one, other] * 4000).predict_proba(rows, n_jobs=2)
    np.testing.assert_allclose(found, Ensemble([one, other]).predict_proba(rows))
