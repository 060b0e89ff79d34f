"""A small part of ``python -m tests.equality``: scanned trees beside those in memory, on each engine."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from golden_records import generated_names
from servers import ABSENT, postgres_binaries


@pytest.mark.parametrize("engine", ["duckdb", "sqlite", "postgres"])
@pytest.mark.parametrize("name", generated_names()[3:22:18])
def test_golden_sets(engine, name):
    if engine == "postgres" and postgres_binaries() is None:
        pytest.skip(ABSENT)
    arguments = ["--engine", engine, "--only", name, "--every", "4", "--in-memory", "30"]
    told = subprocess.run(
        [sys.executable, "-m", "tests.equality", *arguments],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    (n_compared,) = re.findall(rf"^{engine}: (\d+) trees compared, 0 differ$", told.stdout, re.MULTILINE)
    assert int(n_compared) > 4
