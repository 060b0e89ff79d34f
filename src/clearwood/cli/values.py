"""Values: turn the texts of the command line into what Python functions take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from clearwood.table import Table
    from clearwood.tree import Tree

__all__ = ["check_name", "load_tree", "make_learner", "parse_settings", "read_table"]


def check_name(what: str, name: str, known: Iterable[str]) -> None:
    """Raise ValueError for a name that is not known, with the nearest one that is.

    >>> check_name("learner", "c54", ["c45", "cart"])
    Traceback (most recent call last):
    ValueError: no learner 'c54'; did you mean 'c45'? There are: c45, cart.
    """
    names = sorted(known)
    if name not in names:
        near = get_close_matches(name.lower(), names, n=1)
        guess = f"; did you mean {near[0]!r}? There are" if near else "; there are"
        raise ValueError(f"no {what} {name!r}{guess}: {', '.join(names)}.")


def parse_settings(settings: Sequence[str] | None) -> dict[str, Any]:
    """``key=value`` texts as parameters: numbers, true, false, none, or else plain text.

    >>> parse_settings(["confidence=0.1", "min_leaf=5", "prune=false", "max_depth=none", "criterion=gini"])
    {'confidence': 0.1, 'min_leaf': 5, 'prune': False, 'max_depth': None, 'criterion': 'gini'}
    """
    from clearwood.learn.settings import parse_value

    parsed = {}
    for setting in settings or ():
        key, equals, text = setting.partition("=")
        if not equals or not key:
            raise ValueError(f"--option must have the form KEY=VALUE, got {setting!r}.")
        parsed[key.strip()] = parse_value(text.strip())
    return parsed


def make_learner(name: str, settings: Sequence[str] | None, **common: Any) -> Any:
    """The named learner with the settings of ``--option``; ``common`` ones apply where the learner has them."""
    from clearwood.learn.registry import LEARNERS, learner

    check_name("learner", name, LEARNERS)
    made = learner(name)
    known = made.get_params()
    chosen = parse_settings(settings)
    for key in chosen:
        check_name(f"option of {name}", key, known)
    made.set_params(**{key: value for key, value in common.items() if key in known} | chosen)
    try:
        made._check_parameters()  # fit does so too, but only after the data has been read
    except TypeError as error:
        raise ValueError(str(error)) from error
    return made


def read_table(data: str, **options: Any) -> Table:
    """Read DATA with the options that were given; the others keep the reader's defaults."""
    from clearwood.read import read

    return read(data, **{key: value for key, value in options.items() if value is not None})


def load_tree(path: Path) -> Tree:
    """The tree in a file; a file that holds none raises ValueError with its name."""
    from clearwood.tree import Tree

    try:
        return Tree.from_json(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
