"""Checkpoint: a search's state in a file that is always whole and safe to load."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from clearwood.whole_file import write_whole

__all__ = ["Checkpoint", "fingerprint", "pack_generator", "unpack_generator"]

FORMAT = "clearwood search 2"


class Checkpoint:
    """A file that holds one search.

    Parameters
    ----------
    path : str or path
        Where; the folder must exist.
    fingerprint : str
        Says which data and settings the search belongs to; a file with another one is refused.
    """

    def __init__(self, path: str | os.PathLike[str], fingerprint: str) -> None:
        self.path = Path(path)
        self._fingerprint = fingerprint
        if not self.path.parent.is_dir():
            raise FileNotFoundError(f"checkpoint={str(path)!r}: the folder {str(self.path.parent)!r} does not exist.")
        if self.path.is_dir():
            raise IsADirectoryError(f"checkpoint={str(path)!r} is a folder; give the name of a file.")

    def save(self, state: dict[str, np.ndarray]) -> None:
        """Write the state beside the file, then put it in its place: a kill at any moment leaves a whole file."""
        marks = {"format": np.array(FORMAT), "fingerprint": np.array(self._fingerprint)}
        named = {f"state {key}": array for key, array in state.items()}
        write_whole(self.path, lambda file: np.savez(file, allow_pickle=False, **marks, **named))

    def load(self) -> dict[str, np.ndarray] | None:
        """The state in the file, or None if there is no file yet."""
        if not self.path.exists():
            return None
        try:
            _check_sizes(self.path)
            with np.load(self.path, allow_pickle=False) as file:
                found = {key: file[key] for key in file.files}
        except Exception as error:  # the libraries raise many kinds for files that were changed
            raise self.refused(f"cannot be read ({' '.join(str(error).split())[:200]})") from None
        if str(found.pop("format", "")) != FORMAT:
            raise self.refused("is not a search of this release")
        if str(found.pop("fingerprint", "")) != self._fingerprint:
            raise self.refused("belongs to other data or other settings", "give another file, or delete it")
        return {key.removeprefix("state "): array for key, array in found.items()}

    def refused(self, why: str, remedy: str = "delete it") -> ValueError:
        """The error that says why the file cannot be gone on from."""
        return ValueError(f"checkpoint={str(self.path)!r} {why}; {remedy} to start anew.")


def _check_sizes(path: Path) -> None:
    """Refuse a file whose arrays are larger than itself: ours are stored as they are, so it would unpack to more."""
    with zipfile.ZipFile(path) as file:
        unpacked = sum(member.file_size for member in file.infolist())
    if unpacked > path.stat().st_size:
        raise ValueError(f"its arrays would fill {unpacked:,} bytes")


def fingerprint(*parts: object) -> str:
    """A short text that differs when any part does, by what it prints.

    >>> fingerprint("setgen", {"cv": 10}) == fingerprint("setgen", {"cv": 5})
    False
    """
    return hashlib.blake2b("\0".join(map(repr, parts)).encode(), digest_size=12).hexdigest()


def pack_generator(rng: np.random.Generator) -> np.ndarray:
    """A generator's state as an array that a checkpoint can keep."""
    return np.array(json.dumps(rng.bit_generator.state, default=_as_list))


def unpack_generator(packed: np.ndarray) -> np.random.Generator:
    """The generator in the state that :func:`pack_generator` has packed.

    >>> rng = np.random.default_rng(3)
    >>> twin = unpack_generator(pack_generator(rng))
    >>> bool(rng.random() == twin.random())
    True
    """
    kinds = {"PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"}
    try:
        state = json.loads(str(packed))
        kind = state["bit_generator"]
        bits = getattr(np.random, kind)() if kind in kinds else None
        if bits is not None:
            bits.state = state
    except Exception:  # numpy raises many kinds for states that it does not know
        raise ValueError("the random generator's state cannot be read.") from None
    if bits is None:
        raise ValueError(f"the random generator must be one of {', '.join(sorted(kinds))}.")
    return np.random.Generator(bits)


def _as_list(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else str(value)
