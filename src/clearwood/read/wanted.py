"""Wanted: how text is read for a column that is known already, such as a tree's."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from clearwood.moments import parse_moments
from clearwood.read.values import BLANKS
from clearwood.table import Column

__all__ = ["as_declared", "declared_by", "is_marker"]


def declared_by(wanted: Column | None) -> tuple[str, ...] | None:
    """The values or levels of a column that is known; with any, text stays text whatever it looks like."""
    return None if wanted is None else wanted.declared


def is_marker(cell: object, missing: Collection[str], wanted: Column | None = None) -> bool:
    """Whether a cell is a text that means missing, whatever the blanks around it; a declared value never is.

    >>> is_marker("NA ", ["NA"]), is_marker("NA", ["NA"], Column("land", ("DE", "NA")))
    (True, False)
    """
    if not isinstance(cell, str) or not (cell in missing or cell.strip(BLANKS) in missing):
        return False
    return cell not in (declared_by(wanted) or ())


def as_declared(texts: Sequence[str], declared: tuple[str, ...]) -> list[str]:
    """The texts, those that name the moment of a declared value in other words as that value.

    >>> as_declared(["2020-01-01T00:00", "soon"], ("2020-01-01", "2021-01-01"))
    ['2020-01-01', 'soon']
    """
    moments = parse_moments(declared)
    if moments is None:
        return list(texts)
    value = dict(zip(reversed(moments), reversed(declared), strict=True))

    def spelled(text: str) -> str:
        moment = parse_moments([text.strip(BLANKS)])
        return text if text in declared or moment is None else value.get(moment[0], text)

    return [spelled(text) for text in texts]
