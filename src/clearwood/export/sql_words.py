"""Words: CASE, AND and || with many parts, written so that no engine nests too deep."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["PARTS", "case", "joined", "listed"]

# SQLite's parser holds 100 open tokens, of which a nested CASE takes six, and PostgreSQL tests WHENs one by one:
# 16 to a level puts 2,000 leaves on three levels with about 25 tests for a row.
PARTS = 16


def case(whens: Sequence[tuple[str, str]], otherwise: str = "") -> str:
    """A CASE of tests and results, one on each line; without tests just the other result, or NULL."""
    if not whens:
        return otherwise or "NULL"
    lines = [f"WHEN {test} THEN {result}" for test, result in whens]
    if otherwise:
        lines.append(f"ELSE {otherwise}")
    return "CASE\n  " + "\n  ".join(lines) + "\nEND"


def listed(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A relation of a few written rows: VALUES, the columns of which every engine lets a WITH name.

    >>> listed(["a", "b"], [["1", "2"], ["3", "4"]])
    '(WITH given(a, b) AS (VALUES (1, 2), (3, 4)) SELECT a, b FROM given)'
    """
    columns = ", ".join(names)
    written = ", ".join(f"({', '.join(row)})" for row in rows)
    return f"(WITH given({columns}) AS (VALUES {written}) SELECT {columns} FROM given)"


def joined(parts: Sequence[str], operator: str) -> str:
    """Parts joined by an operator, in brackets of 32: a chain of 1,000 would be 1,000 levels deep."""
    parts = list(parts)
    while len(parts) > 32:
        parts = [f"({f' {operator} '.join(parts[start : start + 32])})" for start in range(0, len(parts), 32)]
    return f" {operator} ".join(parts)
