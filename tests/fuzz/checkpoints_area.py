"""Checkpoints with changed arrays: each is refused by name, or gone on from."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from damaged_checkpoints import file_of, fitted_again, learners, saved

__all__ = ["case"]


def case(rng: np.random.Generator, folder: Path) -> str:
    """Change some of the arrays of a search that was interrupted, or bytes of its file, and fit again."""
    learner = str(rng.choice(learners()))
    content = dict(saved(learner))
    if rng.random() < 0.15:
        return _changed_bytes(rng, learner, content, folder)
    states = [key for key in content if key.startswith("state ")]
    for key in rng.choice(states, size=int(rng.integers(1, 3)), replace=False).tolist():
        if rng.random() < 0.03:
            del content[key]
        else:
            content[key] = _changed(rng, content[key])
    return _fit(learner, content, folder)


def _fit(learner: str, content: dict[str, np.ndarray], folder: Path) -> str:
    try:
        fitted = fitted_again(learner, content, folder)
    except ValueError as error:
        if not re.search(r"checkpoint='.*(delete it|give another file)", str(error), re.DOTALL):
            raise
        return "refused"
    assert fitted.tree_.n_leaves >= 1
    return "gone on from"


def _changed_bytes(rng: np.random.Generator, learner: str, content: dict[str, np.ndarray], folder: Path) -> str:
    path = file_of(learner, folder)
    with path.open("wb") as file:
        np.savez(file, **content)
    raw = bytearray(path.read_bytes())
    for place in rng.integers(len(raw), size=int(rng.integers(1, 6))).tolist():
        raw[place] = int(rng.integers(256))
    if rng.random() < 0.2:
        raw = raw[: int(rng.integers(len(raw)))]
    from damaged_checkpoints import learner as make
    from damaged_checkpoints import table

    if learner == "pareto, folds":
        fitted_again(learner, content, folder)  # the first part of the search, whole
    path.write_bytes(bytes(raw))
    try:
        make(learner, folder / "run.npz").fit(table())
    except ValueError as error:
        if "checkpoint=" not in str(error):
            raise
        return "refused"
    return "gone on from"


def _changed(rng: np.random.Generator, old: np.ndarray) -> np.ndarray:
    """An array with other cells, another shape or another type."""
    way = rng.random()
    if way < 0.1:
        return np.array(rng.choice(["", "x", "{}", '{"bit_generator": "PCG64"}']))
    if way < 0.2:
        return old.astype(rng.choice(["f4", "f8", "i8", "u1"])) if old.dtype.kind in "iufb" else old.ravel()
    if way < 0.3:
        return old[..., : int(rng.integers(max(old.shape[-1], 1)))] if old.ndim else old.reshape(1)
    if way < 0.35:
        return np.concatenate([old, old]) if old.ndim else np.array([old, old])
    new = old.copy()
    if old.dtype.kind == "U":
        text = list(str(old))
        if text:
            text[int(rng.integers(len(text)))] = str(rng.choice(list('0123456789{}":-')))
        return np.array("".join(text))
    if not new.size:
        return new
    flat = new.reshape(-1)
    for place in rng.integers(flat.size, size=int(rng.integers(1, 4))).tolist():
        if old.dtype.names:
            name = str(rng.choice(old.dtype.names))
            cell = flat[name][place]
            flat[name][place] = _number(rng, np.asarray(cell).dtype) if np.ndim(cell) == 0 else 0
        else:
            flat[place] = _number(rng, old.dtype)
    return new


def _number(rng: np.random.Generator, dtype: np.dtype) -> object:
    if dtype.kind == "f":
        return float(rng.choice([0.0, -1.0, 0.5, 1e300, -1e300, np.nan, np.inf, 1e-320, 9.0]))
    if dtype.kind == "b":
        return bool(rng.integers(2))
    limits = np.iinfo(dtype)
    return dtype.type(rng.choice(np.array([0, 1, 2, 3, 7, limits.max, limits.min, limits.max // 2], dtype=dtype)))
