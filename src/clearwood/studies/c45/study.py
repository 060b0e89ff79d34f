"""J48's accuracy on 34 data sets, as Van Assche and Blockeel report it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clearwood.studies.study import Study

__all__ = ["STUDY"]


def _learners() -> dict[str, Any]:
    from clearwood.learn.c45 import C45Classifier

    return {"c45": C45Classifier(binary_splits=True)}  # "Binary decision trees were used in all methods"


STUDY = Study(
    name="c45",
    title="C4.5 on 34 data sets",
    source=(
        "A. Van Assche and H. Blockeel, Seeing the forest through the trees: learning a comprehensible model from an "
        "ensemble (2007), Table 2, column J48"
    ),
    folder=Path(__file__).parent,
    learners=_learners,
    columns={"c45": "j48"},
    cv=10,
    repeats=5,
    files={"zoo": "zoo-animal"},
    averages={"c45": {"stability": 73.74}},  # Table 4
    quick=("breast-cancer", "glass", "heart-c", "iris", "lymph", "tae", "vehicle", "zoo"),
)
