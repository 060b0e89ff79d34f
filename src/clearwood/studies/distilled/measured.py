"""Measured: what our own run of the study has given, kept so that its tables and picture can be made again."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from clearwood.studies.units import Result, TableFacts, Unit

if TYPE_CHECKING:
    from clearwood.studies.distilled.report import DistilledReproduction

__all__ = ["MEASURED", "read_measured"]

MEASURED = Path(__file__).with_name("measured.csv")


def read_measured(path: Path = MEASURED) -> DistilledReproduction:
    """The study as :meth:`DistilledReproduction.write_csv` has written it.

    A score that is a mean over the folds of a cross-validation stands at each of them.

    >>> found = read_measured()
    >>> len(found.comparison.data), found.comparison.learners[0]
    (28, 'c45')
    """
    from clearwood.studies.comparison import Comparison
    from clearwood.studies.distilled.report import FACTS, SCORES, DistilledReproduction
    from clearwood.studies.distilled.study import STUDY

    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    results = []
    for row in rows:
        means = {score: float(row[score]) for score in SCORES if score != "accuracy"}
        for fold, accuracy in enumerate(row["accuracy"].split()):
            unit = Unit(STUDY.name, row["data"], row["learner"], int(row["repeat"]), fold)
            results.append(Result(unit, "done", means | {"accuracy": float(accuracy)}))
    comparison = Comparison(
        results,
        tables={row["data"]: TableFacts(row["data"], *(int(row[fact]) for fact in FACTS[1:])) for row in rows},
        learners=list(dict.fromkeys(row["learner"] for row in rows)),
        cv=1 + max(result.unit.fold for result in results),
        repeats=1 + max(result.unit.repeat for result in results),
    )
    return DistilledReproduction(STUDY, comparison, {})
