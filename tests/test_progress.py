"""Progress: a bar on a terminal, lines in a log, one at a time, and the time left."""

import threading

import pytest

from clearwood.progress import Clock, show_bar, show_progress


def test_a_function_of_the_callers_own_is_told():
    told = []
    with show_progress("work", lambda *what: told.append(what)) as tell:
        tell(1, 2)
    assert told == [(1, 2)]


@pytest.mark.parametrize(
    ("terminal", "wish", "shown"), [(False, None, False), (True, None, True), (True, False, False)]
)
def test_a_bar_is_shown_on_a_terminal_unless_it_is_not_wanted(capsys, monkeypatch, terminal, wish, shown):
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    with show_progress("working", wish) as tell:
        assert (tell is not None) == shown
        if tell is not None:
            tell(1, 2)
    out, err = capsys.readouterr()
    assert out == "" and ("working" in err) == shown


def test_a_log_has_a_line_now_and_then_and_one_at_the_end(capsys):
    with show_bar("working", True) as tell:
        for done in (1, 2, 3):
            tell(done, 3, f"best {done}")
    first, last = capsys.readouterr().err.splitlines()  # the second comes too soon for a line
    assert first == "working: 1 of 3, best 1"
    assert last.startswith("working: 3 of 3, ") and last.endswith("left, best 3")


def test_what_runs_inside_long_work_keeps_quiet():
    inner = []
    with show_bar("outer", True) as outer, show_bar("inner", True) as tell:
        assert outer is not None
        inner.append(tell)

    def elsewhere():
        with show_bar("in a thread", True) as tell:
            inner.append(tell)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert inner == [None, None]
    with show_bar("again", True) as tell:
        assert tell is not None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s left"), (59, "59 s left"), (61, "1 min left"), (89 * 60, "1 h 29 min left"), (7260, "2 h 01 min left")],
)
def test_the_time_left_is_that_of_this_runs_pace(seconds, words):
    times = iter([10.0, 10.0 + seconds])
    clock = Clock(lambda: next(times))
    assert clock.left(50, 70) == ""  # 50 were done by an earlier run
    assert clock.left(60, 70) == words


@pytest.mark.parametrize(
    ("deadline", "following", "words"),
    [
        (None, 0, "30 s left"),
        (18.0, 0, "3 s left"),  # the deadline comes before the work is done
        (100.0, 0, "30 s left"),  # it comes too late to matter
        (14.0, 0, "0 s left"),
        (None, 2, "2 min left"),  # 30 s of this work, and twice 35 s
        (18.0, 10, "1 min left"),  # 3 s of this work, and ten times the 8 s that it may last
    ],
)
def test_the_time_left_knows_a_deadline_and_the_work_that_follows(deadline, following, words):
    times = iter([10.0, 15.0])
    clock = Clock(lambda: next(times), deadline, following)
    clock.left(0, 70)
    assert clock.left(10, 70) == words
