"""Clearwood: decision trees that people can read.

>>> import clearwood as cw
>>> sorted(name for name in dir(cw) if name.endswith("Classifier"))
['BaggedTreesClassifier', 'C45Classifier', 'CARTClassifier', 'CMMClassifier', 'DistilledTreeClassifier',
 'ForestClassifier', 'ID3Classifier', 'ISMClassifier', 'LinearTreeClassifier', 'OC1Classifier',
 'ParetoTreeClassifier', 'SetGenClassifier']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clearwood.best import best
    from clearwood.conditions import Condition
    from clearwood.constraints import Constraints
    from clearwood.evaluate import evaluate
    from clearwood.evaluate.evaluation import Evaluation
    from clearwood.evaluate.fronts import Front, FrontEntry, join_fronts
    from clearwood.evolve.linear.classifier import LinearTreeClassifier
    from clearwood.evolve.pareto.classifier import ParetoTreeClassifier
    from clearwood.evolve.setgen.classifier import SetGenClassifier
    from clearwood.evolve.setgen.selector import SetGenSelector
    from clearwood.explain.rules import Rule
    from clearwood.learn.bagging import BaggedTreesClassifier
    from clearwood.learn.c45 import C45Classifier
    from clearwood.learn.cart import CARTClassifier
    from clearwood.learn.cmm import CMMClassifier
    from clearwood.learn.distilled.classifier import DistilledTreeClassifier
    from clearwood.learn.ensemble import Ensemble
    from clearwood.learn.forest import ForestClassifier
    from clearwood.learn.id3 import ID3Classifier
    from clearwood.learn.ism import ISMClassifier
    from clearwood.learn.oc1 import OC1Classifier
    from clearwood.learn.variable_node import variable_node_c45
    from clearwood.read import artificial, datasets, read
    from clearwood.scan import Scan, scan
    from clearwood.studies.compare import compare
    from clearwood.table import Column, Table
    from clearwood.tree import Tree
    from clearwood.tree_builder import TreeBuilder
    from clearwood.view.page.document import Reference, Stability
    from clearwood.view.page.explore import explore
    from clearwood.view.page.page import Page

__version__ = "0.1.0"

__all__ = [
    "BaggedTreesClassifier",
    "C45Classifier",
    "CARTClassifier",
    "CMMClassifier",
    "Column",
    "Condition",
    "Constraints",
    "DistilledTreeClassifier",
    "Ensemble",
    "Evaluation",
    "ForestClassifier",
    "Front",
    "FrontEntry",
    "ID3Classifier",
    "ISMClassifier",
    "LinearTreeClassifier",
    "OC1Classifier",
    "Page",
    "ParetoTreeClassifier",
    "Reference",
    "Rule",
    "Scan",
    "SetGenClassifier",
    "SetGenSelector",
    "Stability",
    "Table",
    "Tree",
    "TreeBuilder",
    "artificial",
    "best",
    "compare",
    "datasets",
    "evaluate",
    "explore",
    "join_fronts",
    "read",
    "scan",
    "variable_node_c45",
]

# Loaded on first use: scikit-learn's base class alone costs 0.8 s, and a reader of trees does not need it.
_HOMES = {
    "BaggedTreesClassifier": "clearwood.learn.bagging",
    "C45Classifier": "clearwood.learn.c45",
    "CARTClassifier": "clearwood.learn.cart",
    "CMMClassifier": "clearwood.learn.cmm",
    "Column": "clearwood.table",
    "Condition": "clearwood.conditions",
    "Constraints": "clearwood.constraints",
    "DistilledTreeClassifier": "clearwood.learn.distilled.classifier",
    "Ensemble": "clearwood.learn.ensemble",
    "Evaluation": "clearwood.evaluate.evaluation",
    "ForestClassifier": "clearwood.learn.forest",
    "Front": "clearwood.evaluate.fronts",
    "FrontEntry": "clearwood.evaluate.fronts",
    "ID3Classifier": "clearwood.learn.id3",
    "ISMClassifier": "clearwood.learn.ism",
    "LinearTreeClassifier": "clearwood.evolve.linear.classifier",
    "OC1Classifier": "clearwood.learn.oc1",
    "Page": "clearwood.view.page.page",
    "ParetoTreeClassifier": "clearwood.evolve.pareto.classifier",
    "Reference": "clearwood.view.page.document",
    "Rule": "clearwood.explain.rules",
    "Scan": "clearwood.scan.scan",
    "SetGenClassifier": "clearwood.evolve.setgen.classifier",
    "SetGenSelector": "clearwood.evolve.setgen.selector",
    "Stability": "clearwood.view.page.document",
    "Table": "clearwood.table",
    "Tree": "clearwood.tree",
    "TreeBuilder": "clearwood.tree_builder",
    "compare": "clearwood.studies.compare",
    "explore": "clearwood.view.page.explore",
    "join_fronts": "clearwood.evaluate.fronts",
    "variable_node_c45": "clearwood.learn.variable_node",
}
_MODULES = {
    "artificial": "clearwood.read.artificial",
    "best": "clearwood.best",  # a package that can be called: cw.best(table)
    "datasets": "clearwood.read.datasets",
    "evaluate": "clearwood.evaluate",  # likewise: cw.evaluate(learner, table)
    "read": "clearwood.read",  # a package that can be called: cw.read("soybean.arff")
    "scan": "clearwood.scan",  # and cw.scan("trips.parquet")
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        found = getattr(import_module(_HOMES[name]), name)
    elif name in _MODULES:
        found = import_module(_MODULES[name])
    else:
        raise AttributeError(f"module 'clearwood' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, "__version__"})
