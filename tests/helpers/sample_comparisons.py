"""Comparisons made of generated scores, for tests of what is done with them."""

from __future__ import annotations

import numpy as np

from clearwood.studies.comparison import Comparison
from clearwood.studies.units import Result, TableFacts, Unit

EVIL = '<script>alert("x")</script> & $\\frac{1}{2}$ _^'


def sample_comparison(
    learners=("c45", "cart", "forest"),
    data=("iris", "wine", "glass"),
    cv=5,
    repeats=2,
    *,
    gaps=(0.0, -0.02, 0.05),
    without_tree=("forest",),
    fails=lambda unit: False,
    seed=0,
):
    """Learners that differ by ``gaps`` in accuracy, with noise of 0.01; those ``without_tree`` have no size."""
    rng = np.random.default_rng(seed)
    results = []
    for i, name in enumerate(data):
        for j, learner in enumerate(learners):
            for repeat in range(repeats):
                for fold in range(cv):
                    unit = Unit("test", name, learner, repeat, fold)
                    accuracy = 0.7 + 0.2 * (i % 7) / 6 + gaps[j % len(gaps)] + 0.01 * rng.standard_normal()
                    if fails(unit):
                        error = f"ValueError: the learner {learner} met a <row> it cannot take\nTraceback: somewhere"
                        results.append(Result(unit, "failed", error=error, finished="2025-01-01T12:00:00Z"))
                        continue
                    treeless = learner in without_tree
                    sizes = dict.fromkeys(("nodes", "leaves", "features", "depth"), np.nan)
                    if not treeless:
                        leaves = float(5 + 4 * i + j + rng.integers(3))
                        sizes = {"nodes": 2 * leaves - 1, "leaves": leaves, "features": 2.0 + j, "depth": 4.0}
                    scores = {
                        "accuracy": accuracy,
                        "balanced_accuracy": accuracy - 0.01,
                        "log_loss": 1.5 - accuracy,
                        "brier": 1 - accuracy,
                        "auc": min(1.0, accuracy + 0.05),
                        "fit_seconds": 0.001 * (j + 1),
                        **sizes,
                    }
                    probe = rng.integers(2, size=50) if j else np.zeros(50, dtype=int)
                    results.append(
                        Result(
                            unit,
                            "done",
                            scores,
                            {"confidence": 0.25, "name": learner},
                            seed=fold,
                            versions={"python": "3.11", "clearwood": "0.1.0"},
                            seconds=0.01,
                            finished="2025-01-01T12:00:00Z",
                            probe=probe,
                        )
                    )
    facts = {name: TableFacts(name, 150 + i, 4, 3) for i, name in enumerate(data)}
    return Comparison(results, tables=facts, learners=learners, cv=cv, repeats=repeats, command="clearwood compare …")
