"""Runner: do the units of a study that are missing, and write each result as it comes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clearwood.progress import Progress
from clearwood.studies.backends import open_backend
from clearwood.studies.claims import Claims, hold_claims
from clearwood.studies.store import Store, StoreError
from clearwood.studies.units import Unit, unit_seed
from clearwood.studies.work import Job, now, run_unit

if TYPE_CHECKING:
    from clearwood.studies.backends import Task, Workers
    from clearwood.studies.dealt import DealtTable

__all__ = ["Settings", "run_study"]

_CRASHES = 2  # a unit that was under way when workers died that often is tried once more, in a process of its own
_WAIT = 0.2  # seconds between two looks at what another run is doing


@dataclass(frozen=True)
class Settings:
    """How a study is run; none of it changes a result, but for ``seed`` and what a time limit ends."""

    seed: int = 0
    backend: str = "threads"
    address: str | None = None
    n_jobs: int | None = None
    time_limit: float | None = None
    retry_failed: bool = False


def run_study(
    units: Sequence[Unit],
    tables: Mapping[str, DealtTable],
    learners: Mapping[str, Any],
    store: Store,
    settings: Settings,
    progress: Progress | None = None,
) -> None:
    """Run the units that the store lacks, until it has a row for each.

    A unit that fails is written with its error, and the rest goes on. Units of a worker that died are run again;
    one that seems to bring death is at last run in a process of its own, and written as failed if it ends that too.
    Units that another process on the same store works on are waited for. What is not finished when this function is
    interrupted is not in the store.
    """
    with hold_claims(store, now() if settings.retry_failed else None) as claims:
        missing = claims.missing(list(units))
        if not missing:
            return
        study = _Study(units, tables, learners, store, settings, claims, progress)
        wanted = [tables[name] for name in dict.fromkeys(unit.data for unit in missing)]
        with open_backend(settings.backend, settings.address, settings.n_jobs, wanted) as workers:
            study.finish(missing, workers)


class _Study:
    """A run of a study: what is under way, and which units were under way when workers died."""

    def __init__(
        self,
        units: Sequence[Unit],
        tables: Mapping[str, DealtTable],
        learners: Mapping[str, Any],
        store: Store,
        settings: Settings,
        claims: Claims,
        progress: Progress | None,
    ) -> None:
        self._units = list(units)
        self._tables = tables
        self._learners = learners
        self._store = store
        self._settings = settings
        self._claims = claims
        self._tell = progress or (lambda done, total: None)
        self._under_way: set[Unit] = set()
        self._crashes: Counter[Unit] = Counter()

    def finish(self, missing: list[Unit], workers: Workers) -> None:
        """Go round until nothing is missing: more than once after a crash, or when another run had some units."""
        while missing:
            self._tell(len(self._units) - len(missing), len(self._units))
            began = self._round(missing, workers)
            missing = self._claims.missing(self._units)
            if missing and not began:
                time.sleep(_WAIT)
        self._tell(len(self._units), len(self._units))

    def _round(self, missing: list[Unit], workers: Workers) -> bool:
        """Run all missing units that can be claimed; False if there were none."""
        done = len(self._units) - len(missing)
        self._under_way.clear()
        began = False
        deadly = [unit for unit in missing if self._crashes[unit] >= _CRASHES]
        for unit in deadly:
            if self._claims.take(unit):
                began = True
                self._store.add(run_unit(*self._task(unit, alone=True)))
                done += 1
                self._tell(done, len(self._units))
        try:
            for result in workers(self._tasks([unit for unit in missing if unit not in deadly])):
                self._store.add(result)
                self._under_way.discard(result.unit)
                began = True
                done += 1
                self._tell(done, len(self._units))
        except StoreError:
            raise
        except Exception:  # a unit's own errors are results: this is a worker that died, or a lost connection
            if not self._under_way:
                raise
            self._crashes.update(self._under_way)
            began = True
        return began

    def _tasks(self, units: list[Unit]) -> Iterator[Task]:
        """Claim and hand out units one by one, as workers become free."""
        for unit in units:
            if self._claims.take(unit):
                self._under_way.add(unit)
                yield self._task(unit)

    def _task(self, unit: Unit, alone: bool = False) -> Task:
        seed = unit_seed(self._settings.seed, unit)
        return Job(unit, self._learners[unit.learner], seed, self._settings.time_limit, alone), self._tables[unit.data]
