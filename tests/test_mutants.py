"""Faults that ``make mutants`` plants: each must still have its place in the sources, or it tests nothing."""

import sys
from pathlib import Path

import pytest

MUTANTS = Path(__file__).parent / "mutants"


@pytest.fixture
def mutants(monkeypatch):
    monkeypatch.syspath_prepend(MUTANTS)
    for name in ("faults", "scratch"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import faults
    import scratch

    return faults.FAULTS, scratch


def test_every_fault_has_its_place(mutants):
    faults, scratch = mutants
    homeless = []
    for fault in faults:
        try:
            scratch.place_of(fault, MUTANTS.parents[1])
        except scratch.NotFound as missing:
            homeless.append(str(missing))
    assert not homeless
