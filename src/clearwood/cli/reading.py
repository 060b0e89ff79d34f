"""Reading: how a command is told to read its tables, declared once for all commands that do."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from clearwood.cli import options

__all__ = ["reads", "reads_rows"]

_OPTIONS = {
    "nominal": options.Nominal,
    "numeric": options.Numeric,
    "ordered": options.Ordered,
    "missing": options.Missing,
    "decimal": options.Decimal,
    "thousands": options.Thousands,
    "dates": options.Dates,
    "weights": options.Weights,
    "query": options.Query,
    "ignore": options.Ignore,
    "download": options.Download,
}


def reads(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options of reading in place of its parameter ``reading``.

    That parameter gets them as one mapping for :func:`clearwood.read.given.read_table`, without those that were not
    used, so it is empty where nothing was said.
    """
    return _reads(command, _OPTIONS)


def reads_rows(command: Callable[..., None]) -> Callable[..., None]:
    """The same for a command that asks a tree: it knows the order of values, and needs no weights."""
    return _reads(command, {name: given for name, given in _OPTIONS.items() if name not in ("ordered", "weights")})


def _reads(command: Callable[..., None], declared: Mapping[str, Any]) -> Callable[..., None]:
    own = inspect.signature(command, eval_str=True)
    parameters = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=given.default, annotation=given.annotation)
        for place, given in own.parameters.items()
        for name, given in ([(place, given)] if place != "reading" else _declared(declared))
    ]

    @wraps(command)
    def told(**given: Any) -> None:
        said = {name: given.pop(name) for name in declared}
        said["ordered"] = options.levels_of(said.get("ordered"))
        command(**given, reading={name: value for name, value in said.items() if value not in (None, False)})

    told.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    told.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return told


def _declared(declared: Mapping[str, Any]) -> list[tuple[str, inspect.Parameter]]:
    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        (name, inspect.Parameter(name, kind, default=False if name == "download" else None, annotation=annotation))
        for name, annotation in declared.items()
    ]
