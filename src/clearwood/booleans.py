"""Booleans: the one spelling of truth values as nominal values, and the other spellings that mean the same."""

from __future__ import annotations

from collections.abc import Collection, Sequence

__all__ = ["BOOLEANS", "are_booleans", "boolean_text", "spellings", "truth"]

BOOLEANS = ("false", "true")
"""The values of a column of truth values, whatever it was read from."""

_LOOSE = (("false", "f", "0"), ("true", "t", "1"))  # PostgreSQL writes t and f into a CSV, SQLite keeps 1 and 0


def truth(text: str) -> bool | None:
    """The truth value that a text spells in any case; None for any other text.

    >>> truth("True"), truth("FALSE"), truth("yes")
    (True, False, None)
    """
    return {"false": False, "true": True}.get(text.lower())


def boolean_text(cell: object) -> str:
    """A truth value in the one spelling; any other cell as its text.

    >>> boolean_text(True), boolean_text("yes")
    ('true', 'yes')
    """
    return BOOLEANS[cell] if isinstance(cell, bool) else str(cell)


def are_booleans(values: Collection[str]) -> bool:
    """Whether there are values, and each spells a truth value.

    >>> are_booleans({"True", "False"}), are_booleans({"True", "maybe"}), are_booleans(())
    (True, False, False)
    """
    return bool(values) and all(truth(value) is not None for value in values)


def spellings(values: Sequence[str]) -> tuple[bool, list[tuple[str, ...]]]:
    """For each declared value the texts that mean it, and whether texts are put in lower case before they are compared.

    A column whose values are truth values knows them in any case, and as ``t`` and ``f`` or 1 and 0; beside other
    values a truth value is known in the three usual spellings. Everything else means only itself.

    >>> spellings(("False", "True"))
    (True, [('false', 'f', '0'), ('true', 't', '1')])
    >>> spellings(("True", "maybe"))
    (False, [('True', 'true', 'TRUE'), ('maybe',)])
    """
    truths = [truth(value) for value in values]
    if are_booleans(values) and len(set(truths)) == len(truths):
        return True, [_LOOSE[bool(known)] for known in truths]
    meant = []
    for value, known in zip(values, truths, strict=True):
        alone = known is not None and truths.count(known) == 1
        usual = (value, value.lower(), value.title(), value.upper()) if alone else (value,)
        meant.append(tuple(dict.fromkeys(usual)))
    return False, meant
