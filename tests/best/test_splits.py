"""Who may see what: schemes of fits and tests."""

import numpy as np
import pytest

from clearwood.best.splits import forward_scheme, held_out_scheme, make_scheme, paired_scheme
from clearwood.table import Column, Table


def check_honest(scheme, n_rows):
    """No test holds a row of its fit, and nothing that an outer repetition sees holds a row that judges it."""
    for test in scheme.tests:
        assert not np.intersect1d(scheme.fits[test.fit], test.rows).size
    judged = []
    for outer in scheme.outers:
        test = scheme.tests[outer.test]
        judged.append(test.rows)
        for (number,) in outer.inner:
            inner = scheme.tests[number]
            assert not np.intersect1d(scheme.fits[inner.fit], test.rows).size
            assert not np.intersect1d(inner.rows, test.rows).size
            assert set(inner.rows) <= set(scheme.fits[test.fit]) or not scheme.resplit
    rows = np.concatenate(judged)
    assert len(np.unique(rows)) == len(rows) <= n_rows


@pytest.mark.parametrize("n_folds", [3, 5, 8])
def test_pairs_of_folds(n_folds):
    folds = np.random.default_rng(0).integers(n_folds, size=100)
    scheme = paired_scheme(folds)
    check_honest(scheme, 100)
    assert len(scheme.fits) == n_folds * (n_folds + 1) // 2 + 1
    assert len(np.concatenate([scheme.tests[o.test].rows for o in scheme.outers])) == 100
    for outer in scheme.outers:  # a repetition chooses by all rows that do not judge it
        inner = np.concatenate([scheme.tests[i].rows for (i,) in outer.inner])
        assert len(np.unique(inner)) == len(inner) == 100 - len(scheme.tests[outer.test].rows)
    for k, tests in enumerate(scheme.inner):  # every tree that has not seen a fold chooses by it
        unseen = [i for i, fit in enumerate(scheme.fits) if not np.intersect1d(fit, np.flatnonzero(folds == k)).size]
        assert sorted(scheme.tests[i].fit for i in tests) == unseen and len(tests) == n_folds
        assert all(scheme.tests[i].rows.tolist() == np.flatnonzero(folds == k).tolist() for i in tests)


def test_forward_in_time_with_moments_that_many_rows_share():
    time = np.repeat([1, 2, 3, 4, 5, 6, 7], [30, 5, 5, 20, 20, 10, 10])
    scheme = forward_scheme(time)
    check_honest(scheme, 100)
    for test in scheme.tests:
        assert time[scheme.fits[test.fit]].max() < time[test.rows].min()


def test_too_few_moments_or_groups_are_refused():
    with pytest.raises(ValueError, match="at least 3 different values"):
        forward_scheme(np.array([0, 0, 1, 1]))
    table = Table([Column("x")], [np.zeros(6)], target=Column("c", ("a", "b")), y=[0, 1] * 3)
    with pytest.raises(ValueError, match="group must have at least 3"):
        make_scheme(table, 5, 0, group=np.array([0, 0, 0, 1, 1, 1]))


@pytest.mark.parametrize("way", ["plain", "group", "time"])
def test_held_out_parts(way):
    rng = np.random.default_rng(1)
    y, member = rng.integers(2, size=1000), rng.integers(50, size=1000)
    scheme = held_out_scheme(y, rng, group=member if way == "group" else None, time=member if way == "time" else None)
    check_honest(scheme, 1000)
    parts = [scheme.fits[0], *(test.rows for test in scheme.tests)]
    assert sum(map(len, parts)) == 1000
    if way == "group":
        assert not np.intersect1d(member[parts[0]], member[parts[2]]).size
    if way == "time":
        assert member[parts[0]].max() < member[parts[1]].min() <= member[parts[1]].max() < member[parts[2]].min()


def test_groups_bring_their_classes_in_proportion():
    rng = np.random.default_rng(2)
    group = rng.integers(60, size=600)
    y = (rng.random(600) < 0.3).astype(int)
    table = Table([Column("x")], [np.zeros(600)], target=Column("c", ("a", "b")), y=y)
    scheme = make_scheme(table, 5, 0, group=group)
    check_honest(scheme, 600)
    shares = [y[scheme.tests[o.test].rows].mean() for o in scheme.outers]
    assert max(shares) - min(shares) < 0.1
