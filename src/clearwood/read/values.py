"""Values: what a column of text is, from the different texts that it holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from clearwood.booleans import BOOLEANS, are_booleans, truth
from clearwood.moments import parse_moments
from clearwood.read.assemble import Filled
from clearwood.read.numerals import order_values
from clearwood.table import Column

__all__ = ["declare_values", "fill_texts"]


def fill_texts(name: str, texts: Sequence[str | None], codes: np.ndarray, *, nominal: bool = False) -> Filled:
    """The column of which each cell is one of the texts; None, and the code -1, mean missing.

    If all texts are ISO dates it is a column of moments, unless ``nominal`` says otherwise; else it is nominal.

    >>> fill_texts("born", ["1970-01-02", None], np.array([0, 1, -1]))
    (Column(name='born', values=None, is_date=True), array([86400000.,       nan,       nan]))
    """
    known = [text for text in texts if text is not None]
    moments = None if nominal else parse_moments(known)
    if moments is not None:
        number = dict(zip(known, moments, strict=True))
        numbers = np.array([*(np.nan if text is None else number[text] for text in texts), np.nan])
        return Column(name, is_date=True), numbers[codes]
    values, code = declare_values(set(known))
    translate = np.array([*(-1 if text is None else code[text] for text in texts), -1], dtype=np.int32)
    return Column(name, values), translate[codes]


def declare_values(texts: Collection[str]) -> tuple[tuple[str, ...], dict[str, int]]:
    """The values to declare, in order, and the code of each text.

    Truth values, however they are spelled, are ``false`` and ``true``, both of them even if one does not occur; other
    values are sorted, as numbers if all are numbers.

    >>> declare_values({"True", "FALSE"})[0], declare_values({"10", "9"})[0]
    (('false', 'true'), ('9', '10'))
    """
    if are_booleans(texts):
        return BOOLEANS, {text: int(bool(truth(text))) for text in texts}
    values = tuple(order_values(list(texts)))
    return values, {value: code for code, value in enumerate(values)}
