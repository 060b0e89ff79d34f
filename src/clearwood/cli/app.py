"""The program: its commands, by name."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.best import best
from clearwood.cli.command import ManyDataCommand, SqlCommand, StudyCommand
from clearwood.cli.compare import compare
from clearwood.cli.demo import demo
from clearwood.cli.evaluate import evaluate
from clearwood.cli.explore import explore
from clearwood.cli.export import export
from clearwood.cli.fit import fit
from clearwood.cli.predict import predict
from clearwood.cli.reproduce import reproduce
from clearwood.cli.show import show

__all__ = ["app"]

# plain help: drawing it with rich would double the time to the first line
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
app.command(cls=StudyCommand)(best)
for command in (fit, explore):
    app.command()(command)
app.command(cls=SqlCommand)(show)
for command in (predict, evaluate):
    app.command()(command)
app.command(cls=ManyDataCommand)(compare)
app.command()(export)
app.command(cls=StudyCommand)(reproduce)
app.command()(demo)


def _print_version(wanted: bool) -> None:
    if wanted:
        from clearwood import __version__

        typer.echo(f"clearwood {__version__}")
        raise typer.Exit


@app.callback()
def clearwood(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Grow decision trees that people can read.

    \b
    Example:
      clearwood best iris.csv --target species
      clearwood fit iris.csv --target species --save tree.json
      clearwood explore iris.csv --target species -o iris.html
      clearwood show tree.json --rules
      clearwood predict tree.json new.csv -o scored.csv

    Each command shows an example of its own: clearwood fit --help
    """
