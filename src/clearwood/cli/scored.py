"""A scored table: the rows of a source as they stand there, and what a tree says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clearwood.booleans import are_booleans
from clearwood.moments import parse_moments

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearwood.column import Column
    from clearwood.read.own_rows import OwnRows
    from clearwood.read.request import Request
    from clearwood.table import Table
    from clearwood.tree import Tree
    from clearwood.unknown_values import UnknownValues

__all__ = ["Read", "Scored", "read_for", "score"]


@dataclass(frozen=True, eq=False)
class Read:
    """What was read for a tree: the columns that it tests, as it knows them, and all rows as they stand."""

    table: Table
    own: OwnRows
    missing: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Scored:
    """What a tree says of rows: each row's class and class probabilities, and the values that it does not know."""

    tree: Tree
    read: Read
    predicted: list[Any]
    probabilities: list[list[float]]
    unknown: list[UnknownValues]


def read_for(tree: Tree, data: str, **options: Any) -> Read:
    """Read DATA for a tree: no class is needed, and only tested columns are looked at, as the types that it knows.

    ``options`` are those of :func:`clearwood.read`; one that is None keeps the reader's default.
    """
    from clearwood.read.own_rows import opened, own_rows

    given = {key: value for key, value in options.items() if value is not None}
    with opened(data, bool(given.pop("download", False))) as source:
        own = own_rows(source, given.get("query"))
        if own is None:
            return _read_whole(tree, source, data, given)
        return _read_tested(tree, own, data, given)


def _read_tested(tree: Tree, own: OwnRows, data: str, options: dict[str, Any]) -> Read:
    """The tested columns of rows that are at hand."""
    from clearwood.read.assemble import fill_table
    from clearwood.read.given import read_table
    from clearwood.read.request import Request

    threads = options.pop("n_jobs", None)
    name = data if isinstance(own.source, str) else "the query's result"
    request = Request.make(False, **{key: value for key, value in options.items() if key != "query"})
    request.check(own.names, name)
    _check_tested(tree, [column for column in own.names if column not in request.ignore], name)
    tested = set(tree.features)
    said = options | {"ignore": [column for column in own.names if column not in tested]}
    for types in ("nominal", "numeric"):  # what is said of columns that are left out goes with them
        said[types] = [column for column in getattr(request, types) if column in tested]

    def read(**stated: list[str]) -> Table:
        if isinstance(own.source, str):
            return read_table(own.source, target=False, n_jobs=threads, **said | stated)
        from clearwood.read.frames import table_from_frame

        plain = {key: value for key, value in (said | stated).items() if key != "query"}
        return table_from_frame(own.source, Request.make(False, **plain), source=name)

    table = _as_known(tree, read, said) if tested else fill_table([], own.n_rows)
    table = _with_known_markers(tree, table, read, list(own.names), request.missing)
    table = _with_numbers(tree, table, request, name)
    if table.n_rows != own.n_rows:
        raise ValueError(f"{name} changed while it was read: {own.n_rows} rows, then {table.n_rows}; try again.")
    if own.is_text and request.numerals.is_plain:
        _warn_of_points(tree, table, own)
    return Read(table, own.without(request.ignore), request.missing)


def _warn_of_points(tree: Tree, table: Table, own: OwnRows) -> None:
    """Say of which columns the points were taken for those before decimals, and may stand between thousands."""
    from clearwood.read.commas import doubtful_point
    from clearwood.read.notes import warn
    from clearwood.read.numerals import is_number

    if own.source.lower().removesuffix(".gz").endswith((".arff", ".names", ".data", ".test")):
        return  # these formats know no other notation
    for place, column in enumerate(table.columns):
        texts = own.columns[own.names.index(column.name)]
        cuts = tree.threshold[tree.feature == [known.name for known in tree.columns].index(column.name)]
        text = doubtful_point(texts, cuts.tolist()) if column.kind == "numeric" else None
        if text is not None and is_number(text) and float(text) in table.column(place):
            warn(
                f"column {column.name!r}: {text!r} is read as {float(text):g}; if points stand between thousands "
                f"there, state decimal=','."
            )


def _as_known(tree: Tree, read: Any, said: dict[str, Any]) -> Table:
    """The table, read once more where it has numbers for what the tree knows as texts."""
    from clearwood.read.assemble import INDEX_NAMES

    tested = set(tree.features)
    wanted = [column for column in tree.columns if column.name in tested]
    wanted = [column for column in wanted if column.name not in (*said["nominal"], *said["numeric"])]
    # a tree that tests a saved index, which is otherwise left out
    index = [column.name for column in wanted if column.name in INDEX_NAMES and column.kind == "numeric"]
    numbers = [*said["numeric"], *index]
    table: Table = read(numeric=numbers)
    here = {column.name: column for column in table.columns}
    names = [column.name for column in wanted if _hides_text(column, here[column.name])]
    return read(nominal=[*said["nominal"], *names], numeric=numbers) if names else table


def _with_numbers(tree: Tree, table: Table, request: Request, source: str) -> Table:
    """The table with the columns as numbers that the tree knows as such; a text that is none raises ValueError."""
    from clearwood.read.assemble import fill_table, to_numeric

    numbers = {column.name for column in tree.columns if column.kind == "numeric"}
    pairs = [(column, table.column(i)) for i, column in enumerate(table.columns)]
    texts = [
        column.name
        for column in table.columns
        if column.name in numbers and column.is_nominal and not are_booleans(column.values or ())
    ]
    if not texts:
        return table
    changed = [to_numeric(pair, request, source, "the tree") if pair[0].name in texts else pair for pair in pairs]
    return fill_table(changed, table.n_rows)


def _hides_text(wanted: Column, found: Column) -> bool:
    """Whether what was taken for numbers or dates must be the text of a tree's values."""
    if wanted.declared is None or found.declared is not None:
        return False
    return not found.is_date or parse_moments(wanted.declared) is None


def _with_known_markers(
    tree: Tree, table: Table, read: Callable[..., Table], names: list[str], markers: tuple[str, ...]
) -> Table:
    """The table with the columns read anew in which the tree knows as a value what else means missing."""
    from clearwood.read.assemble import fill_table

    cells = [(column, table.column(place)) for place, column in enumerate(table.columns)]
    known = [column for column in tree.columns if not set(markers).isdisjoint(column.declared or ())]
    known = [column for column in known if column.name in table.feature_names]
    for column in known:
        anew = read(
            nominal=[column.name],
            numeric=[],
            ignore=[name for name in names if name != column.name],
            missing=[marker for marker in markers if marker not in (column.declared or ())],
        )
        cells[table.index(column.name)] = anew.columns[0], anew.column(0)
    return fill_table(cells, table.n_rows, name=table.name) if known else table


def _check_tested(tree: Tree, names: list[str], source: str) -> None:
    absent = [name for name in tree.features if name not in names]
    if absent:
        raise ValueError(f"{source} lacks {len(absent)} of the tree's columns: {', '.join(map(repr, absent[:8]))}.")


def _read_whole(tree: Tree, source: str, name: str, options: dict[str, Any]) -> Read:
    """A table that is at hand as a table only, such as a data set of OpenML's, or an error that says what is wrong."""
    from clearwood.cli.scored_file import rows_of
    from clearwood.read.given import read_table
    from clearwood.read.request import DEFAULT_MISSING

    table = read_table(source, target=False, **options)
    _check_tested(tree, list(table.feature_names), name)
    return Read(table, rows_of(table), DEFAULT_MISSING)


def score(tree: Tree, read: Read, allow_unknown: bool = False, n_jobs: int | None = None) -> Scored:
    """What the tree says of the rows; values that it does not know are reported once."""
    from clearwood.unknown_values import align_known, unknown_values

    unknown = unknown_values(tree, read.table)
    rows = align_known(tree, read.table, allow_unknown=allow_unknown)
    predicted = [tree.classes[code] for code in tree.predict(rows, n_jobs=n_jobs)]
    return Scored(tree, read, predicted, tree.predict_proba(rows, n_jobs=n_jobs).tolist(), unknown)
