import math

import numpy as np
import pytest

from clearwood.evaluate.pairs import pair_up, without_noise


def test_differences_that_are_equal_on_paper_are_equal():
    assert len(set(pair_up([0.768, 0.936, 0.005], [0.763, 0.931, 0.0]).differences.tolist())) == 1
    assert pair_up([0.1 + 0.2], [0.3]).differences.tolist() == [0.0]
    assert pair_up([1e-30], [2e-30]).differences[0] < 0  # small scores are not rounded away


def test_pairs_without_two_scores_are_left_out_and_counted():
    pairs = pair_up([1.0, math.nan, 3.0, math.inf], [0.5, 1.0, math.nan, 1.0])
    assert pairs.differences.tolist() == [0.5] and pairs.mean == 0.5
    assert pairs.note == "3 of 4 pairs left out, for want of a score"
    assert math.isnan(pair_up([], []).mean)
    with pytest.raises(ValueError, match=r"two rows of equal length, got the shapes \(2,\) and \(1,\)"):
        pair_up([1, 2], [1])


def test_ties_are_split_evenly_or_dropped():
    pairs = pair_up([1, 2, 3, 4, 6], [1, 2, 3, 5, 5])
    kept, note = pairs.with_ties("split")
    assert sorted(kept.tolist()) == [-1, 0, 0, 1] and note == "1 of 3 ties left out"
    kept, note = pairs.with_ties("drop")
    assert sorted(kept.tolist()) == [-1, 1] and note == "3 of 3 ties left out"
    assert pair_up([1, 2], [2, 1]).with_ties("drop")[1] == ""
    with pytest.raises(ValueError, match="ties must be 'split' or 'drop', got 'half'"):
        pairs.with_ties("half")


def test_noise_is_40_bits_below_the_scale():
    values = np.array([1.0, 1.0 + 2.0**-45, 1.0 + 2.0**-38, -0.0])
    assert without_noise(values, 1.0).tolist() == [1.0, 1.0, 1.0 + 2.0**-38, 0.0]
    assert math.copysign(1, without_noise(values, 1.0)[3]) == 1
