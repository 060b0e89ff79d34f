"""Registry: the learners by the names that the command line uses."""

from __future__ import annotations

from importlib import import_module
from typing import Any

LEARNERS: dict[str, str] = {
    "bagging": "clearwood.learn.bagging:BaggedTreesClassifier",
    "c45": "clearwood.learn.c45:C45Classifier",
    "cart": "clearwood.learn.cart:CARTClassifier",
    "cmm": "clearwood.learn.cmm:CMMClassifier",
    "id3": "clearwood.learn.id3:ID3Classifier",
    "ism": "clearwood.learn.ism:ISMClassifier",
    "linear": "clearwood.evolve.linear.classifier:LinearTreeClassifier",
    "oc1": "clearwood.learn.oc1:OC1Classifier",
    "pareto": "clearwood.evolve.pareto.classifier:ParetoTreeClassifier",
    "setgen": "clearwood.evolve.setgen.classifier:SetGenClassifier",
}


def learner(name: str, **params: Any) -> Any:
    """A learner by name, with parameters.

    >>> learner("c45", confidence=0.1)
    C45Classifier(confidence=0.1)
    """
    from clearwood.learn.checks import check_choice

    check_choice("learner", name, LEARNERS)
    module, _, cls = LEARNERS[name].partition(":")
    return getattr(import_module(module), cls)(**params)
