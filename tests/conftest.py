"""What every test may rely on."""

import signal

import pytest

collect_ignore = ["mutants"]  # a program of its own: make mutants


@pytest.fixture(autouse=True)
def _ctrl_c_interrupts():
    """Python's own handler of Ctrl-C, which is absent where tests run in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
