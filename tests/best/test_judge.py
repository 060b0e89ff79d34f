"""How the whole procedure is judged, where classes are rare, dear, or not in every part of the rows."""

import numpy as np
import pytest

import clearwood as cw
from clearwood.best import work

QUICK = {"budget": 2.0, "n_jobs": 1, "progress": False}


@pytest.fixture(autouse=True)
def no_clock(monkeypatch):
    """However slow the machine is, nothing is cut short."""
    monkeypatch.setattr(work, "LEAST_PATIENCE", 1e6)


def told(y, classes=("well", "ill"), seed=0):
    """A number that tells the class, and one that does not."""
    rng = np.random.default_rng(seed)
    y = np.asarray(y)
    cells = [y + 0.3 * rng.normal(size=len(y)), rng.normal(size=len(y))]
    return cw.Table([cw.Column("a"), cw.Column("b")], cells, target=cw.Column("state", classes), y=y, name="told")


def test_a_class_that_is_in_one_group_only():
    group = np.arange(120) % 6
    table = told((group == 0).astype(int))
    result = cw.best(table, group=group, **QUICK)
    assert set(result.judgement.yardsticks) == set()  # without that group there is nothing to tell apart
    assert result.judgement.error >= result.judgement.wrong.mean - 1e-9


def test_the_constant_answer_is_one_class_and_its_loss_that_classs():
    y = np.zeros(300, dtype=int)
    y[::8] = 1
    dear = cw.best(told(y), cost_matrix={("ill", "well"): 50}, **QUICK)
    assert dear.judgement.common == 1 and dear.judgement.common_error == pytest.approx((y == 0).mean())
    assert f"always saying ill has {(y == 0).mean():.4g}" in " ".join(str(dear).split())
    balanced = cw.best(told(y), metric="balanced", **QUICK)
    assert balanced.judgement.common_error == pytest.approx(0.5)
    three = cw.best(told(np.arange(150) % 3, ("p", "q", "r")), **QUICK)
    assert three.judgement.common_error == pytest.approx(2 / 3)


def test_a_balanced_error_is_at_most_one():
    y = np.zeros(200, dtype=int)
    y[:3] = 1
    rng = np.random.default_rng(0)
    table = cw.Table(
        [cw.Column("a"), cw.Column("b")],
        [5.0 * y + 0.1 * rng.normal(size=200), rng.normal(size=200)],
        target=cw.Column("state", ("well", "ill")),
        y=y,
    )
    result = cw.best(table, metric="balanced", **QUICK)
    assert result.error < 0.3 < result.interval.high < 0.6  # three rows do not show that the class is always told


def test_right_answers_may_earn_something():
    y = (np.random.default_rng(2).random(150) < 0.4).astype(int)
    result = cw.best(told(y), cost_matrix=[[-2, 1], [4, -1]], **QUICK)
    assert -2 <= result.interval.low < result.error < result.interval.high and result.error < 0


def test_an_article_goes_with_its_noun():
    y = (np.random.default_rng(5).random(80) < 0.5).astype(int)
    cells = [np.random.default_rng(6).normal(size=80)]
    noise = cw.Table([cw.Column("a")], cells, target=cw.Column("k", ("p", "q")), y=y)
    for metric, words in (("accuracy", "has an error of"), ("balanced", "has a balanced error of")):
        result = cw.best(noise, metric=metric, **QUICK)
        assert not result.tells and words in " ".join(str(result).split())


@pytest.mark.parametrize("metric", ["accuracy", "cost", "auc"])
def test_the_chosen_tree_is_one_of_the_front(metric):
    y = (np.random.default_rng(1).random(160) < 0.4).astype(int)
    table = told(y, seed=3)
    costs = {"cost_matrix": [[0, 1], [4, 0]]} if metric == "cost" else {"metric": metric}
    result = cw.best(table, **costs, **QUICK)
    chosen = [entry for entry in result.front if entry.tree is result.tree]
    same = [entry for entry in result.front if entry.tree == result.tree and entry.learner == chosen[0].learner]
    assert len(chosen) == len(same) == 1 and result.front.fold_errors.shape[1] == len(result.front)
    assert chosen[0].cv_error == pytest.approx(result.choice.mean[result.choice.key], abs=0.02)
    assert ("right" in result.front[0].tree.accuracy) == (metric == "accuracy")  # a cost tells of no rows
    assert f"{'error' if metric == 'accuracy' else result.work.wish.words()} " in repr(result)


def test_columns_to_keep_may_be_any_iterable():
    rng = np.random.default_rng(0)
    y = (rng.random(60) < 0.5).astype(int)
    table = cw.Table(
        [cw.Column("id", tuple(f"r{i}" for i in range(60))), cw.Column("a")],
        [np.arange(60), y + rng.normal(size=60)],
        target=cw.Column("k", ("p", "q")),
        y=y,
    )
    assert cw.best(table, **QUICK).look.identifiers == ("id",)
    assert cw.best(table, keep=(name for name in ["id"]), **QUICK).look.identifiers == ()
