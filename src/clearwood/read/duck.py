"""Columns fetched from DuckDB, each as numbers or codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clearwood.booleans import BOOLEANS
from clearwood.read.assemble import Filled
from clearwood.read.numerals import PLAIN, Numerals, is_number
from clearwood.read.request import Request
from clearwood.read.values import BLANKS, fill_texts, warn_of_words
from clearwood.read.whole_numbers import fill_whole, is_large, warn_of_rounding
from clearwood.table import Column
from clearwood.threads import allowed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["BLANKS", "Source", "connect", "count_rows", "fetch", "is_word", "literal", "number_in", "plain_path"]

_FEW_ROWS = 5000
_AT_ONCE = 200  # columns in one statement: DuckDB's planner slows down with the square of a wide one


@dataclass(frozen=True, slots=True)
class Source:
    """A column of the relation ``cells``, with SQL expressions for its number and its text; NULL is missing.

    ``kind`` is "number", "date" (milliseconds), "bool", "text" (nominal, or dates), or "guess" (numeric if every text
    that is there is a number).
    """

    name: str
    kind: str
    number: str
    text: str = ""
    cell: str = ""
    missing: tuple[str, ...] = ()
    trims: bool = False

    @classmethod
    def of_text(
        cls,
        name: str,
        cell: str,
        kind: str,
        missing: Sequence[str],
        *,
        underscores: bool = True,
        numerals: Numerals = PLAIN,
        trims: bool = False,
    ) -> Source:
        """A source of which the cells are text, and markers mean missing, whatever the blanks around them.

        ``trims`` says that blanks do not count around other cells either: so it is in text files. A value of a typed
        source stays as it is, because a database compares it so.
        ``underscores`` says that some cell may hold one: a cast takes ``1_000`` for a number, and we do not.
        """
        markers = tuple(marker.strip(BLANKS) for marker in missing)
        if "" not in markers:  # an empty cell is NULL to DuckDB, but then a value to the caller
            cell = f"coalesce({cell}, '')"
        trimmed = f"trim({cell}, {literal(BLANKS)})"
        text = f"case when {trimmed} in ({_list(markers)}) then null else {trimmed} end"
        # a cast takes no notice of blanks and makes NULL of most markers by itself, which is four times as fast
        numeric_markers = [marker for marker in markers if is_number(marker)]
        number = f"try_cast({cell} as double)"
        if not numerals.is_plain:
            number = number_in(numerals, trimmed)
        elif underscores:
            number = f"case when contains({cell}, '_') then null else {number} end"
        if numeric_markers:
            number = f"case when {trimmed} in ({_list(numeric_markers)}) then null else {number} end"
        return cls(name, kind, number, text, cell, markers, trims)


def _list(texts: Sequence[str]) -> str:
    return ", ".join(map(literal, texts)) or "NULL"


def connect() -> DuckDBPyConnection:
    """A private DuckDB in memory that installs nothing, with the threads that reading may have."""
    import duckdb

    limits = {} if allowed() is None else {"threads": str(allowed())}  # its own choice is a thread on each core
    return duckdb.connect(":memory:", config={"autoinstall_known_extensions": "false", **limits})


def literal(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def number_in(numerals: Numerals, text: str) -> str:
    """SQL for the number that a text stands for in a notation other than the plain one; NULL if it is none."""
    plain = f"replace({text}, {literal(numerals.thousands)}, '')" if numerals.thousands else text
    plain = f"replace({plain}, {literal(numerals.decimal)}, '.')"
    return f"case when regexp_full_match({text}, {literal(numerals.pattern)}) then try_cast({plain} as double) end"


def plain_path(path: Path) -> str:
    """A path in which DuckDB sees no wildcards."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))


def fetch(
    db: DuckDBPyConnection, sources: Sequence[Source], request: Request, target: str | None, *, comma: bool = False
) -> list[Filled]:
    """Every column with its cells; what is stated as nominal is not guessed.

    A guess that finds numbers and words warns, unless the column is the target or stated as numeric. ``comma`` says
    that a column of the source proves that a comma stands before decimals.
    """
    guesses = [source for source in sources if source.kind == "guess" and source.name not in request.nominal]
    kinds = _decide(db, guesses)
    numeric = [source for source in sources if kinds.get(source.name, source.kind) in ("number", "date", "bool")]
    numbers = _numbers(db, numeric)
    texts = _texts(db, [source for source in sources if source.name not in numbers])
    filled = []
    for source in sources:
        if source.name not in numbers:
            guessed = source.name in kinds
            about = request.about(source.name, target)
            numbers_as = {"numerals": request.numerals, "comma": comma, "units": source.name != target}
            pair = _codes(db, source, texts.get(source.name), numbers=guessed, **numbers_as, **about)
            if kinds.get(source.name) == "mixed" and pair[0].is_nominal and not about["quiet"]:
                _warn_mixed(db, source)
            filled.append(pair)
        elif source.kind == "bool":
            truths = numbers[source.name]
            filled.append((Column(source.name, BOOLEANS), np.where(np.isnan(truths), -1, truths).astype(np.int32)))
        else:
            cells = numbers[source.name]
            values = request.takes_values(source.name, target)
            exact = _large(db, source, cells, values=values, quiet=source.name in request.numeric)
            filled.append(exact or (Column(source.name, is_date=source.kind == "date"), cells))
    return filled


def _large(db: DuckDBPyConnection, source: Source, cells: np.ndarray, *, values: bool, quiet: bool) -> Filled | None:
    """The column of whole numbers that double precision cannot tell apart, if they are values; others are told of."""
    known = cells[np.isfinite(cells)]
    if not source.cell or not len(known):
        return None
    if not is_large(int(known.min()) - 1, int(known.max()) + 1, values=values):  # 2**53 may have been rounded already
        return None
    text = f"trim(cast({source.cell} as varchar), {literal(BLANKS)})"
    whole = f"case when regexp_full_match({text}, '[+-]?[0-9]+') then try_cast({text} as hugeint) end"
    found = [
        None if number is None else int(number) for (number,) in db.execute(f"select {whole} from cells").fetchall()
    ]
    gone = np.array([number is None for number in found])
    if values:
        return fill_whole(source.name, found, values=True, quiet=True) if (gone == np.isnan(cells)).all() else None
    if not quiet:
        warn_of_rounding(source.name, found)
    return None


def _decide(db: DuckDBPyConnection, guesses: Sequence[Source]) -> dict[str, str]:
    """For each guess "number", "text" or "mixed"; a column without any value counts as numbers."""
    kinds = dict.fromkeys(_all_numbers(db, guesses), "number")
    guesses = [source for source in guesses if source.name not in kinds]
    if not guesses:
        return kinds
    if _is_short(db):
        return kinds | _decide_short(db, guesses)
    for first in range(0, len(guesses), _AT_ONCE):
        batch = guesses[first : first + _AT_ONCE]
        counts = []
        for source in batch:
            counts.append(f"count(*) filter ({is_word(source)}), count(*) filter (isfinite({source.number}))")
        found = db.execute(f"select {', '.join(counts)} from cells").fetchone() or ()
        for place, source in enumerate(batch):
            words, finite = found[2 * place : 2 * place + 2]
            kinds[source.name] = "number" if not words else "mixed" if finite else "text"
    return kinds


def _decide_short(db: DuckDBPyConnection, guesses: Sequence[Source]) -> dict[str, str]:
    """The same for few rows: a long question for each of many columns would take longer than to look at the cells."""
    kinds = {}
    for first in range(0, len(guesses), _AT_ONCE):
        batch = guesses[first : first + _AT_ONCE]
        asked = ", ".join(f"{source.cell}, {source.number}" for source in batch)
        cells = list(zip(*db.execute(f"select {asked} from cells").fetchall(), strict=True))
        for place, source in enumerate(batch):
            pairs = list(zip(cells[2 * place], cells[2 * place + 1], strict=True))
            words = any(
                number is None and text is not None and text.strip(BLANKS) not in source.missing
                for text, number in pairs
            )
            finite = any(number is not None and np.isfinite(number) for _, number in pairs)
            kinds[source.name] = "number" if not words else "mixed" if finite else "text"
    return kinds


def count_rows(db: DuckDBPyConnection) -> int:
    """How many rows the relation ``cells`` has."""
    size: Any = db.execute("select count(*) from cells").fetchone()
    return int(size[0])


def _is_short(db: DuckDBPyConnection) -> bool:
    return 0 < count_rows(db) <= _FEW_ROWS


def _all_numbers(db: DuckDBPyConnection, guesses: Sequence[Source]) -> Iterator[str]:
    """The columns without any text but numbers: a short question first, for a wide table is mostly such columns."""
    for first in range(0, len(guesses), _AT_ONCE):
        batch = guesses[first : first + _AT_ONCE]
        counts = ", ".join(f"count({source.cell}), count({source.number})" for source in batch)
        found = db.execute(f"select {counts} from cells").fetchone() or ()
        for place, source in enumerate(batch):
            if found[2 * place] == found[2 * place + 1]:
                yield source.name


def is_word(source: Source) -> str:
    """SQL for whether a cell is there and is no number."""
    # the case looks at the text only where the cast failed: trimming is the slow part
    return f"case when ({source.number}) is not null then false else ({source.text}) is not null end"


def _numbers(db: DuckDBPyConnection, sources: Sequence[Source]) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for first in range(0, len(sources), _AT_ONCE):
        batch = sources[first : first + _AT_ONCE]
        items = [f"coalesce({source.number}, 'nan'::double) as n{place}" for place, source in enumerate(batch)]
        arrays = db.execute(f"select {', '.join(items)} from cells").fetchnumpy()
        found |= {source.name: np.asarray(arrays[f"n{place}"], np.float64) for place, source in enumerate(batch)}
    return found


def _texts(db: DuckDBPyConnection, sources: Sequence[Source]) -> dict[str, tuple[str | None, ...]]:
    """The texts of each column, where there are few rows: then a statement for each column would cost the most."""
    if not _is_short(db):
        return {}
    found: dict[str, tuple[str | None, ...]] = {}
    for first in range(0, len(sources), _AT_ONCE):
        batch = sources[first : first + _AT_ONCE]
        rows = db.execute(f"select {', '.join(source.cell for source in batch)} from cells").fetchall()
        found |= {source.name: cells for source, cells in zip(batch, zip(*rows, strict=True), strict=True)}
    return found


def _told_apart(db: DuckDBPyConnection, source: Source) -> tuple[list[str], np.ndarray]:
    """The different texts of a column, and for each row which one it has; -1 for none."""
    distinct = f"select distinct {source.cell} as v from cells where v is not null order by 1"
    found = [row[0] for row in db.execute(distinct).fetchall()]
    if not found:
        return found, np.full(count_rows(db), -1, dtype=np.int32)
    db.execute("drop type if exists category")
    db.execute(f"create type category as enum ({distinct})")
    code = f"coalesce(enum_code(cast({source.cell} as category))::integer, -1)"
    return found, np.asarray(db.execute(f"select {code} as c from cells").fetchnumpy()["c"], np.int32)


def _codes(
    db: DuckDBPyConnection,
    source: Source,
    texts: Sequence[str | None] | None,
    **about: Any,
) -> Filled:
    # the cells are told apart as they stand; trimming and markers are then a matter of the few distinct ones
    if texts is None:
        raw, codes = _told_apart(db, source)
    else:
        raw = list(dict.fromkeys(text for text in texts if text is not None))
        number = {text: i for i, text in enumerate(raw)}
        codes = np.fromiter((-1 if text is None else number[text] for text in texts), np.int32, len(texts))
    plain = [text.strip(BLANKS) for text in raw]
    pairs = zip(plain, plain if source.trims else raw, strict=True)
    found = [None if trimmed in source.missing else text for trimmed, text in pairs]
    return fill_texts(source.name, found, codes, **about)


def _warn_mixed(db: DuckDBPyConnection, source: Source) -> None:
    found = db.execute(
        f"select distinct {source.text} from cells where {is_word(source)} order by 1 limit 4"
    ).fetchall()
    warn_of_words(source.name, [row[0] for row in found])
