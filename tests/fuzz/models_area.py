"""Saved trees with changed fields: each is refused by name, or a sound tree that everything can be asked of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from demands import demand
from random_trees import random_columns, random_table, random_tree

from clearwood.tree import Tree

__all__ = ["case"]


def case(rng: np.random.Generator, folder: Path) -> str:
    """Change some places of a tree's JSON, or some of its characters, and read it."""
    tree = random_tree(
        rng, int(rng.integers(1, 12)), random_columns(rng, 4), int(rng.integers(1, 4)), nominal_terms=0.3
    )
    text = tree.to_json()
    if rng.random() < 0.2:
        letters = list(text)
        for place in rng.integers(len(letters), size=int(rng.integers(1, 5))).tolist():
            letters[place] = str(rng.choice(list('0123456789[]{},":-.eE nulltrue\\')))
        text = "".join(letters)
    else:
        document = json.loads(text)
        change = _change if rng.random() < 0.6 else _change_number  # the second leaves a tree that is read more often
        for _ in range(int(rng.integers(1, 4))):
            change(rng, document)
        text = json.dumps(document)
    try:
        found = Tree.from_json(text)
    except ValueError as error:
        demand(15 < len(str(error)) < 400, f"an unclear error: {error}")
        return "refused"
    table = random_table(rng, found, 12, on_thresholds=bool((np.abs(np.nan_to_num(found.threshold)) < 1e300).all()))
    chances = found.predict_proba(table)
    assert np.isfinite(chances).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1.0, atol=1e-6)
    assert str(found) and found.to_text("weka") and found.to_dot() and list(found.rules(include_empty=True))
    if all(column.name for column in found.columns):  # SQL has no empty names
        found.to_sql("t", "duckdb")
    assert Tree.from_json(found.to_json()) == found
    return "read"


def _change(rng: np.random.Generator, document: Any) -> None:
    """Put something else in a random place of a document."""
    holder, key = document, None
    while True:
        keys: list[Any] = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            return
        key = keys[int(rng.integers(len(keys)))]
        if isinstance(holder[key], dict | list) and holder[key] and rng.random() < 0.85:
            holder = holder[key]
            continue
        break
    new = [0, 1, -1, 2, 3, 0.5, 1e308, -1e308, 2**31, 2**64, None, True, False, "", "v0", "x", [], {}, [0], [[0, 1.0]]]
    way = rng.random()
    if way < 0.1:
        del holder[key]
    elif way < 0.2 and isinstance(holder, list):
        holder.append(holder[key])
    else:
        holder[key] = new[int(rng.integers(len(new)))]


def _change_number(rng: np.random.Generator, document: Any) -> None:
    """Put another number in place of a threshold or a weight, or another name in place of one."""
    part = document.get(str(rng.choice(["threshold", "counts", "bags", "classes", "columns"])))
    if not part:
        return
    place = int(rng.integers(len(part)))
    if isinstance(part[place], dict):
        part[place]["name"] = str(rng.choice(["x", "x0", "select", "ä\n", "a" * 300, "'"]))
    elif isinstance(part[place], str):
        part[place] = str(rng.choice(["yes", "c0", "a" * 300, "\u0000", '"']))
    elif isinstance(part[place], list):
        part[place][int(rng.integers(len(part[place])))] = float(rng.choice([0, 1, 3, 1e-9, 1e-300, 1e99, 1e308, -1]))
    elif part[place] is not None:
        part[place] = float(rng.choice([0.0, -0.0, 1.5, 5e-324, -1e308, 1.7e308, 3e9]))
