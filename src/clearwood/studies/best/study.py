"""One honest answer: whether the interval that ``best`` prints holds the truth, and what its choice gives away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.studies.reproduction import Reproduction
from clearwood.studies.study import Study

if TYPE_CHECKING:
    from clearwood.table import Table

__all__ = ["STUDY", "BestStudy"]

SEED = 0


class BestStudy(Study):
    """The study knows the sets that come with scikit-learn too."""

    def read(self, data: str, folder: Path | None = None) -> Table:
        if data != "digits":
            return super().read(data, folder)
        from sklearn.datasets import load_digits

        from clearwood.table import Column, Table

        bunch = load_digits()
        columns = [Column(str(name)) for name in bunch.feature_names]
        target = Column("digit", tuple(map(str, bunch.target_names)))
        return Table(columns, list(bunch.data.T), target=target, y=bunch.target, name=data)


def _learners() -> dict[str, Any]:
    from clearwood.evolve.linear.classifier import LinearTreeClassifier
    from clearwood.evolve.pareto.classifier import ParetoTreeClassifier
    from clearwood.evolve.setgen.classifier import SetGenClassifier
    from clearwood.learn.c45 import C45Classifier
    from clearwood.learn.cart import CARTClassifier
    from clearwood.learn.distilled.classifier import DistilledTreeClassifier
    from clearwood.learn.forest import ForestClassifier
    from clearwood.studies.best.learner import BestLearner

    return {
        "best": BestLearner(),
        "c45": C45Classifier(),
        "cart": CARTClassifier(random_state=SEED),
        "setgen": SetGenClassifier(evaluations=1000, random_state=SEED),
        "pareto": ParetoTreeClassifier(generations=200, cv=5, random_state=SEED),
        "axis": DistilledTreeClassifier(random_state=SEED),
        "sparse": DistilledTreeClassifier(tests="sparse", random_state=SEED),
        "linear": LinearTreeClassifier(tests="mixed", generations=2000, random_state=SEED),
        "forest": ForestClassifier(n_estimators=500, random_state=SEED),
    }


def _quick_learners() -> dict[str, Any]:
    from clearwood.studies.best.learner import BestLearner

    found = _learners()
    quick = {"best": BestLearner(budget=0.5), "c45": found["c45"], "cart": found["cart"]}
    return quick | {"forest": found["forest"].set_params(n_estimators=50)}


def _run(study: Study, **options: Any) -> Reproduction:
    from clearwood.studies.best.run import run_best

    return run_best(study, **options)


STUDY = BestStudy(
    name="best",
    title="One honest answer: coverage, noise and regret of clearwood best",
    source="A study of our own, on simulated tables and on data sets that the papers use",
    folder=Path(__file__).parent,
    learners=_learners,
    columns={},
    cv=5,
    repeats=1,
    files={"zoo": "zoo-animal"},
    quick=("zoo",),
    quick_learners=_quick_learners,
    run=_run,
)
