"""Trees are judged on held-out rows where they lie as they are in memory."""

import warnings

import numpy as np
import pytest
from awkward_tables import awkward_table
from scanned_engines import scan_in_sqlite
from scanned_tables import differences, scan_of
from sklearn.base import clone

import clearwood as cw
from clearwood.learn.scanned import judging


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def _together(learn: cw.Table, judge: cw.Table) -> tuple[cw.Table, list[tuple[np.ndarray, np.ndarray]]]:
    """Both parts as one table, and the split that tells them apart."""
    columns = [np.concatenate([learn.column(i), judge.column(i)]) for i in range(learn.n_features)]
    table = cw.Table(
        learn.columns,
        columns,
        target=learn.target,
        y=np.concatenate([learn.y, judge.y]),
        weights=np.concatenate([learn.weights, judge.weights]),
    )
    return table, [(np.arange(learn.n_rows), learn.n_rows + np.arange(judge.n_rows))]


@pytest.mark.parametrize(
    "learner",
    [
        cw.CARTClassifier(),
        cw.CARTClassifier(cv=3, one_se=True, max_depth=6),
        cw.CARTClassifier(cv=4, criterion="twoing", class_weight="balanced", max_leaves=5),
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", [1, 2, 5])
@pytest.mark.parametrize("most_leaves", [0, 2000])
def test_cart_is_pruned_by_the_same_part_as_in_memory(learner, seed, most_leaves, tmp_path, monkeypatch):
    monkeypatch.setattr(judging, "MOST_LEAVES", most_leaves)
    scan = scan_of(awkward_table(seed), tmp_path, in_memory=60, threads=1)
    rest, held_out = scan.split(1 / learner.cv)
    table, split = _together(rest.sample(rest.n_rows), held_out.sample(held_out.n_rows))
    ours, other = clone(learner).fit(scan), clone(learner).set_params(cv=split).fit(table)
    assert ours.pruning_path_.chosen == other.pruning_path_.chosen
    np.testing.assert_allclose(ours.pruning_path_.cv_risk, other.pruning_path_.cv_risk, atol=1e-12)
    np.testing.assert_allclose(ours.pruning_path_.cv_standard_error, other.pruning_path_.cv_standard_error, atol=1e-8)
    assert differences(ours.tree_, other.tree_) == []


def test_rows_that_lack_values_come_some_at_a_time(tmp_path, monkeypatch):
    scan = scan_of(awkward_table(1), tmp_path, threads=1)
    whole = cw.CARTClassifier(cv=2).fit(scan)
    monkeypatch.setattr(judging, "FETCHED_CELLS", 40)
    monkeypatch.setattr(judging, "MOST_LEAVES", 0)
    some = cw.CARTClassifier(cv=2).fit(scan)
    np.testing.assert_allclose(some.pruning_path_.cv_risk, whole.pruning_path_.cv_risk, atol=1e-12)


def test_another_engine(tmp_path):
    scan = scan_in_sqlite(awkward_table(4), tmp_path, in_memory=60)
    rest, held_out = scan.split(0.1)
    table, split = _together(rest.sample(rest.n_rows), held_out.sample(held_out.n_rows))
    ours, other = cw.CARTClassifier().fit(scan), cw.CARTClassifier(cv=split).fit(table)
    assert differences(ours.tree_, other.tree_) == []


def test_too_few_rows_to_hold_some_out(tmp_path):
    table = awkward_table(1)
    with pytest.raises(ValueError, match="which is none or all; pass pruning=None or a number"):
        cw.CARTClassifier(cv=2**20).fit(scan_of(table, tmp_path))
