"""Evaluation: what it prints, and what it says to JSON."""

import json

import numpy as np
import pytest

from clearwood.evaluate import Evaluation, corrected_interval


def evaluation(n_folds=10, **more):
    given = {
        "learner": "PeerTree(max_depth=2)",
        "table": "iris",
        "cv": 5,
        "repeats": n_folds // 5,
        "accuracy": np.linspace(0.9, 1.0, n_folds),
        "leaves": np.linspace(3, 5, n_folds).round(),
        "nodes": np.linspace(5, 9, n_folds).round(),
        "depth": np.full(n_folds, 2.0),
        "features": np.full(n_folds, 2.0),
        "fit_seconds": np.full(n_folds, 0.0123),
        "train_rows": np.full(n_folds, 120),
        "test_rows": np.full(n_folds, 30),
        "classes": ("setosa", "versicolor", "virginica"),
        "confusion": np.array([[50.0, 0, 0], [0, 46.5, 3.5], [0, 2, 48]]),
        "majority": np.full(n_folds, 1 / 3),
        "scores": {
            "balanced_accuracy": np.linspace(0.9, 1.0, n_folds),
            "log_loss": np.linspace(0.1, 0.3, n_folds),
            "brier": np.full(n_folds, 0.1),
            "auc": np.array([np.nan] + [0.98] * (n_folds - 1)),
        },
    }
    return Evaluation(**(given | more))


def test_it_prints_what_a_person_asks_first():
    found = evaluation()
    low, high = found.interval.low, found.interval.high
    assert str(found).splitlines() == [
        "PeerTree(max_depth=2) on iris: 5-fold cross-validation, 2 times",
        "",
        f"accuracy           95.00 %   (95 % interval: {100 * low:.2f} to {100 * high:.2f} %)",
        "majority class     33.33 %   (what always saying it would get)",
        "balanced accuracy  95.00 %",
        "AUC                  0.980",
        "leaves                 4.0   (from 3 to 5)",
        "nodes                  7.0   (from 5 to 9)",
        "depth                  2.0   (from 2 to 2)",
        "features               2.0   (from 2 to 2)",
        "fit time           12.3 ms",
        "",
        "     a     b     c   <- predicted as",
        "    50     0     0   a = setosa",
        "     0  46.5   3.5   b = versicolor",
        "     0     2    48   c = virginica",
        "",
        "            precision   recall",
        "setosa        100.0 %  100.0 %",
        "versicolor     95.9 %   93.0 %",
        "virginica      93.2 %   96.0 %",
    ]


def test_another_metric_comes_first_with_its_interval():
    found = evaluation()
    interval = corrected_interval(found.scores["log_loss"], 30 / 120).within(0, np.inf)
    assert found.to_text("log_loss").splitlines()[2:4] == [
        f"log loss             0.200   (95 % interval: {interval.low:.3f} to {interval.high:.3f})",
        "accuracy           95.00 %",
    ]
    with pytest.raises(ValueError, match="metric"):
        found.to_text("f2")
    assert found.interval_of("auc").mean == pytest.approx(0.98)


def test_the_interval_is_the_corrected_one_within_0_and_1():
    found = evaluation()
    assert found.interval == corrected_interval(found.accuracy, 30 / 120).within(0, 1)
    assert evaluation(accuracy=np.array([1.0, 0.5] * 5)).interval.high == 1.0


def test_a_learner_without_a_tree_has_no_sizes():
    none = np.full(10, np.nan)
    found = evaluation(leaves=none, nodes=none, depth=none, features=none)
    assert str(found).splitlines()[6].startswith("fit time")
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert document["leaves"] is None and document["folds"]["nodes"] == [None] * 10


def test_the_dictionary_survives_json():
    found = evaluation()
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    accuracy = document["accuracy"]
    assert accuracy["low"] <= accuracy["mean"] <= accuracy["high"] <= 1 and accuracy["confidence"] == 0.95
    assert document["folds"]["accuracy"] == found.accuracy.tolist() and document["leaves"] == pytest.approx(4.0)
    assert document["confusion"] == found.confusion.tolist() and document["classes"] == list(found.classes)


def test_many_classes_get_letters_and_no_tenths_and_absent_ones_are_left_out():
    confusion = np.diag(np.r_[np.full(28, 2.4), 0.0])
    text = str(evaluation(classes=tuple(f"c{i}" for i in range(29)), confusion=confusion, repeats=1, cv=10))
    assert "z = c25" in text and "aa = c26" in text and "ab = c27" in text and "c28" not in text
    assert "2.4" not in text.split("predicted as")[1] and "10-fold cross-validation\n" in text
