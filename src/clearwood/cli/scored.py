"""A scored table: the rows that were read, and what a tree says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clearwood.booleans import are_booleans
from clearwood.moments import parse_moments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearwood.column import Column
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
    nominal = [column.name for column, found in pairs if _hides_text(column, found)]
    numeric = [
        column.name
        for column, found in pairs
        if column.kind == "numeric" and found.is_nominal and not are_booleans(found.values or ())
    ]
    if nominal or numeric:
        table = read_table(data, target=False, nominal=nominal, numeric=numeric, **options)
    return _with_known_markers(table, wanted, data, options)


def _hides_text(wanted: Column, found: Column) -> bool:
    """Whether what was taken for numbers or dates must be the text of a tree's values."""
    if wanted.declared is None or found.declared is not None:
        return False
    return not found.is_date or parse_moments(wanted.declared) is None


def _with_known_markers(table: Table, wanted: Sequence[Column], data: str, options: dict[str, Any]) -> Table:
    """The table with the columns read anew in which the tree knows as a value what else means missing."""
    from clearwood.read.assemble import fill_table
    from clearwood.read.given import read_table
    from clearwood.read.request import DEFAULT_MISSING

    given = options.get("missing")
    markers = list(DEFAULT_MISSING if given is None else given)
    cells = [(column, table.column(column.name)) for column in table.columns]
    known = [column for column in wanted if not set(markers).isdisjoint(column.declared or ())]
    for column in known:
        others = [name for name in table.feature_names if name != column.name]
        own = {
            "nominal": [column.name],
            "ignore": [*(options.get("ignore") or ()), *others],
            "missing": [marker for marker in markers if marker not in (column.declared or ())],
        }
        anew = read_table(data, target=False, **{**options, **own})
        cells[table.index(column.name)] = anew.columns[0], anew.column(0)
    return fill_table(cells, table.n_rows, name=table.name) if known else table


def score(tree: Tree, table: Table, allow_unknown: bool = False, n_jobs: int | None = None) -> Scored:
    """What the tree says of the rows; values that it does not know are reported once."""
    from clearwood.unknown_values import align_known, unknown_values

    unknown = unknown_values(tree, table)
    rows = align_known(tree, table, allow_unknown=allow_unknown)
    predicted = [tree.classes[code] for code in tree.predict(rows, n_jobs=n_jobs)]
    return Scored(tree, table, predicted, tree.predict_proba(rows, n_jobs=n_jobs).tolist(), unknown)
