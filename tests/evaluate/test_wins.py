"""Significant wins, draws and losses of learners over data sets."""

import numpy as np
import pytest

from clearwood.evaluate.significance import TESTS, paired_test
from clearwood.evaluate.wins import Record, count_wins


def random_study(seed, n_sets=12, learners=("a", "b", "c"), folds=10):
    rng = np.random.default_rng(seed)
    return {
        f"set {i}": {learner: rng.normal(0.8 + rng.choice([0, 0.05]), 0.03, folds) for learner in learners}
        for i in range(n_sets)
    }


@pytest.mark.parametrize("kind", TESTS)
def test_the_record_counts_the_tests_of_each_data_set(kind):
    study = random_study(1)
    found = count_wins(study, kind, level=0.10, test_share=1 / 9)
    for first, second in [("a", "b"), ("b", "c"), ("c", "a")]:
        wins = losses = 0
        for scores in study.values():
            p_value = paired_test(scores[first], scores[second], kind, test_share=1 / 9).p_value
            better = np.median(scores[first] - scores[second]) > 0
            wins += p_value <= 0.10 and better
            losses += p_value <= 0.10 and not better
        assert found[first, second] == Record(wins, 12 - wins - losses, losses)
        assert 0 < wins + losses < 12


def test_a_pair_seen_from_the_other_side_is_mirrored():
    found = count_wins(random_study(2), test_share=1 / 9)
    assert set(found) == {(a, b) for a in "abc" for b in "abc" if a != b}
    for (first, second), record in found.items():
        assert found[second, first] == Record(record.losses, record.draws, record.wins)


def test_lower_may_be_better():
    study = random_study(3)
    high, low = (count_wins(study, test_share=1 / 9, higher_is_better=up)["a", "b"] for up in (True, False))
    assert (high.wins, high.draws, high.losses) == (low.losses, low.draws, low.wins)


def test_a_stricter_level_makes_draws():
    study = random_study(4)
    draws = [count_wins(study, test_share=1 / 9, level=level)["a", "b"].draws for level in (0.5, 0.05, 1e-9)]
    assert draws == sorted(draws) and draws[-1] == 12 > draws[0]


def test_equal_scores_are_a_draw_and_unknown_ones_are_left_out():
    same = [0.8, 0.9, 0.7]
    study = {
        "equal": {"a": same, "b": same},
        "failed": {"a": same, "b": [np.nan, np.nan, 0.5]},
        "absent": {"a": same},
        "won": {"a": [0.9, 0.91, 0.92], "b": [0.5, 0.5, 0.5]},
    }
    assert count_wins(study, test_share=0.5)["a", "b"] == Record(1, 1, 0)


def test_the_test_share_may_differ_by_data_set():
    scores = random_study(5, n_sets=1)["set 0"]
    study = {"plain": scores, "corrected": scores}
    shares = {"plain": 0.0, "corrected": 1e6}  # so large a correction leaves no difference
    assert count_wins(study, test_share=shares, level=0.999)["a", "b"].draws == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 0.0, "test_share": 1 / 9}, "level must lie between 0 and 1, got 0"),
        ({"kind": "f", "test_share": 1 / 9}, "kind must be one of .*, got 'f'"),
        ({}, "test_share must be given"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        count_wins(random_study(6), **options)
