"""Spelling: what is said of a name that is not known, with the nearest one that is."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["check_name", "did_you_mean", "no_such"]

_MOST = 50  # names that a message lists


def did_you_mean(name: object, known: Iterable[object], otherwise: str = ".") -> str:
    """The end of a sentence about a wrong name: a question if one of the known names is near, else ``otherwise``.

    >>> did_you_mean("c54", ["c45", "cart"]), did_you_mean("CART", ["c45", "cart"]), did_you_mean("x", ["c45"])
    ("; did you mean 'c45'?", "; did you mean 'cart'?", '.')
    """
    from difflib import get_close_matches

    names = [str(one) for one in known]
    near = get_close_matches(str(name), names, n=1) or get_close_matches(str(name).lower(), names, n=1)
    return f"; did you mean {near[0]!r}?" if near else otherwise


def no_such(what: str, name: str, known: Iterable[str], also: str = "") -> str:
    """What is said of a name that is not known: the nearest one, and which there are.

    >>> no_such("learner", "c54", ["cart", "c45"], "or module:Class")
    "no learner 'c54'; did you mean 'c45'? There are: c45, cart, or module:Class."
    """
    names = sorted(known)
    guess = did_you_mean(name, names, "")
    listed = [*names[:_MOST], *(["…"] if len(names) > _MOST else []), *([also] if also else [])]
    return f"no {what} {name!r}{guess}{' There are' if guess else '; there are'}: {', '.join(listed) or 'none'}."


def check_name(what: str, name: str, known: Iterable[str], also: str = "") -> None:
    """Raise ValueError for a name that is not known.

    >>> check_name("format", "wkea", ["dot", "weka"])
    Traceback (most recent call last):
    ValueError: no format 'wkea'; did you mean 'weka'? There are: dot, weka.
    """
    names = list(known)
    if name not in names:
        raise ValueError(no_such(what, name, names, also))
