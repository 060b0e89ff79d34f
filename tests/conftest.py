"""What every test may rely on."""

import signal

import pytest
from hypothesis import HealthCheck, settings

collect_ignore = ["mutants"]  # a program of its own: make mutants

# how long an example takes says how busy the machine is
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture(autouse=True)
def _ctrl_c_interrupts():
    """Python's own handler of Ctrl-C, which is absent where tests run in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
