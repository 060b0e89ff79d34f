"""The build that is being tested: under ``make test``, the one in which every index is checked."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import clearwood

CHECKED = os.environ.get("CLEARWOOD_CHECKED_BUILD")


@pytest.mark.skipif(not CHECKED, reason="not run by make test, so any build may be in use")
def test_the_checked_build_is_in_use():
    from clearwood.kernels.columns import order

    for module in (clearwood, order):
        assert Path(module.__file__).is_relative_to(CHECKED)
    beyond_the_end = np.array([[0, 5]], dtype=np.int32)  # without checks this would read outside an array
    with pytest.raises(IndexError, match=r"[Oo]ut of bounds"):
        order.filter_members(beyond_the_end, np.zeros(2, dtype=np.uint8), np.zeros((1, 0), dtype=np.int32))


def test_kernels_share_one_copy_of_what_cython_adds():
    """Each with a copy of its own would take twice as long to compile."""
    program = (
        "import sys; import clearwood.kernels.greedy.grower; print('clearwood.kernels.cython_shared' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "True\n"
