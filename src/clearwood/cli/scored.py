"""A scored table: the rows that were read, and what a tree says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clearwood.booleans import are_booleans

if TYPE_CHECKING:
    from clearwood.table import Table
    from clearwood.tree import Tree
    from clearwood.unknown_values import UnknownValues

__all__ = ["Scored", "read_for", "score"]


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
    from clearwood.read.sources import is_stream, stream_file

    if is_stream(data):  # it can be read once, and the types may ask for a second time
        with stream_file(data) as file:
            return _read_typed(tree, str(file), data, options)
    return _read_typed(tree, data, data, options)


def _read_typed(tree: Tree, data: str, name: str, options: dict[str, Any]) -> Table:
    from clearwood.read.assemble import INDEX_NAMES
    from clearwood.read.given import read_table

    table = read_table(data, target=False, **options)
    tested = set(tree.features)
    wanted = [column for column in tree.columns if column.name in tested]
    index = [own for own in INDEX_NAMES if own in tested and own not in table.feature_names]
    if index:  # a tree that tests a saved index, which is otherwise left out
        table = read_table(data, target=False, numeric=index, **options)
    here = {column.name: column for column in table.columns}
    absent = [column.name for column in wanted if column.name not in here]
    if absent:
        raise ValueError(f"{name} lacks {len(absent)} of the tree's columns: {', '.join(map(repr, absent[:8]))}.")
    pairs = [(column, here[column.name]) for column in wanted]
    nominal = [column.name for column, found in pairs if column.declared is not None and found.kind == "numeric"]
    numeric = [
        column.name
        for column, found in pairs
        if column.kind == "numeric" and found.is_nominal and not are_booleans(found.values or ())
    ]
    if not nominal and not numeric:
        return table
    return read_table(data, target=False, nominal=nominal, numeric=numeric, **options)


def score(tree: Tree, table: Table, allow_unknown: bool = False, n_jobs: int | None = None) -> Scored:
    """What the tree says of the rows; values that it does not know are reported once."""
    from clearwood.unknown_values import align_known, unknown_values

    unknown = unknown_values(tree, table)
    rows = align_known(tree, table, allow_unknown=allow_unknown)
    predicted = [tree.classes[code] for code in tree.predict(rows, n_jobs=n_jobs)]
    return Scored(tree, table, predicted, tree.predict_proba(rows, n_jobs=n_jobs).tolist(), unknown)
