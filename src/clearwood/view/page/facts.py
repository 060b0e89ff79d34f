"""Facts: how the trees of a page came about, for its report."""

from __future__ import annotations

import platform
from collections.abc import Iterator

import numpy as np

from clearwood.evaluate.fronts import Front
from clearwood.table import Table
from clearwood.wording import percent, plural, visible

__all__ = ["facts_of"]


def facts_of(front: Front, table: Table | None, data: bool) -> list[tuple[str, str]]:
    """What the trees and the table say of themselves, as pairs of a name and a text."""
    return [*_of_table(table), *_of_front(front), *_of_page(table, data)]


def _of_table(table: Table | None) -> Iterator[tuple[str, str]]:
    if table is None:
        return
    kinds = f"{len(table.numeric)} numeric, {len(table.nominal)} nominal"
    size = f"{plural(table.n_rows, 'row')}, {plural(table.n_features, 'feature')} ({kinds})"
    yield "data", f"{visible(table.name) or 'a table'}: {size}"
    known = table.y[table.y >= 0]
    if table.classes and len(known):
        counts = np.bincount(known, minlength=len(table.classes))
        listed = [
            f"{visible(table.classes[k])} {percent(counts[k] / len(known))}"
            for k in np.argsort(-counts, kind="stable")[:12]
        ]
        rest = len(table.classes) - len(listed)
        yield "classes", ", ".join(listed) + (f" and {rest} more" if rest > 0 else "")
    gaps = int(np.isnan(table.numeric).sum() + (table.nominal < 0).sum())
    yield "missing cells", f"{gaps} of {table.n_rows * table.n_features}" if gaps else "none"
    if (table.weights != 1).any():
        yield "weights", f"rows weigh {table.weights.sum():g} together"
    yield "fingerprint", table.digest


def _of_front(front: Front) -> Iterator[tuple[str, str]]:
    learners: dict[str, int] = {}
    for entry in front:
        learners[entry.learner or "tree"] = learners.get(entry.learner or "tree", 0) + 1
    yield "trees", ", ".join(f"{plural(n, 'tree')} from {name}" for name, n in learners.items())
    if front.fold_errors is not None:
        yield (
            "folds",
            f"cross-validated over {len(front.fold_errors)} folds; each size's search is repeated in every fold",
        )


def _of_page(table: Table | None, data: bool) -> Iterator[tuple[str, str]]:
    from clearwood import __version__

    if table is not None and not data:
        yield "rows", "none are in this page, only counts"
    yield "made by", f"Clearwood {__version__}, NumPy {np.__version__}, Python {platform.python_version()}"
