"""Work: run one unit, whatever happens in it."""

from __future__ import annotations

import json
import platform
import re
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from importlib import metadata
from time import perf_counter
from typing import Any

from clearwood.studies.dealt import DealtTable
from clearwood.studies.units import Result, Unit

__all__ = ["Job", "failure", "now", "parameters", "run_unit"]


@dataclass(frozen=True, eq=False)
class Job:
    """All that a worker needs to run a unit, but for the table.

    ``limit`` is the time in seconds that the unit may take. A unit with one, or with ``alone``, runs in a process
    of its own that can be ended without harm to anything else.
    """

    unit: Unit
    learner: Any
    seed: int
    limit: float | None = None
    alone: bool = False


def run_unit(job: Job, dealt: DealtTable) -> Result:
    """Fit and test a unit's learner. An error is a result too; only an interruption gets out."""
    if job.limit is not None or job.alone:
        from clearwood.studies.isolation import run_isolated

        return run_isolated(job, dealt)
    return run_here(job, dealt)


def run_here(job: Job, dealt: DealtTable) -> Result:
    """Run a unit in this process and thread, without a time limit."""
    start = perf_counter()
    try:
        scores, probe = _scores(job, dealt)
    except Exception as error:
        return failure(job, "failed", _in_words(error), perf_counter() - start)
    return Result(
        unit=job.unit,
        status="done",
        scores=scores,
        params=parameters(job.learner),
        seed=job.seed,
        versions=_versions(type(job.learner).__module__.partition(".")[0]),
        seconds=perf_counter() - start,
        finished=now(),
        probe=probe,
    )


def _scores(job: Job, dealt: DealtTable) -> tuple[dict[str, float], Any]:
    from clearwood.evaluate.fold import run_fold, seeded
    from clearwood.evaluate.scores import score

    train, tests = dealt.split(job.unit.repeat, job.unit.fold)
    model, predicted, sizes, seconds = run_fold(seeded(job.learner, job.seed), train, tests)
    scores = score(tests.classes, tests.y, model.probabilities(tests), predicted, tests.weights)
    more = {**model.errors_by_size(tests), **dealt.more_scores(model.fitted)}
    found = {**scores, **sizes, "fidelity": model.fidelity(tests), "fit_seconds": seconds, **more}
    return found, model.codes(dealt.examples)


def failure(job: Job, status: str, error: str, seconds: float) -> Result:
    """The result of a unit that did not come to its end."""
    return Result(
        unit=job.unit,
        status=status,
        params=parameters(job.learner),
        seed=job.seed,
        versions=_versions(type(job.learner).__module__.partition(".")[0]),
        seconds=seconds,
        error=error,
        finished=now(),
    )


def _in_words(error: Exception) -> str:
    first = f"{type(error).__name__}: {error}".strip().rstrip(":")
    return f"{first}\n\n{''.join(traceback.format_exception(error))}".rstrip()


def now() -> str:
    """The time in UTC; texts of two moments compare as the moments do."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def parameters(learner: Any) -> dict[str, Any]:
    """A learner's class and parameters as JSON can hold them, the same in every process.

    >>> from clearwood import ID3Classifier
    >>> parameters(ID3Classifier())["class"]
    'clearwood.learn.id3.ID3Classifier'
    """
    cls = type(learner)
    found = {"class": f"{cls.__module__}.{cls.__qualname__}"}
    for name, value in learner.get_params(deep=False).items():
        try:
            found[name] = json.loads(json.dumps(value))
        except (TypeError, ValueError):
            found[name] = re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(repr(value).split()))
    return found


@lru_cache
def _versions(package: str) -> dict[str, str]:
    from clearwood import __version__

    found = {"python": platform.python_version(), "clearwood": __version__}
    for name in ("numpy", "scikit-learn", package.replace("sklearn", "scikit-learn")):
        try:
            found.setdefault(name, metadata.version(name))
        except (metadata.PackageNotFoundError, ValueError):  # a learner that lives in a script or a notebook
            continue
    return found
