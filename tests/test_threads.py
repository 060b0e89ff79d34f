"""Threads: parts in order, crews that wait for each other, blocks that hold every row once."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from joblib import parallel_config

from clearwood.threads import Crew, at_most, check_jobs, count_threads, each, row_blocks, within_cores


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 7])
def test_results_come_in_the_order_of_the_parts(n_jobs):
    assert each(lambda part: part * part, range(20), n_jobs) == [part * part for part in range(20)]


def test_the_number_of_threads_is_joblibs():
    assert count_threads(None) == 1 and count_threads(4) == 4 and count_threads(4, most=3) == 3
    assert count_threads(-1) >= 1 and count_threads(5, most=0) == 1
    with parallel_config(backend="threading", n_jobs=3):
        assert count_threads(None) == 3


def test_no_more_threads_than_asked_for_are_at_work():
    inside, most, lock = 0, 0, threading.Lock()
    gate = threading.Barrier(2, timeout=30)

    def work(_part):
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        gate.wait()
        with lock:
            inside -= 1

    each(work, range(8), 2)
    assert most == 2


def test_parts_with_several_threads_never_have_more_in_all_than_there_are():
    lock, inside, most = threading.Lock(), 0, 0

    def work(part):
        nonlocal inside, most
        with lock:
            inside += part
            most = max(most, inside)
        time.sleep(0.01)  # so that others could come in
        with lock:
            inside -= part
        return count_threads(64)

    assert each(work, [3, 3, 2, 1, 1, 9], 4, share=lambda part: part) == [3, 3, 2, 1, 1, 4]
    assert most in (4, 9)
    assert each(work, [1, 9], 1, share=lambda part: part) == [64, 64]
    with pytest.raises(ZeroDivisionError):
        each(lambda part: 1 // part, [4, 0, 3, 2], 4, share=lambda part: max(part, 1))


@pytest.mark.parametrize("tell", [None, lambda done, total: None])
def test_an_error_in_a_part_is_raised_and_the_others_are_told(tell):
    for n_jobs in (1, 2):
        with pytest.raises(ZeroDivisionError):
            each(lambda part: 1 // part, [1, 0, 2], n_jobs, tell=tell)
    ended, failed = threading.Event(), threading.Event()

    def work(part):
        if part:
            failed.set()
            raise ZeroDivisionError
        assert failed.wait(30)
        return ended.wait(30)  # goes on until it is told to give up

    with pytest.raises(ZeroDivisionError):
        each(work, [1, 0], 2, tell=tell, give_up=ended.set)
    assert ended.is_set()


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_progress_is_told_part_by_part(n_jobs):
    told = []
    each(str, range(5), n_jobs, tell=lambda done, total: told.append((done, total)))
    assert told == [(done, 5) for done in range(1, 6)]


def test_parts_share_the_threads_that_are_left_over():
    def asked(_part):
        return count_threads(64), each(lambda _inner: count_threads(64), range(2), 64)

    assert each(asked, range(2), 8) == [(4, [2, 2])] * 2
    assert each(asked, range(3), 8) == [(2, [1, 1])] * 3
    assert each(asked, range(20), 8) == [(1, [1, 1])] * 20
    assert Crew(3).run(lambda _number: count_threads(64)) == [1] * 3
    assert count_threads(64) == 64  # outside nothing has changed


def test_an_allowance_never_grows():
    with at_most(3):
        with at_most(8):
            assert count_threads(64) == 3
        with at_most(2):
            assert count_threads(64) == 2
        assert count_threads(64) == 3 and count_threads(None) == 1


def test_workers_of_a_machine_share_its_cores(monkeypatch):
    monkeypatch.setattr("joblib.cpu_count", lambda: 8)
    assert [within_cores(count_threads, n)(64) for n in (1, 2, 3, 20)] == [64, 4, 2, 1]
    assert within_cores(count_threads, 2)(64, 3) == 3


def test_a_crew_works_all_at_once_and_again():
    crew = Crew(3)
    for _ in range(3):
        gate = threading.Barrier(3, timeout=30)  # opens only if all three are there
        assert sorted(crew.run(lambda number, gate=gate: (number, gate.wait())[0])) == [0, 1, 2]


def test_shared_work_is_done_when_the_caller_is():
    crew, done, lock = Crew(4), [], threading.Lock()

    def work(_number):
        while True:
            with lock:
                if len(done) == 50:
                    return
                done.append(len(done))

    crew.share(work)
    assert done == list(range(50))
    with pytest.raises(ZeroDivisionError):
        crew.share(lambda number: 1 // number)


def test_a_crew_can_be_called_without_waiting_for_it():
    gate, told = threading.Event(), []

    def work(number):
        assert gate.wait(30)
        if number == 2:
            raise ArithmeticError("no more")
        return number

    others = Crew(3).call(work, lambda: told.append("give up"))
    gate.set()  # nobody is done before
    assert others[0].result(30) == 1
    with pytest.raises(ArithmeticError, match="no more"):
        others[1].result(30)
    assert told == ["give up"]


@pytest.mark.parametrize("method", ["run", "call"])
def test_a_crew_does_not_wait_for_a_thread_that_cannot_be_begun(method, monkeypatch):
    begun, end = [], threading.Event()
    submit = ThreadPoolExecutor.submit

    def fails_at_last(self, work, *arguments):
        if len(begun) == 2:
            raise RuntimeError("can't start new thread")
        begun.append(submit(self, work, *arguments))
        return begun[-1]

    monkeypatch.setattr(ThreadPoolExecutor, "submit", fails_at_last)
    with pytest.raises(RuntimeError, match="can't start"):
        getattr(Crew(4), method)(lambda _: end.wait(30), end.set)
    assert [one.result(30) for one in begun] == [True, True]


def test_a_crew_of_one_needs_no_thread():
    assert Crew(1).run(lambda number: (number, threading.current_thread())) == [(0, threading.current_thread())]


@pytest.mark.parametrize("n_rows", [0, 1, 5, 1000])
@pytest.mark.parametrize("least", [1, 3, 400])
def test_blocks_hold_every_row_once_and_are_not_too_small(n_rows, least):
    blocks = row_blocks(n_rows, 4, least, each_thread=2)
    assert np.array_equal(np.concatenate(blocks), np.arange(n_rows))
    assert len(blocks) <= 8 and (len(blocks) == 1 or min(map(len, blocks)) >= least)


@pytest.mark.parametrize("n_jobs", ["x", 0, 2.5, True, [1]])
def test_what_is_no_number_of_threads_is_refused(n_jobs):
    with pytest.raises((TypeError, ValueError), match="n_jobs must be a whole number other than 0"):
        check_jobs(n_jobs)


def test_joblibs_numbers_of_threads_are_taken():
    for n_jobs in (None, 1, -1, -2, np.int64(3)):
        check_jobs(n_jobs)
