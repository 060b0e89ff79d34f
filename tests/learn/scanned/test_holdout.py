"""A learner is judged on held-out rows of a Scan as it would be on the same rows in memory."""

import warnings

import numpy as np
import pytest
from awkward_tables import awkward_table
from scanned_engines import scan_in_postgres, scan_in_sqlite
from scanned_tables import scan_of
from servers import postgres_uri

import clearwood as cw
from clearwood.evaluate.scores import score

__all__ = ["postgres_uri"]


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


LEARNERS = [cw.C45Classifier(), cw.C45Classifier(laplace=True, prune=False), cw.ID3Classifier(), cw.CARTClassifier()]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_the_same_figures_as_in_memory(learner, seed, tmp_path):
    """Rows that lack values, weights, and rows without a class included."""
    scan = scan_of(awkward_table(seed), tmp_path, in_memory=50, threads=1)
    _check(cw.evaluate(learner, scan, holdout=0.3, random_state=seed), learner, *scan.split(0.3, seed))


def test_sqlite(tmp_path):
    scan = scan_in_sqlite(awkward_table(6), tmp_path, in_memory=50)
    _check(cw.evaluate(cw.C45Classifier(), scan, holdout=0.25), cw.C45Classifier(), *scan.split(0.25))


def test_postgres(postgres_uri):
    scan = scan_in_postgres(awkward_table(6), postgres_uri, in_memory=50)
    _check(cw.evaluate(cw.C45Classifier(), scan, holdout=0.25), cw.C45Classifier(), *scan.split(0.25))


def _check(found: cw.Evaluation, learner: object, rest: cw.Scan, held_out: cw.Scan) -> None:
    learn, judge = rest.sample(rest.n_rows), held_out.sample(held_out.n_rows)
    fitted = learner.fit(rest if isinstance(learner, cw.CARTClassifier) else learn)
    tests = judge.take(np.flatnonzero(judge.y >= 0))
    predicted = fitted.tree_.predict(tests)
    expected = score(tests.classes, tests.y, fitted.predict_proba(tests), predicted, tests.weights)
    assert found.accuracy[0] == pytest.approx(expected.pop("accuracy"), abs=1e-12)
    for name, value in expected.items():
        assert found.scores[name][0] == pytest.approx(value, abs=1e-9, nan_ok=True), name
    confusion = np.zeros((len(tests.classes),) * 2)
    np.add.at(confusion, (tests.y, predicted), tests.weights)
    np.testing.assert_allclose(found.confusion, confusion, atol=1e-9)
    counts = np.bincount(learn.y[learn.y >= 0], learn.weights[learn.y >= 0], len(learn.classes))
    assert found.majority[0] == pytest.approx(confusion[np.argmax(counts)].sum() / confusion.sum())
    assert (found.train_rows[0], found.test_rows[0]) == (np.count_nonzero(learn.y >= 0), tests.n_rows)
    assert (found.leaves[0], found.depth[0]) == (fitted.tree_.n_leaves, fitted.tree_.depth)


def test_what_it_says(tmp_path):
    scan = scan_of(awkward_table(1), tmp_path)
    found = cw.evaluate(cw.C45Classifier(), scan, holdout=0.5)
    low, mean, high = found.interval.low, found.interval.mean, found.interval.high
    assert 0 <= low < mean < high <= 1
    assert f"rows, judged on {found.test_rows[0]} others" in str(found) and "precision" in str(found)
    assert found.to_dict()["holdout"] == 0.5
    assert found.accuracy_words.endswith(f"% right on {found.test_rows[0]} held-out rows")
    assert found.scores.keys() == {"balanced_accuracy", "log_loss", "brier", "auc"}


def test_equal_keys_stay_together(tmp_path):
    """Rows of one key are never on both sides."""
    import duckdb

    file = tmp_path / "rows.parquet"
    rows = "SELECT i // 10 AS person, i % 13 AS wind, i % 3 = 0 AS play FROM range(5000) AS t(i)"
    duckdb.sql(rows).write_parquet(str(file))
    rest, held_out = cw.scan(file, "play", key="person").split(0.2)
    assert rest.feature_names == ("wind",) and rest.n_rows + held_out.n_rows == 5000
    assert rest.n_rows % 10 == 0 and 500 < held_out.n_rows < 1500
    again = cw.scan(file, "play", key="person").split(0.2, random_state=1)[1]
    assert again.n_rows != held_out.n_rows
    halves = rest.split(0.5)
    assert sum(half.n_rows for half in halves) == rest.n_rows and all(half.n_rows > 1500 for half in halves)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, r"a Scan is judged by rows that are held out once.*pass holdout=0\.2"),
        ({"holdout": 1.5}, r"holdout must be a share of the rows, between 0 and 1, got 1\.5"),
        ({"holdout": 0.2, "cv": 3}, "cv and repeats are for a Table"),
        ({"holdout": 0.2, "random_state": np.random.default_rng(0)}, "random_state must be a whole number with a Scan"),
        ({"holdout": 1e-9}, "no rows of .* are held out"),
    ],
)
def test_arguments_that_do_not_apply(arguments, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        cw.evaluate(cw.C45Classifier(), scan_of(awkward_table(1), tmp_path), **arguments)


def test_tables_and_other_things(tmp_path):
    with pytest.raises(ValueError, match=r"holdout=0\.2 is for a Scan; a Table is cross-validated"):
        cw.evaluate(cw.C45Classifier(), awkward_table(1), holdout=0.2)
    with pytest.raises(TypeError, match="table must be a Table or a Scan, got list"):
        cw.evaluate(cw.C45Classifier(), [[1, 2]])
    with pytest.raises(TypeError, match=r"pass scan\.sample\(n\)"):
        cw.evaluate(cw.OC1Classifier(), scan_of(awkward_table(1), tmp_path), holdout=0.2)
    with pytest.raises(ValueError, match="key: no column 'idd'"):
        scan_of(awkward_table(1), tmp_path, key="idd")
