import re

import numpy as np
import pytest

import clearwood as cw
from clearwood.evaluate import evaluate


def test_json_holds_what_the_library_finds(clearwood, iris_csv):
    answer = clearwood("evaluate", iris_csv, "--cv", "5", "--repeats", "2", "--seed", "3", "--json")
    found = evaluate(cw.C45Classifier(random_state=3), cw.read(iris_csv), cv=5, repeats=2, random_state=3)
    assert (answer.status, answer.err, answer.out.count("\n")) == (0, "", 1)
    assert answer.document["folds"]["accuracy"] == found.accuracy.tolist()
    assert answer.document["confusion"] == found.confusion.tolist()


def test_the_report_has_accuracy_interval_size_features_and_confusion(clearwood, iris_csv):
    answer = clearwood("evaluate", iris_csv, "--learner", "cart", "--cv", "3", "--repeats", "1")
    assert answer.status == 0 and answer.err == ""
    assert re.match(r"CARTClassifier\(.*\) on iris: 3-fold cross-validation\n", answer.out)
    for part in ["accuracy", "95 % interval", "leaves", "nodes", "features", "<- predicted as", "b = versicolor"]:
        assert part in answer.out
    assert "majority class" in answer.out and "precision   recall" in answer.out
    other = clearwood("evaluate", iris_csv, "--cv", "3", "--repeats", "1", "--metric", "auc")
    assert other.out.splitlines()[2].startswith("AUC") and "95 % interval" in other.out.splitlines()[2]
    wrong = clearwood("evaluate", iris_csv, "--metric", "acuracy")
    assert wrong.status == 2 and "did you mean 'accuracy'" in wrong.err


@pytest.mark.parametrize("learner", ["id3", "c45", "cart"])
def test_the_number_of_threads_does_not_matter(clearwood, iris_csv, learner):
    common = ["evaluate", iris_csv, "--learner", learner, "--cv", "4", "--repeats", "1", "--json"]
    one, two = (clearwood(*common, "--jobs", jobs).document["folds"] for jobs in (1, 2))
    for key in ("accuracy", "leaves", "nodes", "depth", "features"):
        assert np.array_equal(one[key], two[key])


def test_classifiers_of_other_libraries_are_judged_too(clearwood, iris_csv):
    learner = "sklearn.tree:DecisionTreeClassifier:max_depth=2"
    answer = clearwood("evaluate", iris_csv, "--learner", learner, "--cv", "3", "--repeats", "1", "--json")
    assert answer.status == 0 and answer.document["learner"] == "DecisionTreeClassifier(max_depth=2, random_state=0)"
    assert answer.document["accuracy"]["mean"] > 0.9 and answer.document["leaves"] == 3.0


def test_rows_that_are_held_out(clearwood, iris_csv):
    answer = clearwood("evaluate", iris_csv, "--target", "species", "--holdout", "0.3", "--seed", "2")
    found = evaluate(cw.C45Classifier(), cw.scan(iris_csv, "species"), holdout=0.3, random_state=2)
    assert answer.status == 0 and f"judged on {found.test_rows[0]} others" in answer.out
    assert f"{100 * found.accuracy[0]:.2f} %" in answer.out
    document = clearwood("evaluate", iris_csv, "--holdout", "0.3", "--seed", "2", "--json").document
    assert document["holdout"] == 0.3 and document["confusion"] == found.confusion.tolist()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (["--holdout", "2"], "--holdout must be a share of the rows, between 0 and 1, got 2.0"),
        (["--holdout", "0.2", "--cv", "3"], "cv and repeats are for a Table"),
        (["--key", "species"], "--key is for --holdout"),
        (["--holdout", "0.2", "--learner", "forest"], "scan.sample(n)"),
        (["--holdout", "0.2", "--key", "id"], "no column 'id'"),
    ],
)
def test_what_does_not_go_with_rows_held_out(clearwood, iris_csv, wrong, words):
    answer = clearwood("evaluate", iris_csv, *wrong)
    assert answer.status == 2 and words in answer.err
