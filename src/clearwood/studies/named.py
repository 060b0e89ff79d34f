"""Named: the learners and tables of a study, with the names that it knows them by."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clearwood.evaluate.models import check_classifier
from clearwood.learn.registry import make_learner

if TYPE_CHECKING:
    from clearwood.table import Table

__all__ = ["learners_by_name", "tables_by_name"]


def learners_by_name(learners: Any) -> dict[str, Any]:
    """Learners with the names that a study knows them by.

    Parameters
    ----------
    learners : one learner, a sequence, or a mapping of names to learners
        Each an estimator, or a text for :func:`~clearwood.learn.registry.make_learner`. A text is its own name; an
        estimator is called by what it prints.

    Examples
    --------
    >>> from clearwood import C45Classifier
    >>> list(learners_by_name(["cart", "c45:confidence=0.1", C45Classifier(min_leaf=5)]))
    ['cart', 'c45:confidence=0.1', 'C45Classifier(min_leaf=5)']
    """
    if isinstance(learners, Mapping):
        pairs = [(str(name), given) for name, given in learners.items()]
    else:
        single = isinstance(learners, str) or hasattr(learners, "fit")
        pairs = [(_learner_name(given), given) for given in ([learners] if single else learners)]
    if not pairs:
        raise ValueError("learners must name at least one learner, got none.")
    _refuse_twins("learners", "learner", [name for name, _ in pairs])
    made = {name: make_learner(given) if isinstance(given, str) else given for name, given in pairs}
    demand = "learners must hold classifiers or their names"
    return {name: check_classifier(learner, demand) for name, learner in made.items()}


def _learner_name(given: Any) -> str:
    return given if isinstance(given, str) else " ".join(repr(given).split())  # scikit-learn breaks long ones


def _refuse_twins(parameter: str, what: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{parameter} holds {twice[0]!r} twice; pass a dict that gives each {what} a name of its own.")


def tables_by_name(tables: Any) -> dict[str, Table]:
    """Tables with the names that a study knows them by: one table, a sequence, or a mapping of names to tables.

    A Table is called by its own name, a file by its name without the ending, a data set by its name.
    """
    from clearwood.read.given import read_table
    from clearwood.table import Table

    if isinstance(tables, Mapping):
        return {str(name): read_table(given) for name, given in tables.items()}
    single = isinstance(tables, Table | str | PathLike)
    pairs: list[tuple[str, Table]] = []
    for given in [tables] if single else tables:
        table = read_table(given)
        name = table.name or (Path(given).stem if isinstance(given, str | PathLike) else f"table {len(pairs) + 1}")
        pairs.append((name, table))
    if not pairs:
        raise ValueError("tables must name at least one table, got none.")
    _refuse_twins("tables", "table", [name for name, _ in pairs])
    return dict(pairs)
