"""The loop that searches share: history, progress, Ctrl-C, checkpoints."""

import signal

import numpy as np
import pytest
from counting_search import CountingSearch

from clearwood.evolve.run import run


def interrupt_at(step):
    return lambda done: signal.raise_signal(signal.SIGINT) if done == step else None


def test_history_has_a_line_every_so_many_steps_and_one_at_the_end():
    history, interrupted = run(CountingSearch(total=25), title="t")
    assert history["steps"].tolist() == [10, 20, 25]
    assert not interrupted


def test_progress_is_told_each_line():
    told = []
    run(CountingSearch(total=20), title="t", progress=lambda *what: told.append(what))
    assert [(done, total) for done, total, _ in told] == [(10, 20), (20, 20)]
    assert set(told[0][2]) == {"steps", "sum"}


def test_what_others_have_done_before_is_told_once(capsys):
    told = []
    search = CountingSearch(total=20)
    while not search.finished:
        search.advance()
    history, interrupted = run(search, title="t", progress=lambda *what: told.append(what))
    assert [(done, total) for done, total, _ in told] == [(20, 20)]
    assert history["steps"].tolist() == [20] and not interrupted
    run(search, title="adding", progress=True)
    assert "adding" in capsys.readouterr().err


def test_bar_on_standard_error_shows_the_words(capsys):
    run(CountingSearch(total=20), title="adding", progress=True)
    shown = capsys.readouterr()
    assert "adding" in shown.err and "sum " in shown.err and shown.out == ""
    run(CountingSearch(total=20), title="adding", progress=False)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("stop", [3, 10, 57, 98])
def test_resumed_run_ends_as_an_unbroken_one(tmp_path, stop):
    whole = CountingSearch()
    expected = run(whole, title="t").history
    file = tmp_path / "run.npz"
    with pytest.warns(UserWarning, match="goes on from the checkpoint"):
        run(CountingSearch(on_step=interrupt_at(stop)), title="t", checkpoint=file)
    steps = []
    again = CountingSearch(on_step=steps.append, seed=999)
    history, interrupted = run(again, title="t", checkpoint=file)
    assert steps[0] == stop + 1
    assert not interrupted and history == expected and again.sum == whole.sum


def test_saves_while_it_runs(tmp_path):
    file = tmp_path / "run.npz"

    def dies(done):
        if done == 50:
            raise MemoryError

    with pytest.raises(MemoryError):
        run(CountingSearch(on_step=dies), title="t", checkpoint=file, save_every=0)
    again = CountingSearch()
    run(again, title="t", checkpoint=file)
    whole = CountingSearch()
    run(whole, title="t")
    assert again.sum == whole.sum


def test_finished_checkpoint_is_the_result(tmp_path):
    file = tmp_path / "run.npz"
    first = CountingSearch()
    expected = run(first, title="t", checkpoint=file).history
    again = CountingSearch(on_step=lambda done: pytest.fail("nothing is left to do"))
    assert run(again, title="t", checkpoint=file).history == expected
    assert again.sum == first.sum
    assert np.isclose(expected["sum"][-1], first.sum)


def test_a_checkpoint_that_cannot_be_written_is_a_warning(tmp_path):
    """The disk may be full for an hour; the search has done nothing wrong."""
    whole, search = CountingSearch(), CountingSearch()
    expected = run(whole, title="t").history
    with pytest.warns(UserWarning, match=r"checkpoint='/proc/.*' cannot be written .* the search goes on"):
        history, interrupted = run(search, title="t", checkpoint="/proc/run.npz", save_every=0.0)
    assert history == expected and not interrupted and search.sum == whole.sum
