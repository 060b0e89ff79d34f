"""Work: what a unit's result says about itself."""

from sample_study import blobs

import clearwood as cw
from clearwood.studies.units import unit_seed


def test_every_result_says_how_it_came_about():
    (result, *_) = cw.compare("c45:confidence=0.1", blobs(), cv=2, repeats=1).results
    assert result.unit.learner == "c45:confidence=0.1" and result.params["confidence"] == 0.1
    assert result.params["class"] == "clearwood.learn.c45.C45Classifier"
    assert {"python", "clearwood", "numpy", "scikit-learn"} <= result.versions.keys()
    assert result.seconds >= result.scores["fit_seconds"] > 0
    assert result.finished.endswith("+00:00") and result.seed == unit_seed(0, result.unit)
    assert len(result.probe) == 1000 and set(result.probe.tolist()) <= {0, 1}
