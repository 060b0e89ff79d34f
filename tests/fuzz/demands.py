"""Demands: what a case must show."""

from __future__ import annotations

__all__ = ["demand"]


def demand(is_so: bool, words: str) -> None:
    """Raise AssertionError unless it is so."""
    if not is_so:
        raise AssertionError(words)
