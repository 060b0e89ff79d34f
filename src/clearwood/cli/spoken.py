"""Spoken: what the library says in terms of arguments, in terms of the command line's options."""

from __future__ import annotations

import re
from ast import literal_eval

__all__ = ["as_options"]

_OPTIONS = {
    "allow_unknown": "--allow-unknown",
    "cost_matrix": "--cost-matrix",
    "n_jobs": "--jobs",
    "random_state": "--seed",
    "time": "--order",
    **{
        name: f"--{name}"
        for name in (
            *("accuracy", "address", "backend", "dates", "decimal", "download", "features", "group", "holdout"),
            *(
                "ignore",
                "keep",
                "key",
                "leaf",
                "leaves",
                "metric",
                "missing",
                "nominal",
                "nulls",
                "numeric",
                "ordered",
                "query",
                "repeats",
            ),
            *("table", "target", "thousands", "weights"),
        )
    },
}
_NAME = "|".join(_OPTIONS)
_TEXT = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""  # as Python writes it, brackets and quotes included
_ARGUMENT = re.compile(rf"\b({_NAME})=(\[(?:{_TEXT}|[^\]'\"])*\]|{_TEXT}|True|[\w.…-]+|(?=[\s:]|$))")
_SUBJECT = re.compile(
    rf"(?:(?<=^)|(?<=: ))({_NAME})(?: and ({_NAME}))? (?=(?:must|names?|gives|both|cannot|is for|is only|is missing)\b)"
)
_WITHOUT_OPTION = re.compile(r"; target=False [^.;]*")  # a command that needs no class asks for none


def as_options(message: str) -> str:
    """A message with its Python arguments written as options.

    >>> as_options("column 'id' looks odd; leave it out with ignore=['id', 'the name'].")
    "column 'id' looks odd; leave it out with --ignore id --ignore 'the name'."
    >>> as_options("fetch it with download=True (--download), or read it with target='ill'.")
    'fetch it with --download, or read it with --target ill.'
    >>> as_options("nominal and numeric both name 'age'; a column has one type.")
    "--nominal and --numeric both name 'age'; a column has one type."
    """
    spoken = _ARGUMENT.sub(_as_option, _WITHOUT_OPTION.sub("", message))
    spoken = _SUBJECT.sub(lambda found: " and ".join(_OPTIONS[name] for name in found.groups() if name) + " ", spoken)
    for option in _OPTIONS.values():  # where a message already names the option beside the argument
        spoken = spoken.replace(f"{option} ({option})", option)
    return spoken


def _as_option(found: re.Match[str]) -> str:
    option, value = _OPTIONS[found[1]], found[2]
    if value in ("True", ""):
        return option
    if found[1] == "target" and value == "False":
        return found[0]
    values = re.findall(rf"{_TEXT}|[^\s,\[\]]+", value)
    return " ".join(f"{option} {_quoted(text)}" for text in map(_meant, values) if text)


def _meant(written: str) -> str:
    """What a literal stands for, unless that would break the line."""
    if written[0] not in "'\"":
        return written
    try:
        text: str = literal_eval(written)
    except (ValueError, SyntaxError):  # put into quotes by hand
        return written[1:-1]
    return text if text.isprintable() else written[1:-1]


def _quoted(text: str) -> str:
    import shlex

    return text if text == "…" else shlex.quote(text)
