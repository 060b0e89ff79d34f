"""Variable-node C4.5 against C4.5 itself."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from clearwood import C45Classifier, Column, Table, variable_node_c45


def wine():
    bunch = load_wine()
    classes = tuple(bunch.target_names.tolist())
    return Table([Column(n) for n in bunch.feature_names], bunch.data.T, target=Column("w", classes), y=bunch.target)


def test_for_each_size_the_best_of_c45s_trees():
    table = wine()
    front = variable_node_c45(table)
    best: dict[int, float] = {}
    for least in range(2, 91):
        tree = C45Classifier(min_leaf=least).fit(table).tree_
        error = (tree.predict(table) != table.y).mean()
        best[tree.n_leaves] = min(error, best.get(tree.n_leaves, 1.0))
    assert front.sizes == tuple(sorted(best))
    assert {e.n_leaves: e.training_error for e in front} == pytest.approx(best)
    assert all(e.tree.n_leaves == e.n_leaves for e in front)


def test_fewer_settings_and_other_options():
    table = wine()
    assert set(variable_node_c45(table, max_objects=2).sizes) == {C45Classifier().fit(table).tree_.n_leaves}
    assert max(variable_node_c45(table, prune=False, collapse=False).sizes) >= max(variable_node_c45(table).sizes)
    with pytest.raises(ValueError, match="max_objects must be"):
        variable_node_c45(table, max_objects=1)
    with pytest.raises(ValueError, match="cv must be"):
        variable_node_c45(table, cv=1)


def test_cross_validated_errors_have_intervals_and_do_not_depend_on_threads():
    table = wine()
    one, two = (variable_node_c45(table, max_objects=30, cv=4, cv_repeats=2, random_state=0, n_jobs=n) for n in (1, 2))
    assert one.fold_errors.shape == (8, len(one))
    assert np.array_equal(one.fold_errors, two.fold_errors)
    for entry, column in zip(one, one.fold_errors.T, strict=True):
        assert entry.cv_error == pytest.approx(column.mean())
        assert entry.cv_interval.low <= entry.cv_error <= entry.cv_interval.high
