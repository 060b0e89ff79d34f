"""Columns: what each field of a scanned relation is to a tree, and the SQL for its number or code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clearwood.booleans import BOOLEANS
from clearwood.column import Column
from clearwood.read.assemble import to_nominal, to_numeric, to_ordered
from clearwood.read.notes import quoted
from clearwood.read.numerals import is_number, number_text, parse_number
from clearwood.read.request import Request
from clearwood.read.values import BLANKS, fill_texts, warn_of_words
from clearwood.scan.engines.engine import Engine, Field

__all__ = ["MOST_VALUES", "Cells", "resolve", "resolve_class"]

MOST_VALUES = 100_000
"""A nominal column of more different values names the rows, and a list of them does not belong in memory."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A column, and how its cells are had from the field: its number, or what stands beside its value in a list.

    ``keys`` are the field's values, texts or numbers, and ``results`` the code or number of each; without them the
    number counts as it is.
    """

    column: Column
    field: Field
    keys: tuple[str | float, ...] | None = None
    results: tuple[float, ...] = ()

    def sql(self, engine: Engine) -> str:
        """The number or code of the row's cell, NULL where it is missing."""
        if self.keys is None:
            return self.field.number
        if not self.keys:
            return f"CAST(NULL AS {engine.dialect.number_type})"
        return engine.lookup(self.field.text or self.field.number, self.keys, self.results)


def resolve(engine: Engine, field: Field, request: Request, source: str, stated: Column | None = None) -> Cells:
    """What a feature is: as stated, else by the rules by which files are read."""
    if field.odd:
        raise ValueError(
            f"{source}: column {field.name!r} is of type {field.odd}, which a tree cannot test; leave it out with "
            f"ignore=[{field.name!r}]."
        )
    name = field.name
    if stated is not None:
        return _as_stated(engine, field, request, stated, source)
    if name in request.nominal or name in request.ordered:
        keys = _distinct(engine, field, request, source)
        found = to_nominal(_filled(field, keys, **request.about(name, None)))
        if name in request.ordered:
            levels = request.ordered[name] or None
            if levels is None and not all(map(is_number, found[0].values or ())):
                raise ValueError(
                    f"{source} does not say how the values of {name!r} are ordered; give its levels from low to high, "
                    f"as in ordered={{{name!r}: ['low', 'high']}}."
                )
            found = to_ordered(found, levels, source)
        return _cells(field, keys, found)
    if field.kind == "bool":
        return Cells(Column(name, BOOLEANS), field)
    if field.kind != "text":
        return Cells(Column(name, is_date=field.kind == "date"), field)
    listed = _listed(engine, field, request)
    if listed is None:
        numbers = engine.unlisted(field)
        if numbers is None:
            raise _too_many(engine, field, source)
        return Cells(Column(name, is_date=numbers.kind == "date" and name not in request.numeric), numbers)
    found = _filled(field, listed, **request.about(name, None))
    if name in request.numeric:
        found = to_numeric(found, request, source, listed=True)
    return _cells(field, listed, found)


def resolve_class(engine: Engine, field: Field, request: Request, source: str, stated: Column | None = None) -> Cells:
    """What the target is: always nominal; numbers must be whole unless it is stated as nominal."""
    if field.odd:
        raise ValueError(f"{source}: the target {field.name!r} is of type {field.odd}; name another target.")
    if stated is not None:
        return _as_stated(engine, field, request, stated, source)
    if field.kind == "bool":
        return Cells(Column(field.name, BOOLEANS), field)
    keys = _distinct(engine, field, request, source)
    column, cells = _filled(field, keys, units=False, **request.about(field.name, field.name))
    if column.kind == "numeric" and field.name not in request.nominal:
        broken = cells[~np.isnan(cells) & ((cells != np.floor(cells)) | np.isinf(cells))]
        if len(broken):
            raise ValueError(
                f"{source}: the target {field.name!r} is numeric (a row holds {broken[0]:g}), and a tree predicts "
                f"classes; name another target, or state nominal=[{field.name!r}] to take each number as a class."
            )
    return _cells(field, keys, to_nominal((column, cells)))


def _as_stated(engine: Engine, field: Field, request: Request, stated: Column, source: str) -> Cells:
    """The field as a column that the caller describes; a value that it does not declare is missing."""
    if stated.declared is None:
        if field.written and field.kind == "text":
            asked = replace(request, numeric=(*request.numeric, stated.name))
            return replace(resolve(engine, field, asked, source), column=stated)
        if field.kind == "text":
            raise ValueError(f"{source}: columns calls {stated.name!r} numeric, but the field holds text.")
        return Cells(stated, field)
    if field.kind == "bool" and stated.declared == BOOLEANS:
        return Cells(stated, field)
    code = {value: place for place, value in enumerate(stated.declared)}
    named = _values(engine, field, request, source)
    if field.written:  # a declared value may be the name of a number that is written otherwise, as 1 is of 01
        named = {key: value if value in code else _name_of_number(value) for key, value in named.items()}
    keys = [key for key, value in named.items() if value in code]
    return Cells(stated, field, tuple(keys), tuple(float(code[named[key]]) for key in keys))


def _name_of_number(text: str) -> str:
    return number_text(parse_number(text)) if is_number(text) and np.isfinite(parse_number(text)) else text


def _values(engine: Engine, field: Field, request: Request, source: str) -> Mapping[Any, str]:
    """What each value that occurs is called."""
    keys = _distinct(engine, field, request, source)
    column, codes = to_nominal(_filled(field, keys, nominal=True))
    values = column.values or ()
    return {key: values[code] for key, code in zip(keys, codes.tolist(), strict=True)}


def _filled(
    field: Field,
    keys: Sequence[Any],
    *,
    nominal: bool = False,
    quiet: bool = False,
    dates: str | None = None,
    units: bool = True,
) -> tuple[Column, np.ndarray]:
    """The column of a field's different values, each of which is a cell; ``units`` may stand beside numbers."""
    places = np.arange(len(keys), dtype=np.int32)
    if field.kind == "text":
        texts = [key.strip(BLANKS) for key in keys] if field.written else list(keys)
        found: tuple[Column, np.ndarray] = fill_texts(
            field.name,
            texts,
            places,
            nominal=nominal,
            numbers=field.written,
            quiet=quiet,
            dates=dates,
            comma=field.comma,
            units=units,
        )
        if field.written and found[0].is_nominal and not nominal and not quiet:
            numbers = {text for text in texts if text.isascii() and is_number(text)}
            if any(np.isfinite(parse_number(text)) for text in numbers):
                warn_of_words(field.name, sorted({*texts} - numbers))
        return found
    if field.kind == "bool":
        return Column(field.name, BOOLEANS), np.array(keys, dtype=np.int32)
    return Column(field.name, is_date=field.kind == "date"), np.array(keys, dtype=np.float64)


def _cells(field: Field, keys: Sequence[Any], found: tuple[Column, np.ndarray]) -> Cells:
    column, results = found
    known = results >= 0 if column.is_nominal else ~np.isnan(results)
    kept = [(key, float(result)) for key, result, there in zip(keys, results, known, strict=True) if there]
    return Cells(column, field, tuple(key for key, _ in kept), tuple(result for _, result in kept))


def _distinct(engine: Engine, field: Field, request: Request, source: str) -> list[Any]:
    """The different values of a field, sorted; those that mean missing are left out."""
    values = _listed(engine, field, request)
    if values is None:
        raise _too_many(engine, field, source)
    return values


def _listed(engine: Engine, field: Field, request: Request) -> list[Any] | None:
    """The same, or None where there are more than a list may hold."""
    cell = field.text or field.number
    statement = f"SELECT DISTINCT {cell} AS v FROM {engine.relation} WHERE {cell} IS NOT NULL LIMIT {MOST_VALUES + 1}"
    values = [row[0] for row in engine.texts(statement)]
    if len(values) > MOST_VALUES:
        return None
    if field.kind == "text":
        markers = {marker.strip(BLANKS) for marker in request.missing}
        return sorted(value for value in values if value.strip(BLANKS) not in markers)
    return sorted(float(value) for value in values)


def _too_many(engine: Engine, field: Field, source: str) -> ValueError:
    told = f"{source}: column {field.name!r} holds more than {MOST_VALUES} different values"
    leave = f"leave it out with ignore=[{field.name!r}]"
    if field.written and field.kind == "text":
        some = engine.texts(f"SELECT max({field.text}) AS v FROM {engine.relation}")[0][0]
        return ValueError(
            f"{told}, such as {quoted(some)}, that are neither numbers nor ISO dates throughout; {leave}, name what "
            f"means missing by missing=[…], or convert the file to Parquet with numbers or dates in that column."
        )
    return ValueError(
        f"{told}, and a tree has a branch or a list for each; {leave}"
        + ("." if field.kind == "text" else ", or do not state it as nominal.")
    )
