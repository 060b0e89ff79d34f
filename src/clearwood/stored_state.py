"""StoredState: the arrays of a checkpoint, each looked at before a search goes on from it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

__all__ = ["StoredState"]


class StoredState:
    """Hands out arrays by name, checked for what they must be: a file may hold anything, and kernels trust arrays.

    Whatever is wrong raises ValueError, which names the array and what it must be.

    Parameters
    ----------
    arrays : mapping of names to arrays

    Examples
    --------
    >>> state = StoredState({"done": np.array(7), "order": np.array([2, 0, 1])})
    >>> state.whole("done", (), 0, 100).item()
    7
    >>> state.whole("order", (3,), 0, 1)
    Traceback (most recent call last):
    ...
    ValueError: order must lie between 0 and 1, got 2.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._arrays = arrays

    def __contains__(self, name: str) -> bool:
        return name in self._arrays

    def any(self, name: str) -> np.ndarray:
        """The array as it is, if there is one."""
        if name not in self._arrays:
            raise ValueError(f"{name} is missing.")
        return np.asarray(self._arrays[name])

    def shaped(self, name: str, shape: tuple[int | None, ...], kinds: str) -> np.ndarray:
        """An array of this shape, None for any length, whose kind of numbers is one of numpy's letters."""
        array = self.any(name)
        if array.dtype.kind not in kinds:
            raise ValueError(f"{name} must hold numbers of another kind than {array.dtype}.")
        fits = array.ndim == len(shape) and all(
            wanted in (None, have) for wanted, have in zip(shape, array.shape, strict=True)
        )
        if not fits:
            raise ValueError(f"{name} must have the shape {_said(shape)}, got {_said(array.shape)}.")
        return array

    def whole(self, name: str, shape: tuple[int | None, ...], low: int, high: int) -> np.ndarray:
        """Whole numbers from ``low`` to ``high``, both included."""
        array = self.shaped(name, shape, "iub")
        return self._within(name, array, low, high)

    def real(self, name: str, shape: tuple[int | None, ...], low: float = -np.inf, high: float = np.inf) -> np.ndarray:
        """Finite numbers from ``low`` to ``high``."""
        array = self.shaped(name, shape, "f")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} must hold finite numbers.")
        return self._within(name, array, low, high)

    def record(self, name: str, shape: tuple[int | None, ...], dtype: np.dtype) -> np.ndarray:
        """Structures of this very form."""
        array = self.shaped(name, shape, "V")
        if array.dtype != dtype:
            raise ValueError(f"{name} must hold {dtype}, got {array.dtype}.")
        return array

    @staticmethod
    def _within(name: str, array: np.ndarray, low: float, high: float) -> np.ndarray:
        bad = (array < low) | (array > high)
        if bad.any():
            raise ValueError(f"{name} must lie between {low} and {high}, got {array[bad].ravel()[0]}.")
        return array


def _said(shape: tuple[int | None, ...]) -> str:
    return " × ".join("any" if length is None else str(length) for length in shape) or "of one number"
