"""Growing and pruning from memory gives the trees of the learner itself, whatever is kept and wherever memory ends."""

import numpy as np
import pytest
from large_shapes import chain, many_values, wide_below_a_branch
from small_tables import random_small_table

from clearwood import C45Classifier, Column, Table
from clearwood.learn import batch as batch_module
from clearwood.learn.batch import Batch

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # tiny units and small weights are wanted here

SHAPES = ["deep", "wide", "wide below a branch"]


def scores_with(memory: int, monkeypatch: pytest.MonkeyPatch, made_from: tuple, subsets: np.ndarray) -> list:
    monkeypatch.setattr(batch_module, "MEMORY", memory)
    batch = Batch(*made_from)
    return [*batch.score(subsets), *batch.score(subsets[::-1])]


def assert_memory_changes_nothing(table, learner, monkeypatch, *, n_subsets=40, seed=0):
    rng = np.random.default_rng(seed)
    folds = rng.permutation(table.n_rows) % 3
    subsets = rng.random((n_subsets, table.n_features)) < 0.7
    made_from = table, folds, learner.growth(), learner.pruning()
    without = scores_with(0, monkeypatch, made_from, subsets)
    for memory in (256 << 20, 200_000, 60_000, 20_000, 6_000):
        for ours, plain in zip(scores_with(memory, monkeypatch, made_from, subsets), without, strict=True):
            assert np.array_equal(ours, plain)


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
@pytest.mark.parametrize("seed", range(10))
def test_memory_changes_no_score_of_a_larger_table_with_gaps(seed, confidence, monkeypatch):
    tables = (random_small_table(np.random.default_rng(s), max_rows=200) for s in range(100 * seed, 100 * seed + 100))
    table = next(t for t in tables if t.n_rows > 120 and t.n_features > 2)
    table = table.take((table.y >= 0) & (table.weights > 0))
    learner = C45Classifier(min_leaf=1, collapse=False, confidence=confidence)
    assert_memory_changes_nothing(table, learner, monkeypatch, seed=seed)


def with_a_gap(table: Table) -> Table:
    """The table with one more column, of which a cell is missing: rows are then shared out, though few are."""
    rng = np.random.default_rng(1)
    extra = rng.integers(3, size=table.n_rows)
    extra[0] = -1
    columns = [*table.columns, Column("extra", ("p", "q", "r"))]
    cells = [*(table.column(f) for f in range(table.n_features)), extra]
    return Table(columns, cells, target=table.target, y=table.y, weights=table.weights)


@pytest.mark.parametrize("gap", [False, True])
@pytest.mark.parametrize("binary_splits", [False, True])
@pytest.mark.parametrize(
    "shape", [chain(140), many_values(100), wide_below_a_branch(80)], ids=["deep", "wide", "below"]
)
def test_memory_changes_no_score_of_large_trees(shape, binary_splits, gap, monkeypatch):
    """More nodes, more that wait, and more branches than the arrays begin with."""
    learner = C45Classifier(min_leaf=1, criterion="gain", collapse=False, binary_splits=binary_splits, confidence=0.5)
    table = with_a_gap(shape) if gap else shape
    assert_memory_changes_nothing(table, learner, monkeypatch, n_subsets=6)


def test_a_large_tree_is_scored_as_the_learner_predicts():
    table = many_values(100, rows_each=9, missing=0.05)
    folds = np.arange(table.n_rows) % 3
    learner = C45Classifier(min_leaf=1, collapse=False, prune=False)
    scores = Batch(table, folds, learner.growth(), learner.pruning()).score(np.ones((1, 2), dtype=bool))
    for fold in range(3):
        tree = learner.fit(table.take(folds != fold)).tree_
        test = table.take(folds == fold)
        assert tree.n_nodes > 256
        assert (scores.n_nodes[0, fold], scores.n_leaves[0, fold]) == (tree.n_nodes, tree.n_leaves)
        assert scores.correct[0, fold] == pytest.approx(np.mean(tree.predict(test) == test.y), abs=1e-12)
