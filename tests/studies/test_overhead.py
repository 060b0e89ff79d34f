"""The benchmark of studies on tiny sizes: it runs and checks what it claims; times are never judged."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT)])  # last, so that the build under test stays first
    return import_module("benchmarks.studies")


@pytest.mark.parametrize("backend", ["sequential", "threads"])
def test_the_overhead_is_measured(benchmark, backend):
    row = benchmark.overhead(backend, 10, judged=True, seconds=0.01)
    assert row.ours > row.theirs > 0.01 * 10 / 2 and row.size == "10 units"
    assert row.goal == "overhead < 5%" and row.note.startswith("overhead ")


def test_a_large_store_is_listed(benchmark):
    rows = list(benchmark.listing(450, judged=True, repeat=1))  # each listing is checked to be whole
    assert [row.what for row in rows] == ["list status of each", "list results", "list results, predictions too"]
    assert all(row.ours > 0 and row.theirs > 0 for row in rows) and rows[0].goal == "< 1 s"
