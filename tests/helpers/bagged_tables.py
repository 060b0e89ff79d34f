"""Random small tables, each with a bagging of trees."""

import warnings

import numpy as np
from small_tables import random_small_table

from clearwood import BaggedTreesClassifier, C45Classifier, CARTClassifier, ID3Classifier

BASES = {
    "two-way": C45Classifier(binary_splits=True, min_leaf=1, prune=False, min_gap=0),
    "pruned": C45Classifier(binary_splits=True, min_gap=0),
    "many-way": C45Classifier(min_leaf=1, prune=False, collapse=False, min_gap=0),
    "sets": CARTClassifier(pruning=None),
    "id3": ID3Classifier(max_depth=3),
}
KINDS = ("few values", "many values", "two", "several", "large and small")


def cases(seed: int, n: int, base: str, n_trees: int = 4, **limits):
    """Random small tables with a bagging of each."""
    for child in np.random.default_rng(seed).spawn(n):
        table = random_small_table(child, **{"max_rows": 30, "missing_class": False, "kinds": KINDS, **limits})
        if table.weights.sum() > 0:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                bag = BaggedTreesClassifier(BASES[base], n_estimators=n_trees, oob=False, random_state=1).fit(table)
            yield bag.ensemble_, table
