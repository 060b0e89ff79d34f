"""Damaged checkpoints: those of short searches, with one array changed."""

from __future__ import annotations

import functools
import tempfile
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from clearwood import LinearTreeClassifier, ParetoTreeClassifier, SetGenClassifier
from clearwood.table import Column, Table

__all__ = ["ARRAYS", "damaged", "fitted_again", "learners", "saved"]

# the arrays that nothing but their own check protects, by learner
ARRAYS = [
    *(("linear", name) for name in ("places", "sizes", "kind", "left", "right", "weights", "in_set")),
    *(
        ("pareto", name)
        for name in ("done", "island 0 trees", "island 0 pool", "island 0 pool_size", "island 0 shuffled")
    ),
    ("pareto, folds", "run 1 island 0 trees"),
    *(("setgen", name) for name in ("rng", "done", "genomes", "quality", "seen", "seen quality")),
]


@functools.cache
def table() -> Table:
    """A small table with gaps, numbers and values."""
    rng = np.random.default_rng(3)
    x, codes = rng.normal(size=(2, 60)), rng.integers(-1, 4, size=60)
    x[0, :5] = np.nan
    y = (np.nan_to_num(x[0]) + x[1] + 0.5 * codes > 0.5).astype(int)
    columns = [Column("a"), Column("b"), Column("c", ("p", "q", "r", "s"))]
    return Table(columns, [x[0], x[1], codes], target=Column("y", ("n", "y")), y=y)


def learners() -> tuple[str, ...]:
    return ("linear", "pareto", "pareto, folds", "setgen")


def learner(name: str, file: Path, stop: int | None = None) -> Any:
    """A learner that keeps a checkpoint; with ``stop`` its search is interrupted after so many lines."""
    lines: list[int] = []

    def progress(done: int, total: int, row: dict[str, float]) -> None:
        lines.append(done)
        if stop is not None and len(lines) == stop:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"random_state": 1, "checkpoint": file, "progress": progress}
    if name == "linear":
        return LinearTreeClassifier(
            tests="mixed", population_size=8, generations=60, patience=50, min_leaf=2, **options
        )
    if name == "setgen":
        return SetGenClassifier(population_size=8, evaluations=40, cv=3, confidence=0.25, **options)
    selection = 4 if name == "pareto" else "srm"
    return ParetoTreeClassifier(
        population_size=12, generations=30, max_leaves=6, cv=3, selection=selection, islands=2, **options
    )


def file_of(name: str, folder: Path) -> Path:
    return folder / ("run.npz.folds" if name == "pareto, folds" else "run.npz")


@functools.cache
def saved(name: str) -> dict[str, np.ndarray]:
    """Everything in the file of a search that was interrupted."""
    with (
        tempfile.TemporaryDirectory() as made,
        warnings.catch_warnings(),
        patch("clearwood.evolve.pareto.folds.AT_ONCE", 0.0),  # so that it ends within a fold
    ):
        warnings.simplefilter("ignore")
        folder = Path(made)
        stop = {"linear": 3, "pareto": 10, "pareto, folds": 75, "setgen": 20}[name]
        learner(name, folder / "run.npz", stop).fit(table())
        with np.load(file_of(name, folder)) as file:
            return {key: file[key] for key in file.files}


def damaged(content: dict[str, np.ndarray], array: str, how: str) -> dict[str, np.ndarray]:
    """The content with one array of the state changed."""
    key = f"state {array}"
    old = content[key]
    changed = dict(content)
    if how == "gone":
        del changed[key]
    elif how == "text":
        changed[key] = np.array("nothing")
    elif how == "shorter":
        changed[key] = old.ravel()[:-1] if old.size > 1 else np.zeros(3)
    elif old.dtype.kind == "U":
        changed[key] = np.array(str(old).replace("PCG64", "PCG65" if how == "large" else "NO"))
    elif old.dtype.names:
        new = old.copy()
        new["size" if "size" in old.dtype.names else "leaves"][...] = 2**31 - 1 if how == "large" else -5
        changed[key] = new
    else:
        extreme = 10**9 if old.dtype.itemsize > 2 else 200
        changed[key] = np.full_like(old, extreme if how == "large" else (-7 if old.dtype.kind in "if" else 249))
    return changed


def fitted_again(name: str, content: dict[str, np.ndarray], folder: Path) -> Any:
    """Fit with a checkpoint of this content."""
    if name == "pareto, folds":
        with file_of("pareto", folder).open("wb") as file:
            np.savez(file, **_finished())
    with file_of(name, folder).open("wb") as file:
        np.savez(file, **content)
    return learner(name, folder / "run.npz").fit(table())


@functools.cache
def _finished() -> dict[str, np.ndarray]:
    """The file of the first part of a search whose folds were interrupted."""
    with tempfile.TemporaryDirectory() as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = Path(made)
        learner("pareto, folds", folder / "run.npz", 75).fit(table())
        with np.load(folder / "run.npz") as file:
            return {key: file[key] for key in file.files}
