"""Callable packages: a package that does what it is named after when it is called, as ``clearwood.read(file)`` does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import signature
from types import ModuleType
from typing import Any

__all__ = ["make_callable"]


def make_callable(package: str, function: Callable[..., Any]) -> None:
    """Let a call of a package, which is being imported, be one of a function.

    >>> import clearwood as cw, pandas as pd
    >>> cw.read(pd.DataFrame({"age": [38, 52], "ill": ["no", "yes"]}), target="ill").n_rows
    2
    """
    own = type("CallableModule", (ModuleType,), {"__call__": staticmethod(function), "__doc__": function.__doc__})
    module = sys.modules[package]
    module.__class__ = own
    module.__signature__ = signature(function)  # type: ignore[attr-defined]
