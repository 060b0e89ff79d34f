"""The rows of an ARFF file: dense or sparse, each with an optional weight."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clearwood.read.arff_header import Attribute
from clearwood.read.arff_tokens import Token, tokenize
from clearwood.read.notes import quoted

__all__ = ["EPOCH", "QUOTED_MARK", "RowReader"]

QUOTED_MARK = "\x00?"
"""Stands for a value that is a question mark in quotes; without quotes it means missing."""

EPOCH = "\x000"
"""Stands for a date that a sparse row leaves out: the number 0."""

_SPECIAL = re.compile("['\"{}%]")


class RowReader:
    """Turns lines into rows of raw cells; ``?`` is missing.

    Almost every line of almost every file is plain, so a plain line is split at its commas and nothing more; a line
    with quotes, braces, a comment, or cells that blanks separate is tokenized.
    """

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.width = len(attributes)
        self.blank = [self._left_out(attribute) for attribute in attributes]
        # an empty cell would pass for a declared empty value, and a blank line for the only cell of a row
        self.always_careful = self.width == 1 or any("" in attribute.values for attribute in attributes)

    @staticmethod
    def _left_out(attribute: Attribute) -> str:
        if attribute.kind == "nominal":
            first = attribute.values[0] if attribute.values else "?"
            return QUOTED_MARK if attribute.values and first == "?" else first
        return EPOCH if attribute.kind == "date" else "0"

    def read_block(self, lines: Sequence[str]) -> tuple[list[list[str]], list[float] | None, int]:
        """The rows of some lines, their weights if any row has one, and how many lines were read without fault.

        Fewer lines than given means that :meth:`explain` knows what is wrong with the next one.
        """
        if not self.always_careful and not _SPECIAL.search("\n".join(lines)):
            rows = [line.split(",") for line in lines]
            if all(len(row) == self.width for row in rows):
                return rows, None, len(lines)
        rows, weighted = [], False
        weights: list[float] = []
        for place, line in enumerate(lines):
            try:
                row, weight = self.read_line(line)
            except ValueError:
                return rows, weights if weighted else None, place
            if row is not None:
                rows.append(row)
                weights.append(1.0 if weight is None else weight)
                weighted = weighted or weight is not None
        return rows, weights if weighted else None, len(lines)

    def explain(self, line: str) -> str:
        """What is wrong with a line that :meth:`read_block` stopped at."""
        try:
            self.read_line(line)
        except ValueError as error:
            return str(error)
        raise AssertionError("the line has no fault")

    def read_line(self, line: str) -> tuple[list[str] | None, float | None]:
        """The cells and the weight of one line; no cells for a line that is blank or a comment."""
        if not self.always_careful and not _SPECIAL.search(line):
            row = line.split(",")
            if len(row) == self.width:
                return row, None
        tokens = tokenize(line)
        if not tokens:
            return None, None
        if tokens[0].kind == "{":
            return self._sparse(tokens)
        return self._dense(tokens)

    def _dense(self, tokens: list[Token]) -> tuple[list[str], float | None]:
        weight = None
        opening = next((i for i, token in enumerate(tokens) if token.kind == "{"), None)
        if opening is not None:
            weight = _weight(tokens[opening:])
            tokens = tokens[:opening]
        row: list[str] = []
        after_comma = True
        for token in tokens:
            if token.kind == ",":
                if after_comma:
                    raise ValueError(f"cell {len(row) + 1} is empty; write ? for a missing value.")
                after_comma = True
            elif token.kind == "}":
                raise ValueError("'}' without '{'; a value with a brace needs quotes.")
            else:
                row.append(_cell(token))
                after_comma = False
        if len(row) != self.width:
            raise ValueError(f"{len(row)} cells for {self.width} attributes.")
        return row, weight

    def _sparse(self, tokens: list[Token]) -> tuple[list[str], float | None]:
        closing = next((i for i, token in enumerate(tokens) if token.kind == "}"), None)
        if closing is None:
            raise ValueError("a sparse row is not closed by '}'.")
        inside = [token for token in tokens[1:closing] if token.kind != ","]
        rest = [token for token in tokens[closing + 1 :] if token.kind != ","]
        if len(inside) % 2 or any(token.kind == "{" for token in inside):
            raise ValueError("a sparse row must hold pairs of an index and a value.")
        row = list(self.blank)
        seen: set[int] = set()
        for key, token in zip(inside[::2], inside[1::2], strict=True):
            if not key.text.isdecimal() or int(key.text) >= self.width:
                raise ValueError(f"index {quoted(key.text)} in a sparse row is not one of 0 to {self.width - 1}.")
            index = int(key.text)
            if index in seen:
                raise ValueError(f"index {index} occurs twice in a sparse row.")
            seen.add(index)
            row[index] = _cell(token)
        return row, _weight(rest) if rest else None


def _cell(token: Token) -> str:
    return QUOTED_MARK if token.kind == "quoted" and token.text == "?" else token.text


def _weight(tokens: Sequence[Token]) -> float:
    if [token.kind for token in tokens] != ["{", "word", "}"]:
        raise ValueError("a row weight must be one number in braces at the end of the row.")
    try:
        weight = float(tokens[1].text)
    except ValueError:
        weight = -1.0
    if not 0 <= weight < float("inf"):
        raise ValueError(f"a row weight must be finite and not negative, got {tokens[1].text}.")
    return weight
