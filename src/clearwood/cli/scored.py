"""A scored table: the rows that were read, with predicted class and class probabilities beside them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from clearwood.table import Table
    from clearwood.tree import Tree

__all__ = ["read_for", "score", "write_csv"]


def read_for(tree: Tree, data: str, **options: Any) -> Table:
    """Read DATA for a tree: no class is needed, and columns get the types that the tree knows."""
    from clearwood.read.given import read_table

    table = read_table(data, target=False, **options)
    types = {column.name: column.is_nominal for column in table.columns}
    absent = [column.name for column in tree.columns if column.name not in types]
    if absent:
        raise ValueError(f"{data} lacks {len(absent)} of the tree's columns: {', '.join(map(repr, absent[:8]))}.")
    differing = [column for column in tree.columns if column.is_nominal != types[column.name]]
    if not differing:
        return table
    nominal = [column.name for column in differing if column.is_nominal]
    numeric = [column.name for column in differing if not column.is_nominal]
    return read_table(data, target=False, nominal=nominal, numeric=numeric, **options)


def score(tree: Tree, table: Table) -> tuple[list[Any], list[list[float]]]:
    """For each row the predicted class, and the probability of each class."""
    predicted = [tree.classes[code] for code in tree.predict(table)]
    return predicted, tree.predict_proba(table).tolist()


def write_csv(tree: Tree, table: Table, file: TextIO) -> None:
    """Write the table's columns, the predicted class and the class probabilities."""
    predicted, probabilities = score(tree, table)
    heads = _new_names(["predicted", *(f"probability_{label}" for label in tree.classes)], table.feature_names)
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*table.feature_names, *heads])
    cells = [_texts(table, i) for i in range(table.n_features)]
    writer.writerows(zip(*cells, predicted, *zip(*probabilities, strict=True), strict=True))


def _new_names(wanted: Sequence[str], taken: Sequence[str]) -> list[str]:
    """The wanted names, with a number where a column of the table already has the name."""
    names: list[str] = []
    for name in wanted:
        numbered = (f"{name}_{i}" if i > 1 else name for i in count(1))
        names.append(next(free for free in numbered if free not in taken and free not in names))
    return names


def _texts(table: Table, feature: int) -> list[str]:
    """The cells of a column as they would stand in a file; missing ones are empty."""
    values = table.columns[feature].values
    cells = table.column(feature).tolist()
    if values is not None:
        named = [*values, ""]  # -1, missing, picks the last item
        return [named[code] for code in cells]
    return ["" if cell != cell else str(int(cell)) if cell.is_integer() else repr(cell) for cell in cells]
