"""Commands that take several values after one option, or none, and know how they were called."""

from __future__ import annotations

import shlex
from typing import Any

import typer
from typer.core import TyperCommand

__all__ = ["ManyDataCommand", "SqlCommand", "StudyCommand", "called_as"]

_ARGUMENTS = "clearwood.arguments"


class StudyCommand(TyperCommand):
    """A command that remembers its arguments, so that a report can say how to run it again."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)


class ManyDataCommand(StudyCommand):
    """The same, with several values allowed after one ``--data``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        found = super().parse_args(ctx, _one_value_each(args, ("--data", "-d")))
        ctx.meta[_ARGUMENTS] = list(args)
        return found


class SqlCommand(TyperCommand):
    """A command whose ``--sql`` may stand without a dialect."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _with_default(args, "--sql", "postgres"))


def _with_default(arguments: list[str], name: str, value: str) -> list[str]:
    """Give an option that nothing but another option follows its value.

    >>> _with_default(["--sql", "--only", "yes", "tree.json", "--sql"], "--sql", "postgres")
    ['--sql', 'postgres', '--only', 'yes', 'tree.json', '--sql', 'postgres']
    """
    filled: list[str] = []
    for argument, following in zip(arguments, [*arguments[1:], "-"], strict=True):
        filled += [argument, value] if argument == name and following.startswith("-") else [argument]
    return filled


def _one_value_each(arguments: list[str], names: tuple[str, ...]) -> list[str]:
    """Say an option again before each further value that follows it.

    >>> _one_value_each(["c45", "--data", "a.csv", "b.csv", "--cv", "5"], ("--data",))
    ['c45', '--data', 'a.csv', '--data', 'b.csv', '--cv', '5']
    """
    spread: list[str] = []
    option = None  # the option whose values are being read
    for argument in arguments:
        if argument.startswith("-"):
            option = argument if argument in names else None
        elif option is not None and spread[-1] != option:
            spread.append(option)
        spread.append(argument)
    return spread


def called_as(context: typer.Context) -> str:
    """The command as a line for the shell."""
    return shlex.join([*context.command_path.split(), *context.meta.get(_ARGUMENTS, [])])
