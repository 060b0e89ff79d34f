"""Columns: names for what a scoring statement adds to a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from clearwood.export.sql_dialects import Dialect

if TYPE_CHECKING:
    from clearwood.tree import Tree

__all__ = ["new_columns"]


def new_columns(
    tree: Tree,
    dialect: Dialect,
    predicted: str | None,
    probability: str | Sequence[str] | None,
    table_columns: Iterable[str],
) -> list[str]:
    """The names of the added columns, each unlike every other and unlike the table's own as far as they are known."""
    taken = {column.name for column in tree.columns} | {tree.target} | set(table_columns)
    used = {_folded(dialect, name) for name in taken}
    if predicted is not None and _folded(dialect, predicted) in used:
        raise ValueError(f"predicted must differ from the table's own columns, got {predicted!r}; choose another name.")
    wanted = [predicted or "predicted"]
    if isinstance(probability, str):
        if "{class}" not in probability and tree.n_classes > 1:
            raise ValueError(f"probability must hold {{class}}, which becomes each class in turn, got {probability!r}.")
        wanted += [probability.replace("{class}", str(label)) for label in tree.classes]
    elif probability is not None:
        wanted += list(probability)
        if len(wanted) != tree.n_classes + 1:
            raise ValueError(
                f"probability must give one name for each of the {tree.n_classes} classes, got {len(wanted) - 1}."
            )
    names = []
    for name in wanted:
        free, number = _cut(dialect, name), 1
        while _folded(dialect, free) in used:
            number += 1
            free = _cut(dialect, name, f"_{number}")
        used.add(_folded(dialect, free))
        names.append(free)
    return names


def _cut(dialect: Dialect, name: str, end: str = "") -> str:
    """The name with an end, short enough for the engine not to cut it."""
    if dialect.longest_name:
        room = dialect.longest_name - len(end.encode())
        name = name.encode(errors="surrogatepass")[:room].decode(errors="ignore")
    return name + end


def _folded(dialect: Dialect, name: str) -> str:
    return name.casefold() if dialect.folds_case else name
