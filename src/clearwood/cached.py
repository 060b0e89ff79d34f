"""cached_property: an attribute that is computed when it is first asked for.

Python 3.11's own holds a lock meanwhile that all objects of a class share, so that threads which ask different tables
for their sorted columns would wait for one another.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801  # called as what it stands for
        """functools' own without its lock: two threads that ask at once compute the same value twice."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            values = vars(instance)
            if self.attrname not in values:
                values[self.attrname] = self.func(instance)
            return values[self.attrname]
