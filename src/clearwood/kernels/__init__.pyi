"""The compiled kernels have no types of their own: whatever is asked of them is Any."""

from typing import Any

def __getattr__(name: str) -> Any: ...
