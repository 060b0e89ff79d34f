"""One command, one honest answer, by calling this package: ``clearwood.best(table)``."""

from __future__ import annotations

import sys
from inspect import signature
from types import ModuleType

from clearwood.best.procedure import best

__all__ = ["best"]


class _CallableModule(ModuleType):
    """This package: its submodules are the steps, and calling it takes them."""

    __call__ = staticmethod(best)


sys.modules[__name__].__class__ = _CallableModule
sys.modules[__name__].__signature__ = signature(best)  # type: ignore[attr-defined]
