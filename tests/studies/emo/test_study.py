"""The study of trees of every size: its figures as typed, its data, a small run, its report."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone

from clearwood.evaluate import evaluate
from clearwood.evolve.pareto.classifier import ParetoTreeClassifier
from clearwood.learn.bagging import BaggedTreesClassifier
from clearwood.learn.c45 import C45Classifier
from clearwood.studies.emo import study as study_module
from clearwood.studies.emo.artificial import artificial_table
from clearwood.studies.emo.curves import curve_of
from clearwood.studies.emo.figures import figure_5_text, figure_6_text, first_experiment, plot_figure_8
from clearwood.studies.emo.learners import VariableNodeC45, full_learners, quick_learners
from clearwood.studies.reproduce import find_study, run_again


def test_the_published_figures_and_their_averages():
    rows = find_study("emo").rows()
    assert list(rows) == ["artificial", "ionosphere", "iris", "wine", "ecoli", "pima", "wpbc", "glass", "bupa"]
    assert rows["ionosphere"]["emo1000_error"] == 7.4 and rows["bupa"]["c45_rules"] == 30.4
    # sums of the columns of Tables 11.1 and 11.2, added up by hand
    assert sum(row["c45_error"] for row in rows.values()) == pytest.approx(200.0)
    assert sum(row["emo100_error"] for row in rows.values()) == pytest.approx(177.2)
    assert sum(row["emo1000_error"] for row in rows.values()) == pytest.approx(167.3)
    assert sum(row["emo1000_rules"] for row in rows.values()) == 52


def test_the_artificial_points_mislead_greedy_trees():
    table = artificial_table()
    assert (table.n_rows, table.n_features, len(table.classes)) == (150, 2, 2)
    clf = ParetoTreeClassifier(generations=60, max_leaves=6, selection=4, random_state=0).fit(table)
    assert clf.front_.of_size(4).training_error < 0.2
    assert evaluate(C45Classifier(), table, cv=10, repeats=2).interval.mean < 0.72


def test_the_learners_are_those_of_the_paper():
    learners = full_learners()
    assert list(learners) == ["c45", "variable", "emo100", "emo1000", "bagged"]
    assert set(quick_learners()) < set(learners)
    for name in ("emo100", "emo1000"):  # what is ours after the search is left out
        assert learners[name].polish is False and learners[name].certify is False
    assert learners["bagged"].estimator.polish is False and learners["bagged"].estimator.certify is False
    assert learners["emo1000"].generations == 1000 and learners["emo100"].generations == 100
    assert learners["emo100"].population_size == 500
    assert learners["emo1000"].selection == "srm" and learners["emo1000"].cv == 10  # a size chosen inside each fold


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The artificial set alone, by short searches."""
    with pytest.MonkeyPatch.context() as patch:
        short = ParetoTreeClassifier(generations=5, population_size=40, max_leaves=8, cv=3)
        bag = BaggedTreesClassifier(clone(short).set_params(selection=4), n_estimators=3, oob=False)
        learners = {"c45": C45Classifier(), "variable": VariableNodeC45(), "emo100": short, "bagged": bag}
        patch.setattr("clearwood.studies.emo.learners.quick_learners", lambda: learners)
        patch.setattr(study_module.EmoStudy, "published", lambda self: {"artificial": dict.fromkeys(self.columns, 0.7)})
        yield run_again(study_module.STUDY, quick=True, n_jobs=1, progress=False)


def test_curves_are_the_errors_of_the_folds(found):
    curve = curve_of(found.comparison, "artificial", "emo100")
    units = [r for r in found.comparison.results if r.unit.learner == "emo100"]
    for place, size in enumerate(curve.sizes):
        tests = [r.scores[f"error {size}"] for r in units if f"error {size}" in r.scores]
        assert curve.errors[place].mean == pytest.approx(np.mean(tests))
    assert curve.errors[curve.best].mean == min(error.mean for error in curve.errors)
    assert curve.training[-1] < curve.training[0]
    assert curve_of(found.comparison, "artificial", "c45") is None


def test_the_report_stands_beside_the_paper(found, tmp_path):
    words = str(found)
    assert "EMO, 100 gen." in words and "33.3 ± 0.9" in words and "21.9 ± 1.1" in words
    assert "significantly above the paper's" in words
    figures = {f.learner: f for f in found.figures}
    curve = found.curves["artificial", "emo100"]
    assert figures["emo100"].rules == curve.sizes[curve.best]
    assert figures["c45"].ours == pytest.approx(100 * found.comparison.means("error")[0, 0])
    # the honest column is the tree that the learner took, the other the best size in hindsight
    assert figures["emo100"].chosen == pytest.approx(100 * found.comparison.means("error")[0, 2])
    assert figures["emo100"].chosen_rules == pytest.approx(found.comparison.means("leaves")[0, 2])
    assert figures["emo100"].ours == pytest.approx(100 * curve.errors[curve.best].mean)
    assert np.isnan(figures["variable"].chosen) and figures["c45"].chosen == figures["c45"].ours
    assert "chosen inside %" in words and "size chosen inside each training fold: below C4.5's on" in words
    assert {f["learner"] for f in found.to_dict()["figures"]} == {"c45", "variable", "emo100", "bagged"}
    assert found.to_dict()["figures"][-1]["published"] is None and "nan" not in words
    assert figures["bagged"].ours == pytest.approx(100 * found.comparison.means("error")[0, 3])
    assert "Bagged EMO errs less than one tree" in words
    found.write_csv(tmp_path / "emo.csv")
    with (tmp_path / "emo-curves.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["learner"] for row in rows} == {"variable", "emo100"}
    found.write_page(tmp_path / "emo.html")
    page = (tmp_path / "emo.html").read_text()
    assert page.count("<svg") >= 3 and "21.9 ± 1.1" in page and "Figure 11.8" in page


def test_the_first_experiment_is_that_of_the_paper():
    """On points of our own: fewer errors with every rule, two rules about as many as C4.5, and a network in between."""
    run = first_experiment()
    errors = [run.errors(size) for size in range(2, 16)]
    assert errors == sorted(errors, reverse=True)
    for entry in run.front:
        assert round(150 * entry.training_error) == (entry.tree.predict(run.table) != run.table.y).sum()
    assert errors[8 - 2] <= run.network_errors < errors[0]
    words = figure_5_text()
    assert "EMO, up to 2 rules" in words and f"{run.errors(6)}" in words
    assert "2 leaves" in figure_6_text() and "6 leaves" in figure_6_text()


def test_bars_stand_for_the_figures(found):
    bars = plot_figure_8(found.figures, {"c45": "C4.5", "emo100": "EMO"})
    errors, rules = ([bar.get_height() for bar in ax.patches] for ax in bars.axes)
    wanted = [f for name in ("c45", "emo100") for f in found.figures if f.learner == name]
    assert errors == pytest.approx([f.ours for f in wanted]) and rules == pytest.approx([f.rules for f in wanted])
    assert bars.axes[1].get_yscale() == "linear"
    bag = replace(wanted[0], learner="bagged", rules=170.0)
    beside_a_bag = plot_figure_8([*wanted, bag], {"c45": "C4.5", "emo100": "EMO", "bagged": "bagged EMO"})
    assert beside_a_bag.axes[1].get_yscale() == "log"
