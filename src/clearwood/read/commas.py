"""Commas: whether a column of a text file proves that a comma stands before decimals, and what that makes of points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from clearwood.read.disguised import GAPS, note_notation
from clearwood.read.duck import Source, literal, number_in
from clearwood.read.numerals import COMMA, THOUSANDS, are_thousands, detect_numerals
from clearwood.read.request import Request
from clearwood.read.units import UNIT, common_unit, split_unit

if TYPE_CHECKING:
    from typing import Any, Protocol

    class Asked(Protocol):
        """What answers SQL about the relation ``cells``."""

        @property
        def execute(self) -> Any: ...


__all__ = ["doubtful_point", "points_as_thousands", "proves_comma"]

_AT_ONCE = 200  # columns in one statement
_ENOUGH = 100_000  # different texts, the first in order, that prove a notation; a scan holds no more of a column
_NUMBERLIKE = (
    rf"(?i)[+-]?(?:{UNIT})?[+-]?[\d., '\x{{a0}}\x{{202f}}]*\d(?:[eE][+-]?\d+)?[ \x{{a0}}\x{{202f}}]?(?:{UNIT})?"
)


def proves_comma(db: Asked, sources: Sequence[Source]) -> bool:
    """Whether all cells of some column are numbers in one notation only, whose decimals follow a comma."""
    gaps = ", ".join(map(literal, GAPS))
    for batch in _batches(sources):
        counts = ", ".join(
            f"count(*) filter (contains({source.cell}, ',')), count(*) filter (not ({_is(source, _NUMBERLIKE)}) "
            f"and lower({source.text}) not in ({gaps}))"
            for source in batch
        )
        found = db.execute(f"select {counts} from cells").fetchone() or ()
        for place, source in enumerate(batch):
            commas, words = found[2 * place : 2 * place + 2]
            if commas and not words and _is_proof(db, source):
                return True
    return False


def _is_proof(db: Asked, source: Source) -> bool:
    rows = db.execute(
        f"select distinct {source.text} as v from cells where v is not null order by 1 limit {_ENOUGH}"
    ).fetchall()
    texts = [text for (text,) in rows if text.lower() not in GAPS]
    _, bare = common_unit(texts) or ("", texts)
    notations = detect_numerals(bare)
    return len(notations) == 1 and notations[0].decimal == ","


def points_as_thousands(db: Asked, sources: Sequence[Source], request: Request, target: str | None) -> list[Source]:
    """The sources, where a column of whole numbers with points between thousands is read as such, which is said."""
    changed = {}
    asked = [source for source in sources if source.name != target and source.name not in request.nominal]
    for batch in _batches(asked):
        others = [replace(source, number=number_in(COMMA, source.text)) for source in batch]
        counts = ", ".join(
            f"count(*) filter (contains({source.text}, '.')), "
            f"count(*) filter (contains({source.text}, '.') and not ({_is(source, THOUSANDS)})), "
            f"count(*) filter ({source.text} is not null and {source.number} is null)"
            for source in others
        )
        found = db.execute(f"select {counts} from cells").fetchone() or ()
        for place, source in enumerate(others):
            points, decimals, words = found[3 * place : 3 * place + 3]
            if points and not decimals and not words:
                changed[source.name] = source
                if not request.about(source.name, target)["quiet"]:
                    note_notation(source.name, COMMA)
    return [changed.get(source.name, source) for source in sources]


def doubtful_point(texts: Iterable[str], cuts: Iterable[float]) -> str | None:
    """A text of a column whose points stand between thousands rather than before decimals, though nothing proves it.

    They do if the numbers that the column is compared with are in the thousands, or if all numbers without a point are
    below one thousand, as 900 beside 1.700.

    >>> doubtful_point(["4.000"], [2500]), doubtful_point(["4.000", "900"], [3]), doubtful_point(["4.125"], [3])
    ('4.000', '4.000', None)
    """
    bare = [split_unit(text) or ("", text) for text in dict.fromkeys(cell.strip() for cell in texts)]
    distinct = [text for _, text in bare if any(map(str.isdigit, text))]
    if not are_thousands(distinct):
        return None
    whole = [text.lstrip("+-") for text in distinct if "." not in text]
    if any(abs(cut) >= 1000 for cut in cuts) or (whole and all(text.isdigit() and len(text) <= 3 for text in whole)):
        return next(text for text in distinct if "." in text)
    return None


def _batches(sources: Sequence[Source]) -> list[Sequence[Source]]:
    return [sources[first : first + _AT_ONCE] for first in range(0, len(sources), _AT_ONCE)]


def _is(source: Source, pattern: str) -> str:
    return f"coalesce(regexp_full_match({source.text}, {literal(pattern)}), true)"
