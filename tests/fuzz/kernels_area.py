"""Learners, and with them the kernels, on tables that no one would make: extremes, gaps, ties, odd weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from demands import demand

import clearwood as cw
from clearwood.table import Column, Table
from clearwood.tree import Tree

__all__ = ["case"]

SMALLEST, LARGEST = 5e-324, 1.7976931348623157e308


def case(rng: np.random.Generator, folder: Path) -> str:
    """Fit a learner to a strange table; its tree must predict probabilities, and survive its own JSON."""
    table = _table(rng)
    learner = _learner(rng)
    try:
        learner.fit(table)
    except (ValueError, TypeError) as error:
        demand(len(str(error)) > 15 and str(error)[-1] in ".)", f"an unclear error: {error}")
        return "refused"
    trees = getattr(learner, "trees_", None) or [learner.tree_]
    for tree in trees[:2]:
        found = tree.predict_proba(table)
        assert found.shape == (table.n_rows, len(table.classes))
        assert np.isfinite(found).all(), "a probability is no number"
        np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-9)
        again = Tree.from_json(tree.to_json())
        assert again == tree
        np.testing.assert_array_equal(again.predict(table), tree.predict(table))
        assert np.isfinite(tree.threshold[tree.feature >= 0][~_nominal(tree)]).all()
    return type(learner).__name__


def _nominal(tree: Tree) -> np.ndarray:
    return np.array([tree.columns[f].is_nominal for f in tree.feature[tree.feature >= 0]], dtype=bool)


def _table(rng: np.random.Generator) -> Table:
    n_rows, n_classes = int(rng.choice([1, 2, 3, 7, 20, 60])), int(rng.choice([1, 2, 3, 9]))
    columns, data = [], []
    for i in range(int(rng.choice([0, 1, 2, 3, 5]))):
        if rng.random() < 0.35:
            size = int(rng.choice([0, 1, 2, 3, 12, 70]))
            columns.append(Column(f"v{i}", tuple(f"w{k}" for k in range(size))))
            cells: Any = rng.integers(-1, max(size, 0), size=n_rows) if size else np.full(n_rows, -1)
        else:
            columns.append(Column(f"x{i}"))
            cells = _numbers(rng, n_rows)
        data.append(cells)
    y = rng.integers(-1 if rng.random() < 0.2 else 0, n_classes, size=n_rows)
    weights = None
    if rng.random() < 0.5:
        scale = float(rng.choice([1.0, 1.0, 1e-6, 1e-12, 1e60, 1e-60, 1e200]))
        weights = rng.choice([0.0, 1.0, 1.0, 2.0, 0.3, 1e-7], size=n_rows) * scale
    target = Column("class", tuple(f"c{k}" for k in range(n_classes)))
    try:
        return Table(columns, data, target=target, y=y, weights=weights)
    except ValueError as error:
        demand("weights must add up" in str(error), str(error))
        return Table(columns, data, target=target, y=y)


def _numbers(rng: np.random.Generator, n: int) -> np.ndarray:
    way = rng.integers(6)
    if way == 0:
        cells = rng.choice([0.0, -0.0, SMALLEST, -SMALLEST, LARGEST, -LARGEST, 1.0, 1e308, 1.7e308], size=n)
    elif way == 1:
        cells = np.nextafter(1.0, rng.choice([0.0, 2.0], size=n))
    elif way == 2:
        cells = rng.integers(0, 3, size=n).astype(float)
    elif way == 3:
        cells = np.full(n, float(rng.choice([0.0, 3.5, LARGEST])))
    elif way == 4:
        cells = rng.normal(size=n) * 10.0 ** rng.integers(-300, 300)
    else:
        cells = rng.normal(size=n)
    return np.where(rng.random(n) < rng.choice([0.0, 0.0, 0.2, 1.0]), np.nan, cells)


def _learner(rng: np.random.Generator) -> Any:
    seed = {"random_state": int(rng.integers(1000))}
    criterion = str(rng.choice(["gini", "twoing", "gain"]))
    return [
        lambda: cw.ID3Classifier(criterion=str(rng.choice(["gain", "gain_ratio"]))),
        lambda: cw.C45Classifier(
            criterion=str(rng.choice(["gain_ratio", "gain", "gini", "twoing"])),
            binary_splits=bool(rng.integers(2)) or criterion == "twoing",
            min_leaf=float(rng.choice([1, 2])),
            laplace=bool(rng.integers(2)),
        ),
        lambda: cw.CARTClassifier(criterion=criterion, pruning=[None, "cv", 0.01][rng.integers(3)], cv=2, **seed),
        lambda: cw.OC1Classifier(restarts=2, jumps=1, **seed),
        lambda: cw.ParetoTreeClassifier(population_size=8, generations=4, max_leaves=5, selection=3, cv=2, **seed),
        lambda: cw.LinearTreeClassifier(
            tests=str(rng.choice(["linear", "univariate", "mixed"])),
            population_size=4,
            generations=8,
            min_leaf=1,
            **seed,
        ),
        lambda: cw.SetGenClassifier(population_size=4, evaluations=8, cv=2, confidence=0.25, **seed),
        lambda: cw.BaggedTreesClassifier(n_estimators=3, **seed),
        lambda: cw.ISMClassifier(max_leaves=6, **seed),
        lambda: cw.CMMClassifier(n_artificial=30, **seed),
    ][rng.integers(10)]()
