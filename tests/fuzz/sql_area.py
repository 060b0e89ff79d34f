"""Random trees over tables of odd names in live databases: every row, by its number, has the tree's own answer."""

from __future__ import annotations

import functools
import os
from pathlib import Path

import numpy as np
from engines import DuckEngine, Engine, PostgresEngine, SQLiteEngine, as_arrow
from exact_sql import to_sql, where_class, where_leaf
from random_trees import random_table, random_tree
from sql_answers import assert_scores, fetched

from clearwood.table import Column

__all__ = ["POSTGRES", "case"]

POSTGRES = "CLEARWOOD_FUZZ_POSTGRES"
"""The variable of the environment that names a live PostgreSQL; without it the other engines are asked."""

NAMES = [
    "age", "user", "current_date", "session_user", "localtime", "true", "false", "null", "select", "t", "a", "route",
    "class", "value", "cell", "oid", "step", "place", 'say "hi"', "it's", "back\\slash", "`tick`", "zwei\nZeilen",
    "größe ²", "年齢", "🌲", "x.y", "$1", "predicted", "clearwood_leaves", " lead", "current_timestamp", "v0", "CASE",
]  # fmt: skip


@functools.cache
def _engines() -> tuple[Engine, ...]:
    duck = DuckEngine()
    duck.connection.execute("SET threads = 1")  # tables of 40 rows: more threads only wait for each other
    uri = os.environ.get(POSTGRES)
    return (duck, SQLiteEngine(), PostgresEngine(uri)) if uri else (duck, SQLiteEngine())


def case(rng: np.random.Generator, folder: Path) -> str:
    """Score a table, and fetch the rows of a class and of a leaf, in one engine."""
    engine = _engines()[int(rng.integers(6)) % len(_engines())]
    names = rng.choice(NAMES, size=3, replace=False).tolist()
    if len({name.casefold() for name in names}) < 3:
        names = ["x", "y", "z"]
    values = tuple(rng.choice(NAMES, size=int(rng.integers(1, 6)), replace=False).tolist())
    columns = [Column(names[0]), Column(names[1], values), Column(names[2])]
    n_classes = int(rng.integers(1, 5))
    kinds = [
        rng.choice(NAMES, size=n_classes, replace=False).tolist(),
        [bool(k) for k in range(min(n_classes, 2))],
        [int(k) * 3_000_000_000 for k in range(n_classes)],
        [k / 3 for k in range(n_classes)],
    ]
    classes = kinds[int(rng.integers(4))]
    tree = random_tree(
        rng,
        int(rng.integers(1, 25)),
        columns,
        len(classes),
        classes=classes,
        laplace=bool(rng.integers(2)),
        nominal_terms=float(rng.choice([0.0, 0.5])),
    )
    table = random_table(rng, tree, 40)
    rows = as_arrow(table, rng)
    if engine.dialect == "sqlite" and classes and isinstance(classes[0], bool):
        engine.load("t", rows)  # SQLite has no truth values: 1 and 0 come back
    else:
        assert_scores(engine, tree, table, rows)
    predicted = tree.predict(table)
    code = int(rng.integers(len(classes)))
    wanted = np.flatnonzero(predicted == code).tolist()
    assert fetched(engine, to_sql(tree, "t", engine.dialect, only=tree.classes[code])) == wanted
    leaf = int(rng.choice([node for node in tree.walk() if tree.is_leaf(node)]))
    found = fetched(engine, f"SELECT * FROM t WHERE {where_leaf(tree, leaf, engine.dialect)}")
    assert found == np.flatnonzero(tree.apply(table) == leaf).tolist()
    condition = where_class(tree, tree.classes[code], engine.dialect, table="t")
    assert fetched(engine, f"SELECT * FROM t WHERE {condition}") == wanted
    return engine.dialect
