"""What a memo keeps, and that it keeps no more than it may."""

import numpy as np
import pytest
from large_shapes import many_values

from clearwood import C45Classifier, CARTClassifier
from clearwood.kernels.subsets.recalling_grower import RecallingGrower
from clearwood.learn import batch as batch_module
from clearwood.learn.batch import Batch
from clearwood.learn.training import training_set

PER_STATE, PER_ROW, PER_CANDIDATE = 32, 4, 33  # bytes: a State, a kept row, a candidate of one feature


def scored(memory: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Batch, int]:
    """A batch that has met very many nodes, and the number of its features."""
    monkeypatch.setattr(batch_module, "MEMORY", memory)
    table = many_values(12, rows_each=40)
    learner = C45Classifier(min_leaf=1, prune=False, collapse=False, binary_splits=True)
    batch = Batch(table, np.arange(table.n_rows) % 2, learner.growth(), learner.pruning())
    for _ in range(60):  # each time round, the nodes met once before are kept
        batch.score(np.array([[1, 1], [1, 0], [0, 1]], dtype=bool))
    return batch, table.n_features


@pytest.mark.parametrize("memory", [8_000, 20_000, 60_000])
def test_no_more_is_kept_than_the_limit_allows(memory, monkeypatch):
    batch, n_features = scored(memory, monkeypatch)
    spent = []
    for fold in batch._folds:
        states, blocks, _, rows = fold.grower.kept()
        spent.append(states * (PER_STATE + 2 * 8 * 2) + blocks * n_features * PER_CANDIDATE + rows * PER_ROW)
    one_test = 2 * (PER_STATE + 32) + 240 * PER_ROW + n_features * PER_CANDIDATE  # the last one begun below the limit
    assert all(bytes_kept <= memory / 2 + one_test for bytes_kept in spent)
    assert max(spent) > memory / 4


@pytest.mark.parametrize(("memory", "any_set"), [(0, False), (1 << 20, True)])
def test_nothing_is_kept_without_memory_or_with_sets_of_values(memory, any_set):
    learner = CARTClassifier() if any_set else C45Classifier()
    grower = RecallingGrower(training_set(many_values(5)), learner.growth().rules(), memory=memory)
    assert grower.kept() == (0, 0, 0, 0)
