"""A saved tree: read back from its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from clearwood.tree import Tree

__all__ = ["load_tree"]


def load_tree(path: Path) -> Tree:
    """The tree in a file; a file that holds none raises ValueError with its name."""
    from clearwood.tree import Tree

    try:
        return Tree.from_json(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
