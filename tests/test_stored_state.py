"""The arrays of a checkpoint are what they must be, or it is refused."""

import numpy as np
import pytest
from damaged_checkpoints import ARRAYS, damaged, fitted_again, learners, saved

from clearwood.stored_state import StoredState


def test_arrays_are_handed_out_when_they_fit():
    state = StoredState({"a": np.arange(6).reshape(2, 3), "b": np.array([0.5])})
    assert state.whole("a", (2, None), 0, 5).shape == (2, 3)
    assert state.real("b", (1,)).tolist() == [0.5]
    assert "a" in state and "c" not in state


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda state: state.any("c"), "c is missing"),
        (lambda state: state.whole("a", (3, 2), 0, 5), r"shape 3 × 2, got 2 × 3"),
        (lambda state: state.whole("a", (6,), 0, 5), "shape"),
        (lambda state: state.whole("a", (2, 3), 0, 4), "between 0 and 4, got 5"),
        (lambda state: state.whole("b", (2,), 0, 4), "another kind than float64"),
        (lambda state: state.real("b", (2,)), "finite"),
        (lambda state: state.real("word", ()), "another kind"),
        (lambda state: state.record("a", (2, 3), np.dtype([("x", "i4")])), "another kind"),
    ],
)
def test_what_does_not_fit_is_named(ask, words):
    state = StoredState({"a": np.arange(6).reshape(2, 3), "b": np.array([0.5, np.nan]), "word": np.array("x")})
    with pytest.raises(ValueError, match=words):
        ask(state)


@pytest.mark.parametrize("learner", learners())
def test_what_was_saved_is_gone_on_from(learner, tmp_path):
    fitted_again(learner, saved(learner), tmp_path)


@pytest.mark.parametrize(("learner", "array"), ARRAYS)
@pytest.mark.parametrize("how", ["large", "small", "shorter", "text", "gone"])
def test_a_changed_array_is_refused(learner, array, how, tmp_path):
    with pytest.raises(ValueError, match=r"checkpoint=.*delete it"):
        fitted_again(learner, damaged(saved(learner), array, how), tmp_path)
