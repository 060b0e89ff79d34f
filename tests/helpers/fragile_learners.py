"""Learners that fail, hang, die or keep a diary: what a study must survive."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Majority(ClassifierMixin, BaseEstimator):
    """Predicts the most frequent class, after a while; notes each fit as a line "process seed" in a diary."""

    def __init__(self, pause=0.0, diary=None, random_state=None):
        self.pause = pause
        self.diary = diary
        self.random_state = random_state

    def fit(self, X, y):
        if self.diary is not None:
            with open(self.diary, "a", encoding="utf-8") as file:  # noqa: PTH123 (one write, so lines stay whole)
                file.write(f"{os.getpid()} {self.random_state}\n")
        time.sleep(self.pause)
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares_ = counts / counts.sum()
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[self.shares_.argmax()])

    def predict_proba(self, X):
        return np.tile(self.shares_, (len(X), 1))


class Failing(Majority):
    """Raises an error as long as a file is not there."""

    def __init__(self, cure=None, random_state=None):
        super().__init__(random_state=random_state)
        self.cure = cure

    def fit(self, X, y):
        if self.cure is None or not Path(self.cure).exists():
            raise RuntimeError("no luck today")
        return super().fit(X, y)


class Deadly(Majority):
    """Kills its process when it is fitted, unless the file is there; the first to die leaves it, if so wished."""

    def __init__(self, marker, leaves_marker=True, pause=0.0, diary=None, random_state=None):
        super().__init__(pause, diary, random_state)
        self.marker = marker
        self.leaves_marker = leaves_marker

    def fit(self, X, y):
        super().fit(X, y)
        if not Path(self.marker).exists():
            if self.leaves_marker:
                Path(self.marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self
