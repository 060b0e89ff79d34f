"""Trouble: what a table in any engine can hold that no tree can be grown from, or only with care."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scanned_tables import differences

import clearwood as cw
from clearwood.scan import columns

__all__ = ["HOSTILE", "Put", "check_gaps_in_the_target", "check_many_texts", "check_names", "check_no_rows"]

Put = Callable[[pa.Table, str], dict[str, Any]]
"""Puts rows into an engine as a table of that name; gives what scan needs to find them."""

HOSTILE = (
    'a "quoted" name',
    "it's",
    "back`tick",
    "back\\slash \\' \\\\",
    "two\nlines\tand a tab",
    "<b>bold</b> & <script>alert(1)</script>",
    "x'; DROP TABLE rows; --",
    "{0} %s {cell} $1 :name ?",
    "ünï ✓ 🌲",
    "SELECT",
    "node",
    "c1",
    "y",
    "w",
    "v",
)


def check_names(put: Put, name: str, folder: Path) -> None:
    """Names of the table and its columns, values and classes may hold every character; the tree is that in memory."""
    rng = np.random.default_rng(3)
    n = 160
    rows = {}
    for place, column in enumerate(HOSTILE):
        if place % 2:
            rows[column] = pa.array(rng.normal(size=n).round(2))
        else:
            rows[column] = pa.array([HOSTILE[code] for code in rng.integers(0, len(HOSTILE), n)])
    first, second = np.array(rows[HOSTILE[1]]), np.array(rows[HOSTILE[0]])
    classes = np.where((first > 0.3) | (second < "b"), HOSTILE[4], HOSTILE[6])
    rows["the 'class' \"of\" `it`"] = pa.array(classes.tolist())
    scan = cw.scan(**put(pa.table(rows), name), in_memory=20)
    learner, in_memory = cw.C45Classifier(criterion="gain", prune=False, max_depth=3), _read(pa.table(rows), folder)
    assert scan.columns == in_memory.columns
    assert scan.target == in_memory.target
    tree = learner.fit(in_memory).tree_
    assert tree.n_leaves > len(HOSTILE)  # one of each value
    assert differences(learner.fit(scan).tree_, tree) == []


def check_many_texts(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    """A nominal column that names the rows is refused, and so is such a target; no more than the limit is fetched."""
    monkeypatch.setattr(columns, "MOST_VALUES", 50)
    many = pa.table({"id": [f"row {i}" for i in range(300)], "x": list(range(300)), "class": ["no", "yes"] * 150})
    found = put(many, "many")
    with pytest.raises(ValueError, match=r"column 'id' holds more than 50 different values.*ignore=\['id'\]"):
        cw.scan(**found)
    with pytest.raises(ValueError, match=r"column 'x' holds more than 50 .*or do not state it as nominal"):
        cw.scan(**found, ignore="id", nominal="x")
    with pytest.raises(ValueError, match="'id' holds more than 50 different values"):
        cw.scan(**found, target="id")
    assert cw.scan(**found, ignore="id").n_rows == 300


def check_gaps_in_the_target(put: Put, folder: Path) -> None:
    """Rows without a class are left out, and said; a target of gaps only is refused."""
    x = np.arange(60.0)
    classes = [None if i % 6 == 0 else "low" if i < 30 else "high" for i in range(60)]
    nothing = pa.array([None] * 60, pa.string())
    rows = pa.table({"x": x, "never": nothing, "class": classes})
    found = put(rows, "gaps")
    learner = cw.C45Classifier()
    with pytest.warns(UserWarning, match="10 rows without a class are not learned from"):
        tree = learner.fit(cw.scan(**found, in_memory=5, ignore="never")).tree_
    with pytest.warns(UserWarning, match="10 rows without a class are not learned from"):
        in_memory = learner.fit(_read(rows.drop(["never"]), folder)).tree_
    assert tree.n_leaves == 2 and tree.counts[0].sum() == 50
    assert differences(tree, in_memory) == []
    with pytest.raises(ValueError, match="no row has a class"):
        learner.fit(cw.scan(**found, target="never"))


def check_no_rows(put: Put) -> None:
    """A table of no rows is refused by the learner."""
    texts = pa.array([], pa.string())
    empty = pa.table({"x": pa.array([], pa.float64()), "v": texts, "class": texts})
    scan = cw.scan(**put(empty, "empty"))
    assert scan.n_rows == 0
    with pytest.raises(ValueError, match="no rows to learn from"):
        cw.C45Classifier().fit(scan)


def _read(rows: pa.Table, folder: Path) -> cw.Table:
    """The rows in memory, as a Parquet file is read."""
    pq.write_table(rows, folder / "in memory.parquet")
    return cw.read(folder / "in memory.parquet")
