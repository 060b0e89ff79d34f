"""Weighted sums: the terms of a hyper-plane in SQL, added as the tree adds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from clearwood.export.sql_dialects import Dialect
from clearwood.export.sql_numbers import largest_factor, vanishing

if TYPE_CHECKING:
    from clearwood.conditions import Plane

__all__ = ["weighted_sum"]

ORDINARY = (1e-15, 1e15)  # weights whose product with any cell between 1e-290 and 1e290 is a double


def weighted_sum(plane: Plane, parts: Sequence[str], dialect: Dialect, *, is_guarded: bool = True) -> str:
    """The terms of a plane, added from the first to the last.

    ``parts`` has for a number a double in SQL, and for a value of a nominal column what is true where a row has it:
    such a term is 0 for every other row, so that only numbers can make the sum NULL.

    Where it is not guarded, an engine that refuses products out of range reports an error for cells that no one
    measures (beyond 1e290, or nearer to 0 than 1e-290), and weights of ordinary size stand there plainly.

    >>> from clearwood.conditions import Plane
    >>> from clearwood.export.sql_dialects import find_dialect
    >>> from clearwood.table import Column
    >>> plane = Plane((1, 0), (Column("wind"), Column("sky", ("sun", "rain"))), (0.1, -2.0), codes=(-1, 1))
    >>> weighted_sum(plane, ["wind", "sky = 'rain'"], find_dialect("duckdb"))
    "(0.1 * wind - CASE WHEN sky = 'rain' THEN 2 ELSE 0 END)"
    """
    if dialect.most_terms and len(parts) > dialect.most_terms:
        raise ValueError(
            f"{dialect.name} adds at most {dialect.most_terms} terms in one expression, but a test of the tree is a "
            f"weighted sum of {len(parts)}; use another engine, or a tree with fewer terms at a test."
        )
    text = ""
    for part, weight, code in zip(parts, plane.weights, plane.codes, strict=True):
        sign = (" + ", " - ")[weight < 0] if text else ""
        if code >= 0 and text:
            text += f"{sign}CASE WHEN {part} THEN {dialect.number(abs(weight))} ELSE 0 END"
        elif code >= 0:  # the first is a double, or the engine would add decimals and whole numbers up exactly
            text = f"CASE WHEN {part} THEN CAST({dialect.number(weight)} AS {dialect.number_type}) ELSE 0.0 END"
        elif weight == -1 and not text:
            text = f"-1 * {part}"  # not -part: DuckDB turns -part < NaN into part > -NaN, which is never true
        else:
            odd = not ORDINARY[0] <= abs(weight) <= ORDINARY[1]
            first = "-" if weight < 0 and not text else ""
            text += sign + first + _product(abs(weight), part, dialect, is_guarded or odd)
    return f"({text})"


def _product(weight: float, value: str, dialect: Dialect, is_guarded: bool) -> str:
    product = value if weight == 1 else f"{dialect.number(weight)} * {value}"
    if not dialect.refuses_range or not is_guarded or weight == 1:
        return product
    if weight > 1:
        beyond = f"{value} * CAST('Infinity' AS {dialect.number_type})"
        return f"CASE WHEN abs({value}) > {dialect.number(largest_factor(weight))} THEN {beyond} ELSE {product} END"
    least = vanishing(weight)
    return f"CASE WHEN abs({value}) <= {dialect.number(least)} THEN 0 ELSE {product} END" if least else product
