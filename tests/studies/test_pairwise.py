"""Which learner beats which: the test's own estimate decides, not the mean."""

import numpy as np
import pytest

from clearwood.evaluate.wins import count_wins
from clearwood.studies.pairwise import test_pairs as tested_pairs


@pytest.mark.parametrize("kind", ["sign", "wilcoxon"])
def test_one_bad_fold_does_not_make_the_winner_the_loser(kind):
    folds = np.full(12, 0.01) + 1e-4 * np.arange(12)
    folds[11] = -0.5
    scores = np.stack([0.8 + folds, np.full(12, 0.8)])[None, :, None, :]
    found = tested_pairs(scores, ["iris"], ["a", "b"], kind, 0.05, "accuracy", 1 / 9)
    assert found.differences[0, 0, 1] < 0 < found.estimates[0, 0, 1]
    assert found.mark("iris", "a", "b") == "+" and found.win_draw_loss[0, 1].tolist() == [1, 0, 0]
    assert tuple(count_wins({"iris": {"a": scores[0, 0, 0], "b": scores[0, 1, 0]}}, kind)["a", "b"]) == (1, 0, 0)
