"""One tree for an ensemble: C4.5, bagging, ISM in its six forms and CMM, as Van Assche and Blockeel compare them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clearwood.studies.reproduction import Reproduction
from clearwood.studies.study import Study

__all__ = ["STUDY"]

SEED = 0  # of every bagging: on one fold, all learners start from the same 25 trees


def _learners() -> dict[str, Any]:
    from clearwood.learn.bagging import BaggedTreesClassifier
    from clearwood.learn.c45 import C45Classifier
    from clearwood.learn.cmm import CMMClassifier
    from clearwood.learn.ism import ISMClassifier

    def ism(estimate: str, unlabelled: str | None = None) -> ISMClassifier:
        return ISMClassifier(estimate=estimate, unlabelled=unlabelled, random_state=SEED)

    return {
        "c45": C45Classifier(binary_splits=True),  # "Binary decision trees were used in all methods"
        "bagging": BaggedTreesClassifier(oob=False, random_state=SEED),
        "ism_t": ism("trees"),
        "ism_td": ism("mixed"),
        "ism_d": ism("data"),
        "cmm_up": CMMClassifier(prune=False, random_state=SEED),
        "cmm_p": CMMClassifier(random_state=SEED),
        "ism_tu": ism("trees", "tests"),
        "ism_tdu": ism("mixed", "tests"),
        "ism_du": ism("data", "tests"),
    }


def _report(*parts: Any) -> Reproduction:
    from clearwood.studies.ism.report import ISMReproduction

    return ISMReproduction(*parts)


STUDY = Study(
    name="ism",
    title="One tree for an ensemble, on 34 data sets",
    source=(
        "A. Van Assche and H. Blockeel, Seeing the forest through the trees: learning a comprehensible model from an "
        "ensemble (2007), Tables 1 to 4"
    ),
    folder=Path(__file__).parent,
    learners=_learners,
    columns={
        "c45": "j48",
        "bagging": "bagging",
        "ism_t": "ism_t",
        "ism_td": "ism_td",
        "cmm_up": "cmm_unpruned",
        "cmm_p": "cmm_pruned",
        "ism_tu": "ism_tu",
        "ism_tdu": "ism_tdu",
    },
    cv=10,
    repeats=5,
    files={"zoo": "zoo-animal"},
    averages={
        "c45": {"stability": 73.74},
        "bagging": {"stability": 80.73},
        "ism_t": {"stability": 74.89},
        "ism_td": {"stability": 74.51},
        "cmm_up": {"stability": 76.08},
        "cmm_p": {"stability": 76.63},
        "ism_tu": {"stability": 75.64},
        "ism_tdu": {"stability": 75.26},
    },  # Table 4
    quick=("breast-cancer", "glass", "heart-c", "iris", "lymph", "tae", "vehicle", "zoo"),
    report=_report,
)
