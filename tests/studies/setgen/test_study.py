"""The SET-GEN study: its report tests the paper's claims on paired folds."""

import csv
import html
import json

import numpy as np
import pytest
from scipy.stats import ttest_rel
from sklearn.datasets import load_breast_cancer, load_wine

import clearwood as cw
from clearwood.studies.reproduce import find_study
from clearwood.studies.setgen.report import SCORES, SetGenReproduction
from clearwood.studies.units import Result, TableFacts, Unit


def table(bunch):
    columns = [cw.Column(str(name)) for name in bunch.feature_names]
    return cw.Table(
        columns, bunch.data.T, target=cw.Column("class", tuple(map(str, bunch.target_names))), y=bunch.target
    )


@pytest.fixture(scope="module")
def found():
    study = find_study("setgen")
    learners = study.learners()
    learners["setgen"].set_params(evaluations=60, population_size=20, cv=3)
    tables = {"wine": table(load_wine()), "cancer": table(load_breast_cancer())}
    comparison = cw.compare(learners, tables, 4, 1, backend="sequential", progress=False)
    return SetGenReproduction(study, comparison, {}, quick=True)


def test_both_learners_choose_their_pruning_the_same_way():
    learners = find_study("setgen").learners()
    assert learners["c45"].get_params()["confidence"] == learners["setgen"].get_params()["confidence"] == "cv"
    assert learners["c45"].error_estimate == "c4.5" and learners["setgen"].base_learner is None
    assert learners["setgen"].get_params() == {**cw.SetGenClassifier().get_params(), "n_jobs": 1}


def test_pairs_are_means_and_plain_paired_t_tests(found):
    assert len(found.pairs) == 6
    for pair in found.pairs:
        cells = found.comparison.scores(pair.score)[found.comparison.data.index(pair.data), :, 0]
        assert (pair.c45, pair.setgen) == pytest.approx(tuple(cells.mean(axis=1)))
        expected = ttest_rel(*cells).pvalue
        assert pair.p_value == pytest.approx(1.0 if np.isnan(expected) else expected)


def test_text_page_and_files_say_the_same(found, tmp_path):
    text = str(found)
    assert all(word in text for word in ("error %", "nodes", "features", "wine", "cancer", "Accuracy.", "two to one"))
    found.write_csv(tmp_path / "setgen.csv")
    with (tmp_path / "setgen.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["data"], row["score"]) for row in rows] == [(p.data, p.score) for p in found.pairs]
    found.write_page(tmp_path / "setgen.html")
    page = (tmp_path / "setgen.html").read_text(encoding="utf-8")
    assert all(html.escape(claim, quote=True) in page for claim in found.claims())
    document = json.loads(json.dumps(found.to_dict()))
    assert [pair["p_value"] for pair in document["pairs"]] == [pair.p_value for pair in found.pairs]


def invented(scores):
    """A reproduction from invented folds: for each learner the accuracy, nodes and features of each fold."""
    results = [
        Result(
            Unit("s", "d", learner, 0, fold), "done", dict(zip(("accuracy", "nodes", "features"), cells, strict=True))
        )
        for learner, folds in scores.items()
        for fold, cells in enumerate(folds)
    ]
    facts = {"d": TableFacts("d", 100, 10, 2)}
    from clearwood.studies.comparison import Comparison

    comparison = Comparison(results, tables=facts, learners=list(scores), cv=4, repeats=1)
    return SetGenReproduction(find_study("setgen"), comparison, {}, quick=True)


def test_claims_tell_worse_from_better():
    good, bad = (
        [(0.9, 20, 8), (0.91, 22, 8), (0.9, 21, 9), (0.92, 20, 8)],
        [(0.7, 9, 3), (0.71, 8, 3), (0.69, 9, 4), (0.7, 8, 4)],
    )
    worse = invented({"c45": good, "setgen": bad}).claims()
    assert "significantly worse on d, significantly better on none" in worse[0]
    assert "less on 1 of 1 set, significantly on 1, half or less on 1" in worse[1]
    better = invented({"c45": bad, "setgen": good}).claims()
    assert "significantly worse on none, significantly better on d" in better[0]
    assert "less on 0 of 1 set, significantly on 0, half or less on 0" in better[1] and better[2].endswith("on 0.")


def test_no_p_value_is_nothing_and_the_title_says_what_a_quick_run_leaves_out():
    good, bad = ([(0.9 + i / 1000, 20 + i / 10, 8.0) for i in range(4)], [(0.2, 9, 3 + i / 1000) for i in range(4)])
    text = str(invented({"c45": good, "setgen": bad}))
    assert "0.000" not in text and "< 0.001" in text
    assert "(quick version: 1 of 8 data sets, 1 repeat, 300 evaluations, population of 50)" in text


def test_nothing_finished_says_nothing():
    found = invented({"c45": [], "setgen": []})
    assert found.pairs == () and found.claims() == [] and len(SCORES) == 3
