"""scikit-learn's own checks, for every learner in several settings; none is excused."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from clearwood import C45Classifier, CARTClassifier, ID3Classifier

SETTINGS = [
    C45Classifier(),
    C45Classifier(criterion="gini", prune=False, collapse=False, min_leaf=1, min_gap=0),
    C45Classifier(criterion="twoing", binary_splits=True, error_estimate="c4.5", laplace=True),
    C45Classifier(criterion="gain", max_depth=3, max_leaves=5, n_jobs=2),
    ID3Classifier(),
    ID3Classifier(criterion="gain_ratio", max_depth=4, max_leaves=6),
    CARTClassifier(),
    CARTClassifier(criterion="twoing", one_se=True, cv=3, n_jobs=2),
    CARTClassifier(criterion="gain", pruning=None, class_weight="balanced"),
    CARTClassifier(pruning=0.01, min_leaf=2, max_leaves=8),
]


@pytest.mark.filterwarnings("ignore:.*fewer rows than the .* folds:UserWarning")  # tables of a few rows
@pytest.mark.filterwarnings("ignore:.*min_gap:UserWarning")  # tables of one value
@parametrize_with_checks(SETTINGS)
def test_scikit_learn(estimator, check):
    check(estimator)
