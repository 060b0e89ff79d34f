"""SET-GEN against C4.5, as Cherkauer and Shavlik compare them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clearwood.studies.reproduction import Reproduction
from clearwood.studies.study import Study

__all__ = ["STUDY"]


def _learners() -> dict[str, Any]:
    from clearwood.evolve.setgen.classifier import SetGenClassifier
    from clearwood.learn.c45 import C45Classifier

    return {"c45": C45Classifier(confidence="cv", error_estimate="c4.5"), "setgen": SetGenClassifier(n_jobs=1)}


def _quick_learners() -> dict[str, Any]:
    learners = _learners()
    learners["setgen"].set_params(evaluations=300, population_size=50)
    return learners


def _report(*parts: Any) -> Reproduction:
    from clearwood.studies.setgen.report import SetGenReproduction

    return SetGenReproduction(*parts)


STUDY = Study(
    name="setgen",
    title="SET-GEN and C4.5",
    source=(
        "K. J. Cherkauer and J. W. Shavlik, Growing simpler decision trees to facilitate knowledge discovery (1996), "
        "Figures 2 to 4"
    ),
    folder=Path(__file__).parent,
    learners=_learners,
    columns={},
    cv=10,
    repeats=1,
    quick=("heart-c", "hepatitis", "lung-cancer"),
    quick_learners=_quick_learners,
    report=_report,
)
