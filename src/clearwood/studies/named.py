"""Named: learners and tables from what people call them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clearwood.table import Table

__all__ = ["learners_by_name", "make_learner", "read_table", "tables_by_name"]


def learners_by_name(learners: Any) -> dict[str, Any]:
    """Learners with the names that a study knows them by.

    Parameters
    ----------
    learners : one learner, a sequence, or a mapping of names to learners
        Each an estimator, or a text for :func:`make_learner`. A text is its own name; an estimator is called by what
        it prints.

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
    return {name: make_learner(given) for name, given in pairs}


def _learner_name(given: Any) -> str:
    return given if isinstance(given, str) else " ".join(repr(given).split())  # scikit-learn breaks long ones


def _refuse_twins(parameter: str, what: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{parameter} holds {twice[0]!r} twice; pass a dict that gives each {what} a name of its own.")


def make_learner(given: Any) -> Any:
    """A learner from ``c45``, ``c45:confidence=0.1,min_leaf=5`` or ``module:Class:key=value``; others as given.

    >>> make_learner("sklearn.tree:DecisionTreeClassifier:max_depth=3")
    DecisionTreeClassifier(max_depth=3)
    """
    from clearwood.learn.registry import LEARNERS
    from clearwood.learn.settings import split_settings

    if not isinstance(given, str):
        if isinstance(given, type) or not all(hasattr(given, name) for name in ("fit", "predict", "get_params")):
            raise TypeError(f"learners must hold classifiers or their names, got {given!r}.")
        return given
    name, _, rest = given.partition(":")
    if name in LEARNERS:
        home, options = LEARNERS[name], rest
    else:
        class_name, _, options = rest.partition(":")
        if not class_name or "=" in class_name:
            raise ValueError(_no_such("learner", name, LEARNERS, "or module:Class for a classifier of another library"))
        home = f"{name}:{class_name}"
    cls = _class(given, *home.split(":"))
    params = split_settings(options)
    made = cls()
    known = made.get_params()
    for key in params:
        if key not in known:
            raise ValueError(_no_such(f"option of {given.partition(':' + options)[0]}", key, known))
    made.set_params(**params)
    if hasattr(made, "_check_parameters"):
        try:
            made._check_parameters()  # at once, not in every unit
        except TypeError as error:
            raise ValueError(str(error)) from error
    return made


def _class(given: str, module: str, name: str) -> Any:
    try:
        home = import_module(module)
    except ModuleNotFoundError as error:
        raise ValueError(f"learner {given!r}: no module {error.name!r} is installed; see how it is spelt.") from None
    found = getattr(home, name, None)
    if not isinstance(found, type) or not all(hasattr(found, part) for part in ("fit", "predict", "get_params")):
        classes = [key for key, value in vars(home).items() if isinstance(value, type) and hasattr(value, "predict")]
        raise ValueError(f"learner {given!r}: {_no_such(f'classifier in {module}', name, classes)}")
    return found


def tables_by_name(tables: Any) -> dict[str, Table]:
    """Tables with the names that a study knows them by: one table, a sequence, or a mapping of names to tables.

    A Table is called by its own name, a file by its name without the ending, a data set by its name.
    """
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


def read_table(given: Any) -> Table:
    """A table from a path or a data set's name; a Table is given back as it is."""
    from clearwood.read import datasets, read
    from clearwood.table import Table

    if isinstance(given, Table):
        return given
    if not isinstance(given, str | PathLike):
        raise TypeError(f"tables must hold Tables, paths or names of data sets, got {type(given).__name__}.")
    try:
        return read(given)
    except FileNotFoundError as error:
        if isinstance(given, str) and Path(given).name == given and not Path(given).suffix:
            raise ValueError(f"{_no_such('data set', given, datasets.names())} {error}") from error
        raise


def _no_such(what: str, name: str, known: Iterable[str], also: str = "") -> str:
    """What is said of a name that is not known: the nearest one, and which there are.

    >>> _no_such("learner", "c54", ["cart", "c45"])
    "no learner 'c54'; did you mean 'c45'? There are: c45, cart."
    """
    names = sorted(known)
    near = get_close_matches(name, names, n=1) or get_close_matches(name.lower(), names, n=1)
    guess = f"; did you mean {near[0]!r}? There are" if near else "; there are"
    shown = ", ".join(names[:50]) + (", …" if len(names) > 50 else "") + (f", {also}" if also else "")
    return f"no {what} {name!r}{guess}: {shown or 'none'}."
