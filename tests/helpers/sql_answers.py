"""SQL answers: what a live database says of the rows, held against what the tree itself says."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from engines import Engine
from exact_sql import to_sql

from clearwood.table import Table
from clearwood.tree import Tree

__all__ = ["assert_scores", "fetched"]


def assert_scores(engine: Engine, tree: Tree, table: Table, rows: pa.Table, name: str = "t", **options: object) -> None:
    """The SELECT keeps every row and column and adds the tree's own answers."""
    engine.load(name, rows)
    columns, answers = engine.ask(to_sql(tree, name, engine.dialect, **options))
    own = rows.num_columns
    assert columns[:own] == rows.column_names
    assert len(columns) == own + 1 + tree.n_classes
    answers.sort(key=lambda answer: answer[0])
    assert [answer[0] for answer in answers] == list(range(table.n_rows))
    chances = np.array([answer[own + 1 :] for answer in answers], dtype=float).reshape(table.n_rows, tree.n_classes)
    np.testing.assert_allclose(chances, tree.predict_proba(table), rtol=0, atol=1e-12)
    assert all(isinstance(chance, float) for answer in answers for chance in answer[own + 1 :])
    assert [answer[own] for answer in answers] == [tree.classes[code] for code in tree.predict(table)]


def fetched(engine: Engine, sql: str) -> list[int]:
    """The numbers of the rows that a statement fetches."""
    columns, answers = engine.ask(sql)
    assert columns[0] == "row"
    return sorted(answer[0] for answer in answers)
