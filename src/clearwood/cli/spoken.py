"""Spoken: what the library says in terms of arguments, in terms of the command line's options."""

from __future__ import annotations

import re

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
_ARGUMENT = re.compile(rf"\b({_NAME})=(\[[^\]]*\]|'[^']*'|\"[^\"]*\"|True|[\w.…-]+|(?=[\s:]|$))")
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
    values = re.findall(r"'((?:[^'\\]|\\.)*)'|\"([^\"]*)\"|([^\s,\[\]]+)", value)
    texts = [next(part for part in parts if part) for parts in values if any(parts)]
    return " ".join(f"{option} {_quoted(text)}" for text in texts)


def _quoted(text: str) -> str:
    import shlex

    return text if text == "…" else shlex.quote(text)
