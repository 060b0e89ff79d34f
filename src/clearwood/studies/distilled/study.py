"""Small and accurate: distilled trees in three forms beside single trees, trees for ensembles, and ensembles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clearwood.studies.reproduction import Reproduction
from clearwood.studies.study import Study

__all__ = ["STUDY"]

SEED = 0  # on one fold all that start from a bagging start from the same trees
LARGE = ("kropt", "letter", "mfeat-pixel", "nursery", "optdigits", "page-blocks")


def _learners(generations: int = 300) -> dict[str, Any]:
    from clearwood.evolve.pareto.classifier import ParetoTreeClassifier
    from clearwood.learn.bagging import BaggedTreesClassifier
    from clearwood.learn.c45 import C45Classifier
    from clearwood.learn.cart import CARTClassifier
    from clearwood.learn.cmm import CMMClassifier
    from clearwood.learn.distilled.classifier import DistilledTreeClassifier
    from clearwood.learn.forest import ForestClassifier
    from clearwood.learn.ism import ISMClassifier

    return {
        "c45": C45Classifier(binary_splits=True),
        "cart": CARTClassifier(),
        "pareto": ParetoTreeClassifier(generations=generations, population_size=200, cv=5),
        "ism_td": ISMClassifier(estimate="mixed", random_state=SEED),
        "cmm": CMMClassifier(random_state=SEED),
        "bagging": BaggedTreesClassifier(oob=False, random_state=SEED),
        "forest": ForestClassifier(n_estimators=500, random_state=SEED),
        "axis": DistilledTreeClassifier(random_state=SEED),
        "sparse": DistilledTreeClassifier(tests="sparse", random_state=SEED),
        "linear": DistilledTreeClassifier(tests="linear", random_state=SEED),
    }


def _quick_learners() -> dict[str, Any]:
    return _learners(generations=100)


def _report(*parts: Any) -> Reproduction:
    from clearwood.studies.distilled.report import DistilledReproduction

    return DistilledReproduction(*parts)


STUDY = Study(
    name="distilled",
    title="The small tree that is also the accurate one, on 34 data sets",
    source=(
        "A study of our own, on the data sets of A. Van Assche and H. Blockeel, Seeing the forest through the trees: "
        "learning a comprehensible model from an ensemble (2007)"
    ),
    folder=Path(__file__).parent,
    learners=_learners,
    columns={},
    cv=10,
    repeats=5,
    fewer=dict.fromkeys(LARGE, 1),
    files={"zoo": "zoo-animal"},
    quick=("breast-cancer", "glass", "heart-c", "iris", "lymph", "tae", "vehicle", "zoo"),
    quick_learners=_quick_learners,
    report=_report,
)
