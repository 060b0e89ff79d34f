"""Linear trees evolved as a whole, against OC1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clearwood.studies.reproduction import Reproduction
from clearwood.studies.study import Study

__all__ = ["STUDY"]


def _learners() -> dict[str, Any]:
    from clearwood.evolve.linear.classifier import LinearTreeClassifier
    from clearwood.learn.oc1 import OC1Classifier

    return {
        "linear": LinearTreeClassifier(first_trees="dipolar", n_jobs=1),
        "oc1": OC1Classifier(),
        "relaxed": LinearTreeClassifier(first_trees="dipolar", generations=20_000, patience=2000, n_jobs=1),
    }


def _run(study: Study, **options: Any) -> Reproduction:
    from clearwood.studies.gdt.run import run_gdt

    return run_gdt(study, **options)


STUDY = Study(
    name="gdt",
    title="Linear trees grown as a whole, and OC1",
    source=(
        "M. Krętowski and M. Grześ, Evolutionary learning of linear trees with embedded feature selection (2006), "
        "Tables 1 to 3, Figures 1 to 3"
    ),
    folder=Path(__file__).parent,
    learners=_learners,
    columns={"linear": "gdt", "oc1": "oc1"},
    cv=10,
    repeats=10,
    files={"bupa": "liver-disorders"},
    quick=("chess2", "zebra1", "LS2", "LS2 100 % noise", "LS5", "iris", "bupa"),
    run=_run,
)
