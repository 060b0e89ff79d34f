"""A scored table: the rows that were read, with predicted class and class probabilities beside them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, TextIO

from clearwood.booleans import are_booleans, boolean_text
from clearwood.moments import moment_text

if TYPE_CHECKING:
    from clearwood.table import Table
    from clearwood.tree import Tree
    from clearwood.unknown_values import UnknownValues

__all__ = ["Scored", "read_for", "score", "write_csv"]


@dataclass(frozen=True)
class Scored:
    """What a tree says of a table: each row's class and class probabilities, and the values that it does not know."""

    tree: Tree
    table: Table
    predicted: list[Any]
    probabilities: list[list[float]]
    unknown: list[UnknownValues]


def read_for(tree: Tree, data: str, **options: Any) -> Table:
    """Read DATA for a tree: no class is needed, and tested columns get the types that the tree knows."""
    from clearwood.read.assemble import INDEX_NAMES
    from clearwood.read.given import read_table

    table = read_table(data, target=False, **options)
    tested = set(tree.features)
    wanted = [column for column in tree.columns if column.name in tested]
    index = [name for name in INDEX_NAMES if name in tested and name not in table.feature_names]
    if index:  # a tree that tests a saved index, which is otherwise left out
        table = read_table(data, target=False, numeric=index, **options)
    here = {column.name: column for column in table.columns}
    absent = [column.name for column in wanted if column.name not in here]
    if absent:
        raise ValueError(f"{data} lacks {len(absent)} of the tree's columns: {', '.join(map(repr, absent[:8]))}.")
    pairs = [(column.name, column, here[column.name]) for column in wanted]
    nominal = [name for name, column, found in pairs if column.declared is not None and found.kind == "numeric"]
    numeric = [
        name
        for name, column, found in pairs
        if column.kind == "numeric" and found.is_nominal and not are_booleans(found.values or ())
    ]
    if not nominal and not numeric:
        return table
    return read_table(data, target=False, nominal=nominal, numeric=numeric, **options)


def score(tree: Tree, table: Table, allow_unknown: bool = False) -> Scored:
    """What the tree says of the rows; values that it does not know are reported once."""
    from clearwood.unknown_values import align_known, unknown_values

    unknown = unknown_values(tree, table)
    rows = align_known(tree, table, allow_unknown=allow_unknown)
    predicted = [tree.classes[code] for code in tree.predict(rows)]
    return Scored(tree, table, predicted, tree.predict_proba(rows).tolist(), unknown)


def write_csv(scored: Scored, file: TextIO) -> None:
    """Write the table's columns, the predicted class and the class probabilities."""
    table, tree = scored.table, scored.tree
    heads = _new_names(["predicted", *(f"probability_{label}" for label in tree.classes)], table.feature_names)
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*table.feature_names, *heads])
    cells = [_texts(table, i) for i in range(table.n_features)]
    labels = map(boolean_text, scored.predicted)
    writer.writerows(zip(*cells, labels, *zip(*scored.probabilities, strict=True), strict=True))


def _new_names(wanted: Sequence[str], taken: Sequence[str]) -> list[str]:
    """The wanted names, with a number where a column of the table already has the name."""
    names: list[str] = []
    for name in wanted:
        numbered = (f"{name}_{i}" if i > 1 else name for i in count(1))
        names.append(next(free for free in numbered if free not in taken and free not in names))
    return names


def _texts(table: Table, feature: int) -> list[str]:
    """The cells of a column as they would stand in a file; missing ones are empty."""
    column, cells = table.columns[feature], table.column(feature).tolist()
    if column.declared is not None:
        named = [*column.declared, ""]  # -1, missing, picks the last item
        return [named[-1 if code != code else int(code)] for code in cells]
    if column.is_date:
        return ["" if cell != cell else moment_text(cell) for cell in cells]
    return ["" if cell != cell else str(int(cell)) if cell.is_integer() else repr(cell) for cell in cells]
