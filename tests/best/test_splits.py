"""Who may see what: schemes of fits and tests."""

import numpy as np
import pytest

from clearwood.best.forward import forward_scheme
from clearwood.best.splits import held_out_scheme, make_scheme, paired_scheme
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


@pytest.mark.parametrize("span", [40, 600])
def test_forward_in_time_with_groups(span):
    """Groups last a while, or through all of the time."""
    rng = np.random.default_rng(3)
    time = np.arange(600)
    group = time // 20 if span == 40 else rng.integers(30, size=600)
    group = np.where(rng.random(600) < 0.2, np.roll(group, 15), group)
    scheme = forward_scheme(time, group, rng)
    check_honest(scheme, 600)
    check_groups(scheme, group)
    for test in scheme.tests:
        assert time[scheme.fits[test.fit]].max() < time[test.rows].min()
    judged = sum(len(scheme.tests[outer.test].rows) for outer in scheme.outers)
    assert judged == 400 if span == 40 else 150 < judged < 300


def check_groups(scheme, group):
    """No test holds a group of its fit, and nothing that an outer repetition sees holds a group that judges it."""
    for test in scheme.tests:
        assert not np.intersect1d(group[scheme.fits[test.fit]], group[test.rows]).size
    for outer in scheme.outers:
        held = group[scheme.tests[outer.test].rows]
        for (number,) in outer.inner:
            assert not np.intersect1d(group[scheme.tests[number].rows], held).size


def test_one_group_leaves_nothing_to_learn_from():
    with pytest.raises(ValueError, match="group and time leave no earlier rows"):
        forward_scheme(np.arange(60), np.zeros(60, dtype=int))


def test_too_few_moments_or_groups_are_refused():
    with pytest.raises(ValueError, match="at least 3 different values"):
        forward_scheme(np.array([0, 0, 1, 1]))
    table = Table([Column("x")], [np.zeros(6)], target=Column("c", ("a", "b")), y=[0, 1] * 3)
    with pytest.raises(ValueError, match="group must have at least 3"):
        make_scheme(table, 5, 0, group=np.array([0, 0, 0, 1, 1, 1]))


def test_held_out_parts_by_group_and_time():
    rng = np.random.default_rng(1)
    time, group = np.arange(1000), np.minimum(np.arange(1000) // 10 + rng.integers(3, size=1000), 99)
    scheme = held_out_scheme(rng.integers(2, size=1000), rng, group, time)
    check_honest(scheme, 1000)
    check_groups(scheme, group)
    parts = [time[scheme.fits[0]], *(time[test.rows] for test in scheme.tests)]
    assert parts[0].max() < parts[1].min() <= parts[1].max() < parts[2].min() and min(map(len, parts)) > 150


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
