"""A comparison: its numbers against numpy, scipy and pandas, and what it prints."""

import json

import numpy as np
import pytest
from sample_comparisons import EVIL, sample_comparison

from clearwood.evaluate.wins import count_wins


def test_the_frame_has_a_row_for_each_unit_and_its_means_are_the_means():
    comparison = sample_comparison()
    frame = comparison.to_frame()
    assert len(frame) == 3 * 3 * 2 * 5
    by_hand = frame.groupby(["data", "learner"])["accuracy"].mean()
    for (data, learner), interval in comparison.summary("accuracy").items():
        assert interval.mean == pytest.approx(by_hand[data, learner])
        assert interval.low < interval.mean < interval.high
    assert frame["nodes"].isna().sum() == 30  # the forest's


def test_the_interval_is_the_corrected_resampled_one():
    scipy_stats = pytest.importorskip("scipy.stats")
    comparison = sample_comparison(cv=5, repeats=2)
    values = comparison.scores("accuracy")[0, 0].ravel()
    error = values.std(ddof=1) * np.sqrt(1 / 10 + 1 / 4)
    low, high = scipy_stats.t.interval(0.95, 9, values.mean(), error)
    found = comparison.summary("accuracy")["iris", "c45"]
    assert (found.low, found.high) == pytest.approx((low, high))


def test_error_is_what_accuracy_leaves():
    comparison = sample_comparison()
    assert np.array_equal(comparison.scores("error"), 1 - comparison.scores("accuracy"))


def test_stability_counts_the_pairs_of_folds_that_agree():
    comparison = sample_comparison(cv=3, repeats=1)
    probes = [r.probe for r in comparison.results if (r.unit.data, r.unit.learner) == ("iris", "cart")]
    pairs = [np.mean(probes[i] == probes[j]) for i in range(3) for j in range(i)]
    assert comparison.means("stability")[0, 1] == pytest.approx(np.mean(pairs))
    assert comparison.means("stability")[0, 0] == 1.0  # all folds of the first learner say the same


@pytest.mark.parametrize("kind", ["corrected_t", "t", "wilcoxon", "sign"])
def test_wins_are_those_of_the_function_that_counts_them(kind):
    comparison = sample_comparison(gaps=(0, -0.005, 0.01))
    found = comparison.test(kind=kind, level=0.1)
    folds = {
        data: {learner: comparison.scores()[i, j].ravel() for j, learner in enumerate(comparison.learners)}
        for i, data in enumerate(comparison.data)
    }
    counted = count_wins(folds, kind, 0.1, test_share=1 / 4)
    for i, first in enumerate(comparison.learners):
        for j, second in enumerate(comparison.learners):
            if i != j:
                assert tuple(found.win_draw_loss[i, j]) == counted[first, second]


def test_fewer_nodes_are_a_win():
    comparison = sample_comparison(learners=("small", "large"), gaps=(0, 0), without_tree=())
    comparison.scores("nodes")[:, 0] -= 20
    assert comparison.test(score="nodes").mark("iris", "large", "small") == "-"
    assert comparison.test(score="nodes").mark("iris", "small", "large") == "+"


def test_a_learner_that_failed_is_a_dash_and_others_are_still_tested():
    comparison = sample_comparison(fails=lambda unit: unit.learner == "cart" and unit.data == "wine")
    text = str(comparison)
    assert len(comparison.failures) == 10
    assert "10 units failed" in text and "cart on wine, repeat 1, fold 1: failed: ValueError: the learner" in text
    assert "Traceback" not in text
    assert "1 data set not finished by every learner left out" in text
    won = comparison.test().win_draw_loss
    assert won[1, 0].sum() == 2 and won[2, 0].sum() == 3  # untested sets are neither won nor drawn
    assert np.isnan(comparison.means()[1, 1])


def test_one_failed_fold_leaves_the_others():
    comparison = sample_comparison(fails=lambda unit: unit.learner == "cart" and unit.fold == 0)
    assert np.isfinite(comparison.means()).all()
    assert np.isfinite(comparison.test().p_values[:, 0, 1]).all()


def test_everything_failed_and_it_still_prints(tmp_path):
    comparison = sample_comparison(fails=lambda unit: True)
    assert "No data set was finished" in str(comparison)
    comparison.write_page(tmp_path / "page.html")
    json.dumps(comparison.to_dict(), allow_nan=False)


def test_the_text_marks_what_differs_from_the_reference():
    comparison = sample_comparison(gaps=(0, -0.0005, 0.2))
    lines = str(comparison).splitlines()
    row = next(line for line in lines if line.startswith("forest"))
    assert " + " in row and " ± " in row
    row = next(line for line in str(comparison.against("forest")).splitlines() if line.startswith("c45"))
    assert " - " in row


def test_many_data_sets_make_one_table():
    comparison = sample_comparison(data=tuple(f"set {i}" for i in range(12)))
    lines = str(comparison).splitlines()
    rows = [line for line in lines if line.startswith("set ")]
    assert len(rows) == 12
    assert len({line.index("±") for line in rows}) == 1, "columns are not aligned"


def test_one_learner_on_one_data_set():
    comparison = sample_comparison(learners=("c45",), data=("iris",), gaps=(0,), without_tree=())
    assert "1 learner on 1 data set" in str(comparison)
    assert "significantly" not in str(comparison)


def test_wide_and_evil_names_stay_on_their_line():
    comparison = sample_comparison(learners=("c45", "line\nend", "x" * 90), data=(EVIL, "数据集"))
    text = str(comparison)
    assert "line\\nend" in text and "x" * 40 not in text


def test_friedman_over_the_data_sets_agrees_with_scipy():
    stats = pytest.importorskip("scipy.stats")
    comparison = sample_comparison(data=tuple(f"set {i}" for i in range(10)), gaps=(0, -0.002, 0.002))
    found = comparison.rank()
    assert found.test.chi_square == pytest.approx(stats.friedmanchisquare(*comparison.means().T).statistic)
    assert sum(found.ranks) == pytest.approx(6)


def test_the_document_is_plain_json():
    document = sample_comparison(fails=lambda unit: unit.fold == 1).to_dict()
    again = json.loads(json.dumps(document, allow_nan=False))
    assert again["results"][2]["nodes"] is None and len(again["failures"]) == 18


def test_the_csv_is_the_frame(tmp_path):
    pandas = pytest.importorskip("pandas")
    comparison = sample_comparison(fails=lambda unit: unit.fold == 1)
    comparison.write_csv(tmp_path / "units.csv")
    read = pandas.read_csv(tmp_path / "units.csv")
    frame = comparison.to_frame()
    assert list(read.columns) == list(frame.columns)
    assert np.allclose(read["accuracy"], frame["accuracy"], equal_nan=True)
