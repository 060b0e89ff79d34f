import numpy as np
import pytest

from clearwood.learn.randomness import generator


def test_a_seed_gives_the_same_draws_and_a_generator_is_itself():
    assert generator(np.int64(3)).random() == generator(3).random() != generator(4).random()
    rng = np.random.default_rng(0)
    assert generator(rng) is rng
    assert generator(None).random() != generator(None).random()


def test_scikit_learns_random_state_is_drawn_from():
    state = np.random.RandomState(5)
    first, second = generator(state).random(), generator(state).random()
    assert first == generator(np.random.RandomState(5)).random() != second


@pytest.mark.parametrize("wrong", [-1, True, "seed", 1.5, [3]])
def test_what_is_no_seed_is_refused(wrong):
    with pytest.raises(
        ValueError, match="random_state must be None, a whole number of at least 0, or a numpy generator"
    ):
        generator(wrong)
