"""The study of linear trees: the figures as typed, its sets, a small run that resumes, and its files."""

import csv
import dataclasses
import json

import numpy as np
import pytest
from sklearn.datasets import load_iris

from clearwood.evolve.linear.classifier import LinearTreeClassifier
from clearwood.learn.oc1 import OC1Classifier
from clearwood.read import datasets
from clearwood.studies.gdt.figures import figure_2_text, figure_3_text
from clearwood.studies.gdt.sets import deal_set, zero_noise_share
from clearwood.studies.reproduce import find_study, run_again
from clearwood.studies.store import Store
from clearwood.table import Column
from clearwood.tree_builder import TreeBuilder


def published():
    with (find_study("gdt").folder / "published.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_papers_figures_are_as_printed():
    rows = published()
    assert len(rows) == 18 + 8
    # sums of the columns of Tables 1 and 3, added by hand from the paper
    table1, table3 = rows[:18], rows[18:]
    assert sum(float(row["gdt"]) for row in table1) == pytest.approx(592.3 + 585.4 + 584.8)
    assert sum(float(row["gdt_leaves"]) for row in table3) == pytest.approx(32.3)
    assert sum(float(row["oc1"]) for row in table3) == pytest.approx(662.7)


@pytest.fixture(scope="module")
def study():
    whole = find_study("gdt")
    learners = {
        "linear": LinearTreeClassifier(generations=60, population_size=20, n_jobs=1),
        "oc1": OC1Classifier(restarts=2),
    }
    return dataclasses.replace(whole, learners=lambda: learners, quick=("LS2", "LS2 100 % noise", "iris"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    bunch = load_iris()
    lines = ["@relation iris", *(f"@attribute x{i} numeric" for i in range(4)), "@attribute class {a,b,c}", "@data"]
    rows = zip(bunch.data.tolist(), bunch.target, strict=True)
    lines += [",".join([*map(repr, row), "abc"[code]]) for row, code in rows]
    (folder / "iris.arff").write_text("\n".join(lines), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def found(study, folder, tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "gdt.sqlite"
    first = run_again(study, quick=True, folder=folder, store=store, progress=False, n_jobs=1)
    counted = []
    again = run_again(study, quick=True, folder=folder, store=store, progress=lambda d, t: counted.append(d), n_jobs=1)
    assert again.rows == first.rows  # kept, and not run again
    assert not counted
    return again


def test_rows_stand_beside_the_papers(found):
    rows = {(row.data, row.learner): row for row in found.rows}
    assert len(rows) == 6
    assert rows["iris", "linear"].runs == rows["iris", "oc1"].runs == 10
    assert rows["LS2", "linear"].runs == 1
    assert rows["LS2", "linear"].published == 99.8
    assert rows["LS2", "linear"].ours > 95
    assert rows["iris", "linear"].ours > 85
    assert 0 <= rows["LS2 100 % noise", "linear"].zero_noise <= 1
    assert np.isnan(rows["LS2", "linear"].zero_noise)
    assert not rows["iris", "oc1"].falls_short


def test_what_falls_short_is_said(found):
    row = next(row for row in found.rows if row.learner == "linear")
    assert dataclasses.replace(row, ours=row.published - 0.9, leaves=row.published_leaves + 0.9).falls_short == ""
    assert dataclasses.replace(row, ours=row.published - 1.1, leaves=row.published_leaves).falls_short == "accuracy"
    assert dataclasses.replace(row, ours=100.0, leaves=row.published_leaves + 1.1).falls_short == "leaves"


def test_text_json_csv_and_page(found, tmp_path):
    text = str(found)
    for part in ("Table 1", "Table 3", "Figure 2", "Figure 3", "weights are zero", "Leaves beside our OC1"):
        assert part in text
    assert json.loads(json.dumps(found.to_dict()))["rows"][0]["data"] == "LS2"
    found.write_csv(tmp_path / "gdt.csv")
    assert len((tmp_path / "gdt.csv").read_text().splitlines()) == 7
    found.write_page(tmp_path / "gdt.html")
    page = (tmp_path / "gdt.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2 and "<h4>What was measured</h4>" in page and "`" not in page.partition("Notes")[2]
    assert found._version() in page and ("quick version" in page) == found.quick


def test_sets_are_split_as_the_paper_says(study, tmp_path):
    with Store(None) as store:
        part = deal_set(study, "LS5 50 % noise", None, 2, 0, store)
        train, test = part.split(1, 0)
        assert (train.n_rows, train.n_features, test.n_rows) == (1000, 8, 5000)
        assert not np.array_equal(train.numeric, part.split(0, 0)[0].numeric)
        if datasets.find("waveform") is None or datasets.find("pima") is None:
            pytest.skip("no waveform and pima in the data folder")
        train, test = deal_set(study, "waveform", None, 1, 0, store).split(0, 0)
        assert (train.n_rows, test.n_rows, train.n_features) == (600, 3000, 21)
        assert deal_set(study, "pima", None, 1, 0, store).table.n_features == 7
        assert deal_set(study, "breast-w", None, 1, 0, store).table.n_rows == 683
        train, test = deal_set(study, "sat", None, 1, 0, store).split(0, 0)
        assert (train.n_rows, test.n_rows) == (4435, 2000)


def test_the_share_of_zero_noise_weights_is_counted_over_all_tests():
    build = TreeBuilder([Column("x1"), Column("noise1"), Column("noise2")], ["a", "b"])
    leaf = [build.leaf([1, 0]) for _ in range(3)]
    below = build.linear({"x1": 1.0, "noise2": 0.5}, 0.0, leaf[:2])
    tree = build.build(build.threshold("x1", 0.5, [below, leaf[2]]))
    assert zero_noise_share(tree) == 0.75


def test_the_figures_as_text():
    lines = figure_2_text().splitlines()
    assert len(lines) == 15
    assert all(len(line) == 96 for line in lines)
    run = {"generation": np.arange(10, 60, 10.0), "mutations": np.full(5, 20.0), "gains": np.full(5, 5.0)}
    run["best_fitness"] = np.linspace(0.9, 0.95, 5)
    assert figure_3_text({"one (5 %)": run}).splitlines()[1].split() == ["up", "to", "10", "2.0", "25.0", "0.9000"]


def test_a_study_without_any_data_says_so(study, tmp_path):
    with pytest.raises(FileNotFoundError, match="no folder"):
        run_again(study, folder=tmp_path / "nowhere")
