"""Areas: what is fuzzed, by name, and one case of it."""

from __future__ import annotations

import importlib
import shutil
import traceback
import warnings
from pathlib import Path

import numpy as np

__all__ = ["AREAS", "run_case"]

AREAS = ("checkpoints", "kernels", "readers", "models", "sql", "views")
"""Each is a module with ``case(rng, folder)``, which says what became of the case and raises what should not be."""


def run_case(area: str, seed: int, folder: Path) -> tuple[str, str]:
    """What became of a case: its outcome in a word and, for a finding, where it arose."""
    module = importlib.import_module(f"{area}_area")
    place = folder / str(seed)
    place.mkdir()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return module.case(np.random.default_rng([AREAS.index(area), seed]), place), ""
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        words = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return "finding", f"{words} ({Path(where.filename).name}, line {where.lineno})"
    finally:
        shutil.rmtree(place, ignore_errors=True)
