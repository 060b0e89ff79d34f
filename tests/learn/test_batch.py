"""A batch scores each subset and fold as the learner itself would, tree by tree."""

import multiprocessing
import os
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.base import clone
from small_tables import random_small_table

from clearwood import C45Classifier, CARTClassifier, Column, ID3Classifier, Table
from clearwood import threads as threads_module
from clearwood.learn import batch as batch_module
from clearwood.learn.batch import Batch


def table_with_classes(seed):
    """A random small table without the rows that lack a class or weigh nothing."""
    table = random_small_table(np.random.default_rng(seed))
    return table.take((table.y >= 0) & (table.weights > 0))


def assert_equals_learner(table, folds, subsets, learner, pruning):
    """The scores of a batch are those of the learner, fitted for each subset and fold."""
    scores = Batch(table, folds, learner.growth(), pruning).score(subsets)
    for s, subset in enumerate(subsets):
        part = table.select(np.flatnonzero(subset))
        for fold in range(folds.max() + 1):
            sizes = scores.n_nodes[s, fold], scores.n_leaves[s, fold], scores.n_features[s, fold]
            test = part.take(folds == fold)
            if not subset.any():
                assert sizes == (1, 1, 0)
                classes = np.bincount(table.y[folds != fold], table.weights[folds != fold], len(table.classes))
                predicted = np.argmax(classes >= classes.max() - 1e-6)
            else:
                tree = clone(learner).fit(part.take(folds != fold)).tree_
                assert sizes == (tree.n_nodes, tree.n_leaves, len(tree.features))
                predicted = tree.predict(test)
            right = test.weights[predicted == test.y].sum() / test.weights.sum()
            assert scores.correct[s, fold] == pytest.approx(right, abs=1e-12)


LEARNERS = {
    "C4.5": (C45Classifier(min_leaf=1), True),
    "C4.5 two-way": (C45Classifier(min_leaf=1, binary_splits=True, error_estimate="c4.5", confidence=0.85), True),
    "C4.5 unpruned": (C45Classifier(prune=False, collapse=False), True),
    "ID3": (ID3Classifier(), True),
    "CART": (CARTClassifier(pruning=None, min_value_rows=1), False),
}


@pytest.mark.filterwarnings("ignore::UserWarning")  # tiny units and small weights are in the tables on purpose
@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("seed", range(15))
def test_a_batch_equals_the_learner_fold_by_fold(seed, name):
    table = table_with_classes(seed)
    if table.n_rows < 6:
        pytest.skip("too few rows for three folds")
    rng = np.random.default_rng(seed)
    folds = rng.permutation(table.n_rows) % 3
    subsets = rng.random((4, table.n_features)) < 0.6
    subsets[3] = False
    learner, prunes = LEARNERS[name]
    assert_equals_learner(table, folds, subsets, learner, learner.pruning() if prunes else None)


def test_rows_of_no_weight_make_no_branch_where_nothing_is_pruned():
    table = Table(
        [Column("x", ("a", "b", "c"))],
        [[0, 0, 0, 1, 1, 1, 2, 2]],
        target=Column("y", ("p", "q")),
        y=[0, 0, 0, 1, 1, 1, 0, 1],
        weights=[1, 1, 1, 1, 1, 1, 0, 0],
    )
    folds = np.array([0, 1, 1, 0, 1, 1, 1, 1])
    assert_equals_learner(table, folds, np.ones((1, 1), dtype=bool), ID3Classifier(), None)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("seed", range(12))
def test_what_a_batch_remembers_changes_no_score(seed, name, monkeypatch):
    """Many subsets of few features meet the same nodes again; so do they in another order, and with little memory."""
    tables = (table_with_classes(start) for start in range(100 * seed, 100 * seed + 100))
    table = next(table for table in tables if table.n_rows >= 30)
    learner, prunes = LEARNERS[name]
    rng = np.random.default_rng(seed)
    folds = rng.permutation(table.n_rows) % 3
    subsets = rng.random((120, table.n_features)) < 0.7
    made_from = table, folds, learner.growth(), learner.pruning() if prunes else None
    order = rng.permutation(len(subsets))
    monkeypatch.setattr(batch_module, "MEMORY", 0)
    monkeypatch.setattr(batch_module, "MOST_BINS", 0)  # numeric columns are swept in sorted order
    forgetful = Batch(*made_from).score(subsets)
    monkeypatch.setattr(batch_module, "MOST_BINS", 4096)
    for memory in (256 << 20, 60_000, 0):
        monkeypatch.setattr(batch_module, "MEMORY", memory)
        batch = Batch(*made_from)
        assert same(forgetful, batch.score(subsets))
        assert same([scores[order] for scores in forgetful], batch.score(subsets[order]))


def test_a_batch_of_many_equal_subsets_remembers_whole_trees():
    """Once a tree has been met a few times, nothing new is kept: every node is recalled."""
    batch, subsets = mixed_batch()
    full = np.ones((30, subsets.shape[1]), dtype=bool)
    batch.score(full)
    kept = [fold.grower.kept() for fold in batch._folds]
    assert all(n_links > 0 for _, _, n_links, _ in kept)
    batch.score(full)
    assert [fold.grower.kept() for fold in batch._folds] == kept


def mixed_batch(seed=3):
    table = table_with_classes(seed)
    learner = C45Classifier()
    batch = Batch(table, np.arange(table.n_rows) % 5, learner.growth(), learner.pruning())
    return batch, np.random.default_rng(0).random((20, table.n_features)) < 0.5


def same(one, two):
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_threads_change_no_score():
    batch, subsets = mixed_batch()
    alone = batch.score(subsets, n_jobs=1)
    for n_jobs in (2, 3, 8, -1, 2):
        assert same(alone, batch.score(subsets, n_jobs=n_jobs))


def test_more_threads_than_folds_share_folds_and_change_no_score(monkeypatch):
    batch, subsets = mixed_batch()
    alone = batch.score(subsets)
    assert len(batch._folds) == 5
    monkeypatch.setattr(threads_module, "cores", lambda: 16)  # so many begin, whatever this machine has
    for n_jobs, lanes in ((5, 1), (6, 2), (16, 4), (99, 4), (2, 4)):  # what was opened stays
        for _ in range(20):
            assert same(alone, batch.score(subsets, n_jobs=n_jobs))
        assert [fold.number for fold in batch._folds] == [number for number in range(5) for _ in range(lanes)]
    assert same([scores[:1] for scores in alone], mixed_batch()[0].score(subsets[:1], n_jobs=16))


def test_another_pruning_goes_on_with_what_was_met():
    batch, subsets = mixed_batch()
    batch.score(subsets)
    twin = batch.at(C45Classifier(confidence=0.01).pruning())
    assert [fold.grower for fold in twin._folds] == [fold.grower for fold in batch._folds]
    anew = Batch(*twin._made_from)
    assert same(anew.score(subsets), twin.score(subsets, n_jobs=3))


def test_one_subset_at_a_time_gives_the_same_scores():
    batch, subsets = mixed_batch()
    together = batch.score(subsets)
    for s in np.random.default_rng(1).permutation(len(subsets)):
        alone = batch.score(subsets[s : s + 1], n_jobs=1 + s % 2)
        assert same(alone, [of_all[s : s + 1] for of_all in together])


def test_a_batch_may_be_used_by_several_threads_at_once():
    batch, subsets = mixed_batch()
    alone = [batch.score(subsets[s : s + 1]) for s in range(len(subsets))]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            scores = pool.map(lambda s: batch.score(subsets[s : s + 1], n_jobs=1 + s % 3), range(len(subsets)))
            assert all(same(a, b) for a, b in zip(alone, scores, strict=True))


def test_a_pickled_batch_scores_alike():
    batch, subsets = mixed_batch()
    expected = batch.score(subsets, n_jobs=2)
    assert same(expected, pickle.loads(pickle.dumps(batch)).score(subsets))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_starts_threads_of_its_own():
    batch, subsets = mixed_batch()
    expected = batch.score(subsets, n_jobs=2)
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=lambda: queue.put(same(expected, batch.score(subsets, n_jobs=2))))
    child.start()
    child.join(30)
    assert child.exitcode == 0
    assert queue.get()


@pytest.mark.parametrize(
    ("folds", "message"),
    [
        (np.zeros(30, dtype=int), "at least two"),
        (np.arange(30) % 3 - 1, "from 0 up"),
        (np.arange(30) % 3 * 2, "fold 1 has no rows"),
        (np.arange(29) % 3, "each of 30 rows"),
        (np.arange(30) % 3 * 1.0, "whole number"),
    ],
)
def test_bad_folds_are_refused(folds, message):
    rng = np.random.default_rng(0)
    table = Table([Column("x")], [rng.random(30)], target=Column("y", ("p", "q")), y=rng.integers(2, size=30))
    with pytest.raises(ValueError, match=message):
        Batch(table, folds, C45Classifier().growth(), C45Classifier().pruning())


def test_subsets_of_another_width_are_refused():
    table = table_with_classes(3)
    learner = C45Classifier()
    batch = Batch(table, np.arange(table.n_rows) % 3, learner.growth(), learner.pruning())
    with pytest.raises(ValueError, match="a column for each of"):
        batch.score(np.ones((2, table.n_features + 1), dtype=bool))
