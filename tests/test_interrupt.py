"""Ctrl-C during a search: the first waits for the step, the second does not."""

import signal
import threading

import pytest
from counting_search import CountingSearch

from clearwood.evolve.run import run
from clearwood.interrupt import is_asked


def interrupt_at(step):
    return lambda done: signal.raise_signal(signal.SIGINT) if done == step else None


def test_interrupt_keeps_what_was_found_and_says_so():
    search = CountingSearch(on_step=interrupt_at(42))
    with pytest.warns(UserWarning, match="interrupted after 43 of 100 steps"):
        _, interrupted = run(search, title="t")
    assert interrupted and search.done == 43  # the step under way is finished
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_keyboard_interrupt_raised_inside_is_handled_too():
    def report(done, total, row):
        raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted after 10 of 100"):
        assert run(CountingSearch(), title="t", progress=report).interrupted


def test_second_interrupt_raises():
    def twice(done):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(CountingSearch(on_step=twice), title="t")


def test_nothing_found_yet_raises():
    search = CountingSearch(total=10)
    search.advance = lambda: signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        run(search, title="t")


def test_runs_in_a_thread_without_touching_signals():
    search = CountingSearch()
    thread = threading.Thread(target=run, args=(search,), kwargs={"title": "t"})
    thread.start()
    thread.join()
    assert search.finished


def test_a_long_step_can_ask_whether_to_stop():
    seen = []

    def ask(done):
        seen.append(is_asked())
        if done == 3:
            signal.raise_signal(signal.SIGINT)
            seen.append(is_asked())

    with pytest.warns(UserWarning, match="interrupted"):
        run(CountingSearch(on_step=ask), title="t")
    assert seen[-1] and not any(seen[:-1]) and not is_asked()
