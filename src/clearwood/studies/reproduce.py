"""Reproduce: run a paper's experiment again, by name."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.learn.checks import check_choice

if TYPE_CHECKING:
    from clearwood.studies.reproduction import Reproduction
    from clearwood.studies.study import Study
    from clearwood.studies.tree_pages import TreePage
    from clearwood.table import Table

__all__ = ["STUDIES", "find_study", "reproduce", "run_again", "write_trees"]

STUDIES: dict[str, str] = {
    "best": "clearwood.studies.best.study",
    "c45": "clearwood.studies.c45.study",
    "distilled": "clearwood.studies.distilled.study",
    "emo": "clearwood.studies.emo.study",
    "gdt": "clearwood.studies.gdt.study",
    "ism": "clearwood.studies.ism.study",
    "setgen": "clearwood.studies.setgen.study",
}


def find_study(name: str) -> Study:
    """A study by name; an unknown one raises ValueError with the nearest.

    >>> find_study("c45").repeats
    5
    """
    check_choice("study", name, STUDIES)
    found: Study = import_module(STUDIES[name]).STUDY
    return found


def reproduce(
    name: str,
    *,
    quick: bool = False,
    data: str | PathLike[str] | None = None,
    store: str | PathLike[str] | None = None,
    seed: int = 0,
    backend: str = "threads",
    address: str | None = None,
    n_jobs: int | None = None,
    retry_failed: bool = False,
    progress: Callable[[int, int], None] | bool | None = None,
) -> Reproduction:
    """Run a paper's experiment again and put our figures beside the published ones.

    Parameters
    ----------
    name : str
        The study: one of ``STUDIES``.
    quick : bool
        Take the study's small selection of data sets and one repeat: seconds, to see that all is well.
    data : path or None
        The folder that holds the data sets; None looks where named data sets are looked for.
    store, seed, backend, address, n_jobs, retry_failed, progress
        As for :func:`clearwood.compare`. A quick run and a full one may share a store.

    Returns
    -------
    Reproduction
    """
    return run_again(
        find_study(name),
        quick=quick,
        folder=None if data is None else Path(data),
        store=store,
        seed=seed,
        backend=backend,
        address=address,
        n_jobs=n_jobs,
        retry_failed=retry_failed,
        progress=progress,
    )


def run_again(study: Study, *, quick: bool = False, folder: Path | None = None, **options: Any) -> Reproduction:
    """Run a study; ``options`` go to :func:`clearwood.compare`."""
    from clearwood.studies.compare import compare
    from clearwood.studies.comparison import joined
    from clearwood.studies.reproduction import Reproduction

    if study.run is not None:
        return study.run(study, quick=quick, folder=folder, **options)
    tables, absent = _tables(study, quick, folder)
    with warnings.catch_warnings():
        # papers' data sets have classes rarer than the folds, and some have identifiers; the notes say so
        warnings.filterwarnings("ignore", message=r".*fewer rows than the \d+ folds|.*identifier")
        learners = (quick and study.quick_learners) or study.learners
        name = f"{study.name} quick" if quick and study.quick_learners else study.name
        parts = [
            compare(learners(), part, study.cv, repeats, study=name, **options)
            for repeats, part in _by_repeats(study, tables, quick).items()
        ]
    comparison = parts[0] if len(parts) == 1 else joined(parts, list(tables))
    return (study.report or Reproduction)(study, comparison, absent, quick)


def write_trees(found: Reproduction, out: Path, folder: Path | None = None, seed: int = 0) -> dict[str, TreePage]:
    """Write a page with the learners' trees for each data set of a study that is to be had here."""
    from clearwood.read import datasets
    from clearwood.studies.study import Study
    from clearwood.studies.tree_pages import write_tree_pages

    study = found.study
    tables = {}
    for data in found.comparison.data:
        plain = type(study).read is Study.read
        if folder is None and plain and datasets.find(study.files.get(data, data)) is None:
            continue  # made for the run, and gone with it
        try:
            tables[data] = study.read(data, folder)
        except FileNotFoundError:
            continue
    learners = (found.quick and study.quick_learners) or study.learners
    return write_tree_pages(found.comparison, learners(), tables, out, seed)


def _by_repeats(study: Study, tables: dict[str, Table], quick: bool) -> dict[int, dict[str, Table]]:
    """The tables by how often their cross-validation is repeated, the most often first."""
    found: dict[int, dict[str, Table]] = {}
    for data in sorted(tables, key=lambda data: -study.repeats_of(data, quick)):  # stable: the paper's order within
        found.setdefault(study.repeats_of(data, quick), {})[data] = tables[data]
    return found


def _tables(study: Study, quick: bool, folder: Path | None) -> tuple[dict[str, Table], dict[str, str]]:
    """The tables by the paper's names, and those that are not to be had with the reason; none at all is an error."""
    if folder is not None and not folder.is_dir():
        raise FileNotFoundError(f"no folder {folder}.")
    tables: dict[str, Table] = {}
    absent: dict[str, str] = {}
    for data in study.published():
        if quick and data not in study.quick:
            continue
        try:
            tables[data] = study.read(data, folder)
        except FileNotFoundError as error:
            absent[data] = str(error)
    if not tables:
        first = next(iter(absent))
        raise FileNotFoundError(
            f"none of the {len(absent)} data sets of study {study.name!r} is to be had; set CLEARWOOD_DATA to a folder "
            f"with {study.files.get(first, first)}.arff and the others, or name it with data=."
        )
    return tables, absent
