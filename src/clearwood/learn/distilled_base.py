"""DistilledClassifier: what learners share that turn an ensemble into one tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.learn.bagging import grow_bag
from clearwood.learn.c45 import C45Classifier
from clearwood.learn.ensemble import Ensemble
from clearwood.learn.gathering import gather
from clearwood.table import Column, Table


class DistilledClassifier:
    """Makes or takes over the ensemble, and speaks of classes and columns in its terms."""

    ensemble: Any
    ensemble_: Ensemble
    classes_: np.ndarray
    n_jobs: int | None

    def _gather(self, table: Table, labels: tuple[Any, ...], rng: np.random.Generator) -> tuple[Ensemble, Table]:
        """The ensemble, and the rows in its terms; ``classes_`` becomes the ensemble's."""
        if self.ensemble is None:
            grown = grow_bag(C45Classifier(binary_splits=True), table, labels, 25, rng, self.n_jobs)
            return Ensemble([tree for tree, _ in grown]), table
        ensemble = gather(self.ensemble, table, labels, rng)
        self.ensemble_ = ensemble
        if ensemble.classes != labels:
            self.classes_ = np.array(ensemble.classes)
        return ensemble, self._in_terms_of_the_ensemble(table, labels)[0]

    def _in_terms_of_the_ensemble(self, table: Table, labels: tuple[Any, ...]) -> tuple[Table, np.ndarray]:
        """Rows with the ensemble's columns and classes, and their class codes."""
        ensemble = self.ensemble_
        place = {label: code for code, label in enumerate(ensemble.classes)}
        codes = np.array([*(place.get(label, -1) for label in labels), -1], dtype=np.int32)[table.y]
        aligned = table.align(ensemble.columns)
        target = Column(ensemble.target, tuple(map(str, ensemble.classes)))
        return aligned.with_target(target, codes).with_weights(table.weights), codes
