"""Backends: where the units of a study run."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clearwood.studies.work import run_unit
from clearwood.threads import within_cores

if TYPE_CHECKING:
    from clearwood.studies.dealt import DealtTable
    from clearwood.studies.units import Result
    from clearwood.studies.work import Job

    Task = tuple[Job, DealtTable]
    Workers = Callable[[Iterable[Task]], Iterator[Result]]

__all__ = ["BACKENDS", "check_backend", "open_backend"]

BACKENDS = ("sequential", "threads", "processes", "dask", "ray")
_ELSEWHERE = ("dask", "ray")


def check_backend(backend: str, address: str | None, n_jobs: int | None) -> None:
    """Refuse a backend that is not known or not installed, and an address where none is used."""
    from importlib.util import find_spec

    from clearwood.learn.checks import check_choice

    check_choice("backend", backend, BACKENDS)
    if n_jobs is not None and (not isinstance(n_jobs, int) or n_jobs == 0):
        raise ValueError(f"n_jobs must be a number of workers, -1 for one on each core, or None, got {n_jobs!r}.")
    if address is not None and backend not in _ELSEWHERE:
        raise ValueError(f"address is for the backends dask and ray; backend={backend!r} works on this machine.")
    module = {"dask": "distributed", "ray": "ray"}.get(backend)
    if module is not None and find_spec(module) is None:
        raise ImportError(f"backend {backend!r} is not installed; run: pip install 'clearwood[{backend}]'")


@contextmanager
def open_backend(
    backend: str, address: str | None, n_jobs: int | None, tables: Sequence[DealtTable]
) -> Iterator[Workers]:
    """A function that runs tasks and yields their results as they come, in any order.

    The results of a task do not depend on the backend. When a worker dies, the function raises an error; what it
    has yielded until then is sound, and a new call goes on with new workers. Dask's and Ray's clusters are started
    here and ended with the context, unless an address says which one to use.
    """
    from clearwood.studies.isolation import children_end

    n_jobs = _count(n_jobs)
    with children_end():
        if backend == "dask":
            from clearwood.studies.dask_backend import dask_client, dask_workers

            with dask_client(address, n_jobs) as client:
                yield lambda tasks: _run(dask_workers(client, tables), -1, tasks)
        elif backend == "ray":
            from clearwood.studies.ray_backend import ray_cluster, ray_workers

            with ray_cluster(address, n_jobs) as n_workers:
                yield lambda tasks: _run(ray_workers(), n_workers, tasks)
        else:
            name = {"sequential": "sequential", "threads": "threading", "processes": "loky"}[backend]
            yield lambda tasks: _run(name, 1 if backend == "sequential" else n_jobs, tasks)


def _count(n_jobs: int | None) -> int:
    """The number of workers: one on each core for None and -1, all but one for -2, as joblib counts."""
    from joblib import cpu_count

    if n_jobs is not None and n_jobs > 0:
        return n_jobs
    return max(1, int(cpu_count()) + 1 + (-1 if n_jobs is None else n_jobs))


def _run(backend: Any, n_jobs: int, tasks: Iterable[Task]) -> Iterator[Result]:
    from joblib import Parallel, delayed, parallel_config

    from clearwood.studies.isolation import follow

    if n_jobs == 1 and backend not in ("sequential", "threading"):
        # joblib would do the work of a single worker in this process, and this process shall not die of it
        tasks = ((replace(job, alone=True), table) for job, table in tasks)
    processes = backend == "loky" and n_jobs > 1
    # a worker of joblib's that never gets a unit would outlive a killed parent by minutes
    ending = {"initializer": follow, "initargs": (os.getpid(),)} if processes else {}
    with parallel_config(backend=backend, n_jobs=n_jobs, **ending):
        # one unit at a time, so that each is written when it is finished, and so that a crash touches few
        parallel = Parallel(return_as="generator_unordered", batch_size=1)
    unit = delayed(within_cores(run_unit, n_jobs))
    results = parallel(unit(*task) for task in tasks)
    try:
        for result in results:  # noqa: UP028 (the other form would close them before the filter is set)
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib advises a program that stops early to be less eager
            results.close()
