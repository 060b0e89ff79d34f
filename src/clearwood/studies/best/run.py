"""Run the study: coverage and noise on simulated tables, regret on real ones, into one store."""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.base import clone

from clearwood.studies.backends import check_backend
from clearwood.studies.best.report import BestReproduction
from clearwood.studies.best.sets import COVERAGE, NOISE, simulated_sets
from clearwood.studies.compare import compare_units
from clearwood.studies.dealt import DealtTable, deal
from clearwood.studies.runner import Settings
from clearwood.studies.store import Store
from clearwood.studies.units import Unit, plan_units
from clearwood.studies.work import parameters

if TYPE_CHECKING:
    from clearwood.studies.study import Study

__all__ = ["run_best"]

FULL = {COVERAGE: 200, NOISE: 100}
QUICK = {COVERAGE: 3, NOISE: 2}
SHORT = 10
"""Seconds: the most that an answer for a simulated table may take. Whether it is honest does not depend on effort."""


def run_best(
    study: Study,
    *,
    quick: bool = False,
    folder: Path | None = None,
    store: str | PathLike[str] | Store | None = None,
    seed: int = 0,
    backend: str = "threads",
    address: str | None = None,
    n_jobs: int | None = None,
    retry_failed: bool = False,
    progress: Any = None,
) -> BestReproduction:
    """Run what the store lacks; the options are those of :func:`clearwood.studies.reproduce.reproduce`."""
    if folder is not None and not folder.is_dir():
        raise FileNotFoundError(f"no folder {folder}.")
    check_backend(backend, address, n_jobs)
    name = f"{study.name} quick" if quick else study.name
    learners = ((quick and study.quick_learners) or study.learners)()
    short = clone(learners["best"]).set_params(budget=min(SHORT, learners["best"].budget))
    briefly = {f"best, {short.budget:g} s": short}
    repeats = 1 if quick else study.repeats
    settings = Settings(seed, backend, address, n_jobs, None, retry_failed)
    absent: dict[str, str] = {}
    with nullcontext(store) if isinstance(store, Store) else Store(store) as kept, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r".*fewer rows than the \d+ folds|.*identifier")
        for known, learner in (learners | briefly).items():
            kept.keep_learner(name, known, parameters(learner))
        real: dict[str, DealtTable] = {}
        for data in study.quick if quick else study.published():
            try:
                real[data] = deal(name, data, study.read(data, folder), study.cv, repeats, seed, kept)
            except FileNotFoundError as error:
                absent[data] = str(error)
        made = {
            data: table
            for part, n in (QUICK if quick else FULL).items()
            for data, table in simulated_sets(part, n, seed, name, kept).items()
        }
        # the simulated ones first: they say whether the answers are honest
        units = [Unit(name, data, known, 0, 0) for known in briefly for data in made]
        simulated = compare_units(name, units, made, briefly, kept, settings, progress, cv=1, repeats=1)
        if not real:
            return BestReproduction(study, simulated, absent, quick, simulated)
        units = plan_units(name, real, list(learners), study.cv, repeats)
        comparison = compare_units(name, units, real, learners, kept, settings, progress, cv=study.cv, repeats=repeats)
    return BestReproduction(study, comparison, absent, quick, simulated)
