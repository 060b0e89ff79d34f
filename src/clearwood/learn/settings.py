"""Settings: a learner's options as people type them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

__all__ = ["parse_settings", "parse_value"]

_PYTHON_WORDS = {"None": None, "none": None, "True": True, "False": False}


def parse_value(text: str) -> Any:
    """A value from its text: a number, true, false, none, a JSON list, or else plain text.

    >>> [parse_value(text) for text in ("0.1", "false", "None", "gini")]
    [0.1, False, None, 'gini']
    """
    if text in _PYTHON_WORDS:
        return _PYTHON_WORDS[text]
    try:
        return json.loads(text)
    except ValueError:
        return text


def parse_settings(texts: Iterable[str]) -> dict[str, Any]:
    """Texts such as ``key=value`` or ``key=value,key=value`` as parameters; a comma inside a value stays there.

    >>> parse_settings(["confidence=0.1,criterion=gini", "sizes=[1,2]"])
    {'confidence': 0.1, 'criterion': 'gini', 'sizes': [1, 2]}
    """
    parsed = {}
    for text in texts:
        for setting in re.split(r",(?=\s*\w+=)", text):
            key, equals, value = setting.partition("=")
            if not equals or not key.strip():
                raise ValueError(f"an option must have the form KEY=VALUE, got {setting!r}.")
            parsed[key.strip()] = parse_value(value.strip())
    return parsed
