"""Compare: judge learners on the same folds of the same tables."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clearwood.studies.comparison import Comparison
    from clearwood.studies.dealt import DealtTable
    from clearwood.studies.runner import Settings
    from clearwood.studies.store import Store
    from clearwood.studies.units import Unit

__all__ = ["compare", "compare_units"]


def compare(
    learners: Any,
    tables: Any,
    cv: int = 10,
    repeats: int = 5,
    *,
    store: str | PathLike[str] | Store | None = None,
    seed: int = 0,
    backend: str = "threads",
    address: str | None = None,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    retry_failed: bool = False,
    study: str = "compare",
    progress: Callable[[int, int], None] | bool | None = None,
) -> Comparison:
    """Compare learners by repeated stratified cross-validation, all on the same folds.

    Parameters
    ----------
    learners : one, a sequence, or a mapping of names
        Each an estimator, a name such as ``"c45"`` or ``"c45:confidence=0.1,min_leaf=5"``, or ``"module:Class"`` for
        any classifier that follows scikit-learn. Classifiers of other libraries get arrays: nominal columns as 0 and
        1 for each value, missing numbers as NaN where the classifier says that it takes them, else as the median; all
        of it learned from the training rows only. A ``random_state`` of None becomes a seed of the unit's own.
    tables : one, a sequence, or a mapping of names
        Each a Table, a path, or the name of a data set.
    cv, repeats : int
        The number of folds, and how often the cross-validation is done, each time with other folds.
    store : str, path, Store or None
        The file that keeps each result as it is finished, and the folds. The same call goes on where it was stopped,
        and does nothing twice; several processes may share the work. None keeps the results in memory.
    seed : int
        Where folds and seeds come from. Results depend on nothing else: not on the order or the number of workers.
    backend : {"threads", "processes", "sequential", "dask", "ray"}
        Where the units run. Dask and Ray start a cluster on this machine unless ``address`` names one. With Dask a
        script needs ``if __name__ == "__main__":`` around the call, as always when processes are started from it.
    address : str or None
        The scheduler of a Dask cluster, or the head of a Ray cluster.
    n_jobs : int or None
        How many units run at a time; None or -1 for one on each core. A cluster at an address uses all its workers.
    time_limit : float or None
        Seconds that a unit may take. Units then run in processes of their own, which are ended when time is over.
    retry_failed : bool
        Run units again that the store has as failed or out of time.
    study : str
        The name of the study in the store.
    progress : callable, bool or None
        Called as ``progress(done, total)`` after each unit is stored. None shows a bar if standard error is a
        terminal, True always, False never.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import clearwood as cw
    >>> from sklearn.datasets import load_iris
    >>> table = cw.read(load_iris(as_frame=True).frame, target="target")
    >>> found = cw.compare(["c45", "sklearn.tree:DecisionTreeClassifier"], {"iris": table}, cv=5, repeats=1)
    >>> found.to_frame()["status"].value_counts().to_dict()
    {'done': 10}
    """
    from clearwood.studies.backends import check_backend
    from clearwood.studies.dealt import deal
    from clearwood.studies.named import learners_by_name, tables_by_name
    from clearwood.studies.runner import Settings
    from clearwood.studies.store import Store
    from clearwood.studies.units import plan_units
    from clearwood.studies.work import parameters

    _check(cv, repeats, seed, time_limit, retry_failed, study)
    check_backend(backend, address, n_jobs)
    settings = Settings(seed, backend, address, n_jobs, time_limit, retry_failed)
    named_learners = learners_by_name(learners)
    with nullcontext(store) if isinstance(store, Store) else Store(store) as kept:  # before long reading
        named_tables = tables_by_name(tables)
        for name, learner in named_learners.items():
            kept.keep_learner(study, name, parameters(learner))
        dealt = {name: deal(study, name, table, cv, repeats, seed, kept) for name, table in named_tables.items()}
        units = plan_units(study, dealt, list(named_learners), cv, repeats)
        found = compare_units(study, units, dealt, named_learners, kept, settings, progress, cv=cv, repeats=repeats)
    found.command = _command(learners, tables, cv, repeats, store, study, settings)
    return found


def compare_units(
    study: str,
    units: Sequence[Unit],
    dealt: Mapping[str, DealtTable],
    learners: Mapping[str, Any],
    store: Store,
    settings: Settings,
    progress: Callable[[int, int], None] | bool | None,
    *,
    cv: int,
    repeats: int,
) -> Comparison:
    """Run the units of one study that the store lacks, and compare all of them."""
    from clearwood.progress import show_progress
    from clearwood.studies.comparison import Comparison
    from clearwood.studies.runner import run_study
    from clearwood.studies.units import TableFacts

    with show_progress(study, progress) as tell:
        run_study(units, dealt, learners, store, settings, tell)
    by_unit = {result.unit: result for result in store.results(study)}
    facts = {name: TableFacts.of(part.table, name) for name, part in dealt.items()}
    return Comparison([by_unit[unit] for unit in units], tables=facts, learners=list(learners), cv=cv, repeats=repeats)


def _check(cv: int, repeats: int, seed: int, time_limit: float | None, retry_failed: bool, study: str) -> None:
    from clearwood.learn.checks import check_flag, check_number

    check_number("cv", cv, 2, whole=True)
    check_number("repeats", repeats, 1, whole=True)
    check_number("seed", seed, 0, whole=True)
    check_flag("retry_failed", retry_failed)
    if time_limit is not None:
        check_number("time_limit", time_limit)
        if not 0 < time_limit < float("inf"):
            raise ValueError(f"time_limit must be a number of seconds above 0, or None, got {time_limit!r}.")
    if not isinstance(study, str) or not study:
        raise ValueError(f"study must be a name, got {study!r}.")


def _command(learners: Any, tables: Any, cv: int, repeats: int, store: Any, study: str, settings: Any) -> str:
    """What runs the study again: a line for the shell if texts say all of it, else the call in Python."""
    names = [learners] if isinstance(learners, str) else learners
    sources = [tables] if isinstance(tables, str | PathLike) else tables
    texts = isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)
    texts = texts and isinstance(sources, list | tuple) and all(isinstance(s, str | PathLike) for s in sources)
    path = getattr(store, "path", store)
    options = {"cv": cv, "repeats": repeats, "seed": settings.seed, "study": study}
    options |= {"store": path, "backend": settings.backend, "address": settings.address}
    options |= {"n_jobs": settings.n_jobs, "time_limit": settings.time_limit}
    defaults = {"cv": 10, "repeats": 5, "seed": 0, "study": "compare", "backend": "threads"}
    given = {key: value for key, value in options.items() if value != defaults.get(key)}
    if texts:
        words = ["clearwood", "compare", *names]
        words += [word for source in sources for word in ("--data", str(source))]
        words += [word for key, value in given.items() for word in (_flag(key), str(value))]
        return shlex.join(words)
    arguments = "".join(f", {key}={(str(value) if key == 'store' else value)!r}" for key, value in given.items())
    return f"clearwood.compare({_names(learners)}, {_names(tables)}{arguments})"


def _flag(key: str) -> str:
    return "--jobs" if key == "n_jobs" else f"--{key.replace('_', '-')}"


def _names(given: Any) -> str:
    if isinstance(given, str | PathLike) or hasattr(given, "fit") or hasattr(given, "columns"):
        given = [given]
    if isinstance(given, dict):
        return "{" + ", ".join(f"{name!r}: …" for name in given) + "}"
    return f"[{', '.join(' '.join(repr(item).split()) for item in given)}]"
