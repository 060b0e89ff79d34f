"""The generated sets: their borders, their noise and their seeds."""

import numpy as np
import pytest

import clearwood as cw
from clearwood.read import artificial


@pytest.mark.parametrize("name", list(artificial.NAMES))
@pytest.mark.parametrize("noise", [0, 0.5, 1])
def test_noise_features_come_last_and_leave_the_rest_as_it_is(name, noise):
    plain, noisy = (artificial.make(name, 200, noise=n, random_state=7) for n in (0, noise))
    n = plain.n_features
    assert np.array_equal(noisy.numeric[:n], plain.numeric)
    assert np.array_equal(noisy.y, plain.y)
    assert noisy.n_features == n + int(np.ceil(noise * n))
    assert all(column.startswith("noise") for column in noisy.feature_names[n:])
    assert set(np.unique(noisy.y)) == set(range(len(noisy.classes)))
    assert noisy.numeric.min() >= 0 < 1 > noisy.numeric.max()


def test_1000_rows_are_drawn_and_a_seed_repeats_them():
    assert cw.artificial.chess2().n_rows == 1000
    assert np.array_equal(cw.artificial.ls10(random_state=3).numeric, cw.artificial.ls10(random_state=3).numeric)
    assert not np.array_equal(cw.artificial.ls10(random_state=3).numeric, cw.artificial.ls10(random_state=4).numeric)


@pytest.mark.parametrize(("name", "n_features"), [("ls2", 2), ("ls5", 5), ("ls10", 10)])
def test_half_spaces_are_bounded_by_one_plane(name, n_features):
    table = artificial.make(name, 500, random_state=0)
    half = (n_features + 1) // 2
    signs = np.r_[np.ones(half), -np.ones(n_features - half)]
    assert table.n_features == n_features
    assert np.array_equal(signs @ (table.numeric - 0.5) > 0, table.y == 1)


def test_stripes_alternate_along_the_diagonal():
    for name, n_stripes, n_classes in (("zebra1", 4, 2), ("zebra3", 9, 3)):
        table = artificial.make(name, 4000, random_state=0)
        order = np.argsort(table.numeric.sum(axis=0))
        changes = np.flatnonzero(np.diff(table.y[order]))
        assert len(changes) == n_stripes - 1
        assert len(table.classes) == n_classes


def test_the_chessboard_has_four_fields_that_meet_in_the_middle():
    table = artificial.chess2(5000, random_state=0)
    x, y = table.numeric - 0.5
    angle = (np.arctan2(y, x) - np.pi / 6) % (2 * np.pi)
    assert np.array_equal((angle // (np.pi / 2)) % 2 == 1, table.y == 1)


def test_wrong_requests_are_refused():
    with pytest.raises(ValueError, match="n_rows must be a whole number"):
        artificial.chess2(0)
    with pytest.raises(ValueError, match="noise must be a number"):
        artificial.chess2(noise=-1)
    with pytest.raises(ValueError, match="name must be one of 'chess2'"):
        artificial.make("chess")
