"""Tokens of an ARFF line: words, quoted texts, braces and commas."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["BLANKS", "Token", "tokenize", "unescape"]

BLANKS = "".join(map(chr, range(33)))
"""What separates words, as in Weka: every character up to the blank, and no other."""

_TOKEN = re.compile(
    r"""[\x00-\x20]*(?:
        '(?P<single>(?:[^'\\]|\\.)*)' |
        "(?P<double>(?:[^"\\]|\\.)*)" |
        (?P<sign>[{},%]) |
        (?P<word>[^\x00-\x20,{}%'"][^\x00-\x20,{}%]*)
    )""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|.)")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "b": "\b", "a": "\a", "v": "\v"}


class Token(NamedTuple):
    """A piece of a line; ``kind`` is "word", "quoted", or the sign itself: ``{``, ``}``, ``,``."""

    kind: str
    text: str


def _escaped(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) == 5:
        return chr(int(code[1:], 16))
    return chr(int(code, 8)) if code[0] in "01234567" else _CONTROLS.get(code, code)


def unescape(text: str) -> str:
    r"""The text that stands between quotes, with its escapes resolved.

    >>> unescape(r"it\'s 5\%\u00e9")
    "it's 5%é"
    """
    if "\\" not in text:
        return text
    # Java writes a character beyond U+FFFF as two escapes; the round trip joins the halves
    plain = _ESCAPE.sub(_escaped, text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if "\\u" in text else plain


def tokenize(line: str) -> list[Token]:
    """The tokens of one line; a ``%`` outside quotes begins a comment.

    >>> [token.text for token in tokenize("@attribute 'my age' {young, old} % two values")]
    ['@attribute', 'my age', '{', 'young', ',', 'old', '}']
    """
    tokens, at, end = [], 0, len(line.rstrip(BLANKS))
    while at < end:
        match = _TOKEN.match(line, at)
        if match is None:
            raise ValueError("a quote is opened and not closed")
        at = match.end()
        kind = match.lastgroup
        text = match[kind or 0]
        if kind == "sign":
            if text == "%":
                break
            tokens.append(Token(text, text))
        elif kind == "word":
            tokens.append(Token("word", text))
        else:
            tokens.append(Token("quoted", unescape(text)))
    return tokens
