"""A table in the kernels' form: who sorts it, and what each column becomes."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from clearwood import C45Classifier, CARTClassifier, Column, ID3Classifier, Table
from clearwood.kernels.columns import order
from clearwood.learn.training import training_set


@pytest.fixture
def sorting_threads(monkeypatch):
    """The number of threads of every sort, as it happens."""
    seen = []
    sort_columns = order.sort_columns

    def noted(block, n_jobs=1):
        seen.append(n_jobs)
        return sort_columns(block, n_jobs)

    monkeypatch.setattr(order, "sort_columns", noted)
    monkeypatch.setattr(order, "WORTH_SHARING", 100)
    return seen


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3])
@pytest.mark.parametrize(
    "learner",
    [
        C45Classifier(),
        C45Classifier(confidence="cv", random_state=0),
        C45Classifier(min_gap=0),
        ID3Classifier(),
        CARTClassifier(pruning=None),
        CARTClassifier(random_state=0, cv=2),
    ],
    ids=repr,
)
def test_a_table_is_sorted_once_by_as_many_threads_as_were_asked_for(learner, n_jobs, sorting_threads):
    X, y = make_classification(300, 4, random_state=0)
    learner.set_params(n_jobs=n_jobs).fit(X, y)
    assert sorting_threads == [n_jobs or 1]


def test_too_many_classes_are_refused():
    labels = tuple(f"c{i}" for i in range(65_536))
    table = Table([Column("x")], [[0.0, 1.0]], target=Column("y", labels), y=[0, 1])
    with pytest.raises(ValueError, match=r"declares 65536 classes; at most 65535"):
        training_set(table)


@pytest.mark.parametrize(
    ("weights", "integral", "unit"),
    [([1, 1, 1, 1], True, True), ([2, 1, 3, 1], True, False), ([0.5, 1, 1, 1], False, False)],
)
def test_whole_weights_are_told_from_others(weights, integral, unit):
    table = Table([Column("x")], [[0.0, 1, 2, 3]], target=Column("y", "ab"), y=[0, 1, 0, 1], weights=weights)
    data = training_set(table)
    assert (data.integral, data.unit, data.total) == (integral, unit, np.sum(weights))


def test_rows_without_a_class_are_counted_but_not_learned_from():
    table = Table([Column("x")], [[0.0, 1, 2, 3]], target=Column("y", "ab"), y=[0, -1, 0, 1])
    data = training_set(table)
    assert (data.n_counted, data.n_rows, data.rows_array.tolist()) == (4, 3, [0, 2, 3])
    part = training_set(table, np.array([3, 1]))
    assert (part.n_counted, part.n_rows, part.rows_array.tolist()) == (2, 1, [3])


def test_copies_are_counted_by_their_weight():
    table = Table([Column("x")], [[0.0, 1, 2]], target=Column("y", "ab"), y=[0, 1, 0], weights=[2, 0, 3])
    assert training_set(table).n_counted == 3
    assert training_set(table, copies=True).n_counted == 5
