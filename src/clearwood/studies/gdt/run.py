"""Run the study: artificial sets, given test sets and cross-validations, into one store."""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.studies.backends import check_backend
from clearwood.studies.compare import compare_units
from clearwood.studies.gdt.report import GdtReproduction
from clearwood.studies.gdt.sets import FOLDS, GivenSplits, deal_set
from clearwood.studies.runner import Settings
from clearwood.studies.store import Store
from clearwood.studies.units import Unit
from clearwood.studies.work import parameters

if TYPE_CHECKING:
    from clearwood.studies.dealt import DealtTable
    from clearwood.studies.study import Study

__all__ = ["run_gdt"]

ONLY = {"relaxed": ("vehicle",)}
"""Learners that the paper tells of on some sets only."""


def run_gdt(
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
    repeats: int | None = None,
) -> GdtReproduction:
    """Run what the store lacks; the options are those of :func:`clearwood.studies.reproduce.reproduce`."""
    if folder is not None and not folder.is_dir():
        raise FileNotFoundError(f"no folder {folder}.")
    check_backend(backend, address, n_jobs)
    repeats = (1 if quick else study.repeats) if repeats is None else repeats
    learners = study.learners()
    if quick:
        learners = {name: learner for name, learner in learners.items() if name not in ONLY}
    absent: dict[str, str] = {}
    dealt: dict[str, DealtTable] = {}
    with nullcontext(store) if isinstance(store, Store) else Store(store) as kept:
        for name, learner in learners.items():
            kept.keep_learner(study.name, name, parameters(learner))
        for data in study.quick if quick else study.published():
            try:
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", message=r".*fewer rows than the \d+ folds|.*identifier")
                    dealt[data] = deal_set(study, data, folder, repeats, seed, kept)
            except FileNotFoundError as error:
                absent[data] = str(error)
        units = _units(study.name, dealt, list(learners), repeats)
        settings = Settings(seed, backend, address, n_jobs, None, retry_failed)
        comparison = compare_units(
            study.name, units, dealt, learners, kept, settings, progress, cv=FOLDS, repeats=repeats
        )
    return GdtReproduction(study, comparison, absent, quick)


def _units(study: str, dealt: dict[str, DealtTable], learners: list[str], repeats: int) -> list[Unit]:
    """Repeat by repeat, so that a run that is stopped has figures for all sets."""
    return [
        Unit(study, data, learner, repeat, fold)
        for repeat in range(repeats)
        for learner in learners
        for data, part in dealt.items()
        if data in ONLY.get(learner, dealt)
        for fold in range(1 if isinstance(part, GivenSplits) else FOLDS)
    ]
