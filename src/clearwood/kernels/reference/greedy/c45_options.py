"""Options of C4.5, with J48's defaults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class C45Options:
    """What can be asked of C4.5; the names are those of ``C45Classifier``, ``relocate`` is the twins' own.

    ``relocate`` moves a threshold down to a value that occurs in the table.
    """

    criterion: str = "gain_ratio"
    confidence: float = 0.25
    min_leaf: float = 2
    prune: bool = True
    collapse: bool = True
    raise_subtrees: bool = True
    binary_splits: bool = False
    mdl_correction: bool = True
    laplace: bool = False
    error_estimate: str = "j48"
    max_depth: int | None = None
    min_gap: float = 1e-5
    relocate: bool = True
