"""The random numbers of the kernels: against their twin, a published vector, and what each form promises."""

import numpy as np
import pytest

from clearwood.kernels.common.random_stream import draws
from clearwood.kernels.reference.common.random_stream import RandomStream

UNITS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (2**64 - 1, 2**63, 2**31 + 7), (12345, 1000, 1 << 30)]


def test_the_twin_gives_the_numbers_that_are_published_for_the_generator():
    stream = RandomStream(1234567)
    assert [stream.bits() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("unit", UNITS)
def test_every_form_of_a_draw_is_the_twins(unit):
    for form, limit in (("bits", 1), ("fraction", 1), ("nearly_normal", 1), ("below", 7), ("below", 2**31 - 1)):
        twin = RandomStream.of(*unit)
        draw = (lambda n=limit, t=twin: t.below(n)) if form == "below" else getattr(twin, form)
        assert draws(form, *unit, 200, limit).tolist() == [draw() for _ in range(200)]


def test_streams_of_neighbouring_units_have_nothing_in_common():
    starts = [draws("bits", *unit, 50) for unit in UNITS]
    starts += [draws("bits", 7, step, part, 50) for step in range(20) for part in range(50)]
    assert len(np.unique(np.concatenate(starts))) == 50 * len(starts)
    bits = np.unpackbits(np.array([numbers[0] for numbers in starts[len(UNITS) :]]).view(np.uint8))
    assert abs(bits.mean() - 0.5) < 0.01  # 64,000 bits: a standard deviation of 0.002


def test_fractions_are_uniform_and_steps_nearly_normal():
    fractions = draws("fraction", 1, 2, 3, 100_000)
    assert fractions.min() >= 0 and fractions.max() < 1
    shares = np.bincount((20 * fractions).astype(int), minlength=20) / len(fractions)
    assert np.abs(shares - 0.05).max() < 0.004
    steps = draws("nearly_normal", 3, 2, 1, 100_000)
    assert abs(steps.mean()) < 0.015 and abs(steps.std() - 1) < 0.01 and np.abs(steps).max() < 6
    assert abs(np.mean(np.abs(steps) < 1) - 0.683) < 0.01


def test_whole_numbers_below_a_limit_are_all_drawn_alike():
    for limit in (1, 2, 3, 10, 97):
        found = np.bincount(draws("below", 5, 5, limit, 20_000, limit), minlength=limit) / 20_000
        assert len(found) == limit
        assert np.abs(found - 1 / limit).max() < 0.015


def test_an_unknown_form_is_refused():
    with pytest.raises(ValueError, match="form must be 'bits'"):
        draws("dice", 0, 0, 0, 1)
