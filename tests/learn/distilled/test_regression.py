"""Regression: scikit-learn's probabilities, all kinds of cells, and what is not worth its time."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

import clearwood as cw
from clearwood.learn.distilled.regression import Regression, is_worth_its_time
from clearwood.table import Column, Table

CLASS = Column("class", ("a", "b"))


def standard(x):
    return np.clip((x - x.mean(axis=0)) / x.std(axis=0), -5, 5)


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_the_probabilities_are_those_of_scikit_learn(load):
    data = load()
    found = Regression(cw.read(load(as_frame=True).frame, target="target")).predict_proba(
        cw.read(load(as_frame=True).frame, target="target")
    )
    peer = LogisticRegression(C=1.0, max_iter=1000, tol=1e-8)
    peer = peer if len(data.target_names) == 2 else OneVsRestClassifier(peer)
    expected = peer.fit(standard(data.data), data.target).predict_proba(standard(data.data))
    assert found == pytest.approx(expected, abs=0.01)


def test_values_gaps_and_what_lies_far_away():
    rng = np.random.default_rng(0)
    n = 90
    kind, x = rng.integers(3, size=n), rng.normal(size=n)
    kind[:2], x[0], x[1] = 3, np.nan, 1e300  # a value of two rows is rare
    y = (kind == 1).astype(int)
    columns = [Column("kind", ("p", "q", "r", "s")), Column("x"), Column("same")]
    table = Table(columns, [np.where(kind < 0, -1, kind), x, np.ones(n)], target=CLASS, y=y)
    regression = Regression(table)
    found = regression.predict_proba(table)
    assert np.isfinite(found).all() and found.sum(axis=1) == pytest.approx(1)
    assert (found[2:].argmax(axis=1) == y[2:]).all()
    gone = Table(columns, [[-1, 3], [0.0, 0.0], [np.nan, 7.0]])
    assert regression.predict_proba(gone)[0] == pytest.approx(regression.predict_proba(gone)[1])


def test_classes_without_rows_have_no_chance():
    x = np.arange(30.0)
    target = Column("class", ("a", "none", "b", "c"))
    table = Table([Column("x")], [x], target=target, y=np.repeat([0, 2, 3], 10))
    found = Regression(table).predict_proba(table)
    assert (found[:, 1] == 0).all() and found.sum(axis=1) == pytest.approx(1)


def test_weights_count_as_rows():
    rng = np.random.default_rng(1)
    x, y, weights = rng.normal(size=50), rng.integers(2, size=50), rng.integers(1, 4, size=50)
    weighted = Table([Column("x")], [x], target=CLASS, y=y, weights=weights.astype(float))
    plain = Table([Column("x")], [x], target=CLASS, y=y)
    again = np.repeat(np.arange(50), weights)
    # the cells are standardised by rows, so the two differ by that, and by the penalty that is less of more rows
    assert Regression(weighted).predict_proba(plain) == pytest.approx(
        Regression(plain.take(again)).predict_proba(plain), abs=0.02
    )


def test_what_is_not_worth_its_time():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(2000, 600))).assign(y=np.arange(2000) % 2)
    assert not is_worth_its_time(cw.read(frame.astype({"y": str}), target="y"))
    assert is_worth_its_time(cw.read(frame[[*range(20), "y"]].astype({"y": str}), target="y"))
    of_one_class = Table([Column("x")], [np.arange(4.0)], target=CLASS, y=[1, 1, 1, 1])
    assert not is_worth_its_time(of_one_class) and not is_worth_its_time(Table([], [], target=CLASS, y=[0, 1]))


def test_of_many_rows_some_of_each_class_are_learned_from():
    """Classes that take turns: each second row would be of one class alone."""
    y = np.arange(4000) % 2
    table = Table([Column("x")], [y + np.random.default_rng(0).normal(size=4000)], target=CLASS, y=y)
    found = Regression(table).predict_proba(table)
    assert ((found.argmax(axis=1) == y).mean() > 0.65) and found.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.02)


def test_a_column_without_differences_says_nothing_of_other_cells():
    x = np.random.default_rng(0).normal(size=60)
    columns, same = [Column("x"), Column("same")], np.full(60, 0.1)
    assert same.sum() / 60 != 0.1  # by rounding, so that the cells have a spread
    regression = Regression(Table(columns, [x, same], target=CLASS, y=(x > 0.5).astype(int)))
    others = [regression.predict_proba(Table(columns, [x, np.full(60, cell)])) for cell in (0.1, 0.2, -5.0)]
    assert np.array_equal(others[0], others[1]) and np.array_equal(others[0], others[2])


def test_many_rows_are_asked_about_block_by_block(monkeypatch):
    wine = cw.read(load_wine(as_frame=True).frame, target="target")
    regression = Regression(wine)
    expected = regression.predict_proba(wine)
    monkeypatch.setattr("clearwood.learn.distilled.regression.BLOCK_ROWS", 50)
    assert np.array_equal(regression.predict_proba(wine), expected)
    assert regression.predict_proba(wine.take([])).shape == (0, 3)
