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
    from clearwood.studies.setgen.unpruned import UnprunedSetGen

    # thresholds are charged for since release 8, of 1996
    of_1993: dict[str, Any] = {"error_estimate": "c4.5", "mdl_correction": False}
    return {
        "c45_1993": C45Classifier(confidence="cv", **of_1993),
        "setgen_1993": SetGenClassifier(base_learner=C45Classifier(**of_1993), n_jobs=1),
        "c45_unpruned": C45Classifier(prune=False, **of_1993),
        "setgen_unpruned": UnprunedSetGen(base_learner=C45Classifier(**of_1993), n_jobs=1),
        "c45": C45Classifier(confidence="cv", error_estimate="c4.5"),
        "setgen": SetGenClassifier(n_jobs=1),
    }


def _quick_learners() -> dict[str, Any]:
    learners = _learners()
    for name, learner in learners.items():
        if name.startswith("setgen"):
            learner.set_params(evaluations=300, population_size=50)
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
    repeats=5,
    quick=("heart-c", "hepatitis", "lung-cancer"),
    quick_learners=_quick_learners,
    report=_report,
)
