"""A batch scores each subset and fold as the learner itself would, tree by tree."""

import numpy as np
import pytest
from small_tables import random_small_table

from clearwood import C45Classifier
from clearwood.learn.batch import Batch


def table_with_classes(seed):
    """A random small table without the rows that lack a class or weigh nothing."""
    table = random_small_table(np.random.default_rng(seed))
    return table.take((table.y >= 0) & (table.weights > 0))


@pytest.mark.filterwarnings("ignore::UserWarning")  # tiny units and small weights are in the tables on purpose
@pytest.mark.parametrize("seed", range(25))
def test_a_batch_equals_the_learner_fold_by_fold(seed):
    table = table_with_classes(seed)
    if table.n_rows < 6:
        pytest.skip("too few rows for three folds")
    rng = np.random.default_rng(seed)
    folds = rng.permutation(table.n_rows) % 3
    subsets = rng.random((4, table.n_features)) < 0.6
    learner = C45Classifier(min_leaf=1, binary_splits=bool(seed % 2))
    scores = Batch(table, folds, learner.growth(), learner.pruning()).score(subsets)
    for s, subset in enumerate(subsets):
        part = table.select(np.flatnonzero(subset))
        for fold in range(3):
            tree = C45Classifier(**learner.get_params()).fit(part.take(folds != fold)).tree_
            test = part.take(folds == fold)
            right = test.weights[tree.predict(test) == test.y].sum() / test.weights.sum()
            assert scores.correct[s, fold] == pytest.approx(right, abs=1e-12)
            sizes = scores.n_nodes[s, fold], scores.n_leaves[s, fold], scores.n_features[s, fold]
            assert sizes == (tree.n_nodes, tree.n_leaves, len(tree.features))


def test_threads_change_no_score():
    table = table_with_classes(3)
    folds = np.arange(table.n_rows) % 3
    subsets = np.random.default_rng(0).random((10, table.n_features)) < 0.5
    learner = C45Classifier()
    batch = Batch(table, folds, learner.growth(), learner.pruning())
    for one, two in zip(batch.score(subsets, n_jobs=1), batch.score(subsets, n_jobs=3), strict=True):
        assert np.array_equal(one, two)


def test_subsets_of_another_width_are_refused():
    table = table_with_classes(3)
    learner = C45Classifier()
    batch = Batch(table, np.arange(table.n_rows) % 3, learner.growth(), learner.pruning())
    with pytest.raises(ValueError, match="a column for each of"):
        batch.score(np.ones((2, table.n_features + 1), dtype=bool))
