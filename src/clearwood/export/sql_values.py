"""Values: whether a nominal column has one of some values, in SQL, matched as predictions match them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from clearwood.booleans import spellings
from clearwood.export.sql_dialects import Dialect
from clearwood.export.sql_words import joined

if TYPE_CHECKING:
    from clearwood.table import Column

__all__ = ["Values"]


class Values:
    """A nominal column under its name in a statement, cast so that a cell of any type is compared as text.

    >>> from clearwood.export.sql_dialects import find_dialect
    >>> from clearwood.table import Column
    >>> Values(Column("sky", ("sun", "rain")), "sky", find_dialect("duckdb")).among([1])
    "CAST(sky AS VARCHAR) COLLATE C = 'rain'"
    """

    def __init__(self, column: Column, name: str, dialect: Dialect) -> None:
        folded, meant = spellings(column.values or ())
        self.texts = [[dialect.text(text) for text in texts] for texts in meant]
        value = f"CAST({name} AS {dialect.text_type})"
        self.cell = (f"lower({value})" if folded else value) + dialect.collation

    def among(self, codes: Sequence[int]) -> str:
        """What is true for the rows that have a value of these codes; NULL or false for all others."""
        plain = [self.texts[code][0] for code in codes if len(self.texts[code]) == 1]
        groups = [plain, *(self.texts[code] for code in codes if len(self.texts[code]) > 1)]
        tests = [self._is_one_of(texts) for texts in groups if texts or len(groups) == 1]
        return tests[0] if len(tests) == 1 else f"({joined(tests, 'OR')})"

    def _is_one_of(self, texts: Sequence[str]) -> str:
        return f"{self.cell} = {texts[0]}" if len(texts) == 1 else f"{self.cell} IN ({', '.join(texts)})"
