"""Tree pages: the trees that a comparison speaks of, grown from all rows, as pages beside its report."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.evaluate.fronts import Front, FrontEntry, entry_of
from clearwood.evaluate.intervals import Interval
from clearwood.evaluate.models import takes_tables
from clearwood.read.notes import warn
from clearwood.tree import Tree
from clearwood.view.page.page import Page
from clearwood.wording import accuracy_words

if TYPE_CHECKING:
    from clearwood.studies.comparison import Comparison
    from clearwood.table import Table

__all__ = ["TreePage", "write_tree_pages"]


@dataclass(frozen=True)
class TreePage:
    """The name of a page's file, and the trees on it by the learners' names."""

    file: str
    trees: Mapping[str, Tree]


def write_tree_pages(
    comparison: Comparison, learners: Mapping[str, Any], tables: Mapping[str, Table], folder: Path, seed: int = 0
) -> dict[str, TreePage]:
    """Write a page for each data set with every learner's tree, and its error in the comparison's folds.

    Parameters
    ----------
    comparison : Comparison
        What was shown in the folds.
    learners, tables : mappings by the comparison's names
        What to fit. Learners that do not end in one tree are left out, as are those that failed in every fold of a
        table, or fail with all its rows, and tables that are not given.
    folder : Path
        Where the report is.
    seed : int
        The ``random_state`` of learners that have none.

    Returns
    -------
    dict
        The pages by data set.
    """
    written: dict[str, TreePage] = {}
    intervals = comparison.summary("accuracy")
    for data in comparison.data:
        if data not in tables:
            continue
        entries = []
        for name in comparison.learners:
            if name not in learners or _failed(comparison, data, name):
                continue
            tree = _grown(learners[name], tables[data], seed, name)
            if tree is not None:
                mean = intervals[data, name].mean
                known = "" if mean != mean else accuracy_words(mean, comparison.cv, comparison.repeats)
                entries.append(_entry(tree.with_facts(data=data, accuracy=known), name, intervals[data, name]))
        if entries:
            file = _file_name(data, {page.file for page in written.values()})
            facts = [("folds", f"{comparison.cv}-fold cross-validation, {comparison.repeats} times")]
            facts += [("command", comparison.command)] if comparison.command else []
            Page(Front(entries), tables[data], title=f"Trees for {data}", facts=facts).write(folder / file)
            written[data] = TreePage(file, {entry.learner: entry.tree for entry in entries})
    return written


def _failed(comparison: Comparison, data: str, learner: str) -> bool:
    """Whether a learner has units of a data set, and none of them is done."""
    ends = [r.status for r in comparison.results if (r.unit.data, r.unit.learner) == (data, learner)]
    return bool(ends) and "done" not in ends


def _grown(learner: Any, table: Table, seed: int, name: str) -> Tree | None:
    from sklearn.base import clone

    if not takes_tables(learner):
        return None
    twin = clone(learner)
    known = twin.get_params()
    if isinstance(known.get("unlabelled"), str):
        return None  # it learns from the tests of a fold, and a tree of all rows has none
    twin.set_params(**{key: value for key, value in {"progress": False}.items() if key in known})
    if known.get("random_state", 0) is None:
        twin.set_params(random_state=seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the folds have said the same before
            tree = getattr(twin.fit(table), "tree_", None)
    except Exception as error:  # whatever a learner raises, the others' trees and the report are wanted
        warn(f"{name} has no tree of all rows of {table.name}: {' '.join(str(error).split()) or type(error).__name__}")
        return None
    return tree if isinstance(tree, Tree) else None


def _entry(tree: Tree, name: str, accuracy: Interval) -> FrontEntry:
    plain = entry_of(tree)
    error = Interval(1 - accuracy.mean, 1 - accuracy.high, 1 - accuracy.low, accuracy.confidence)
    held_out = None if error.mean != error.mean or error.low != error.low else error  # NaN differs from itself
    return FrontEntry(plain.n_leaves, tree, plain.training_error, error.mean, held_out, plain.n_features, learner=name)


def _file_name(data: str, taken: set[str]) -> str:
    """A file name that says what the data set is called, and no other page has.

    >>> _file_name("C:/data set 1.csv", {"trees-C-data-set-1.csv.html"})
    'trees-C-data-set-1.csv-2.html'
    """
    stem = "trees-" + (re.sub(r"[^\w.]+", "-", data).strip("-.") or "data")
    name, n = f"{stem}.html", 1
    while name in taken:
        n += 1
        name = f"{stem}-{n}.html"
    return name
