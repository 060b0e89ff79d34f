"""One command, one honest answer, by calling this package: ``clearwood.best(table)``."""

from clearwood.best.procedure import best
from clearwood.callable_package import make_callable

__all__ = ["best"]

make_callable(__name__, best)
