"""``clearwood show``: look at a saved tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli import options
from clearwood.cli.formats import picture_of, render
from clearwood.cli.printing import announced, check_output, deliver
from clearwood.cli.saved_tree import load_tree
from clearwood.export.sql_dialects import DIALECTS

__all__ = ["show"]


def show(
    tree: options.TreeFile,
    rules: Annotated[bool, typer.Option("--rules", help="As rules, one for each leaf.")] = False,
    sql: Annotated[
        str | None,
        typer.Option("--sql", metavar="[DIALECT]", help=f"As SQL for {', '.join(DIALECTS)}; postgres if absent."),
    ] = None,
    dot: Annotated[bool, typer.Option("--dot", help="In Graphviz's language.")] = False,
    weka: Annotated[bool, typer.Option("--weka", help="In the lines that Weka's J48 prints.")] = False,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="As a picture: a file that ends in .svg, .pdf or .png."),
    ] = None,
    rows: options.PictureRows = None,
    as_json: options.AsJson = False,
    table: options.SqlTable = "data",
    only: options.SqlOnly = None,
    leaf: options.SqlLeaf = None,
    nulls: options.SqlNulls = None,
) -> None:
    """Print a saved tree as text, or in one other form.

    \b
    Example:
      clearwood show tree.json
      clearwood show tree.json --plot tree.pdf --rows customers.csv
      clearwood show tree.json --sql duckdb --table customers
      clearwood show tree.json --sql duckdb --table customers --only churned
    """
    forms = {"rules": rules, "sql": sql, "dot": dot, "weka": weka, "plot": plot, "json": as_json}
    wanted = [name for name, given in forms.items() if given is not None and given is not False]
    if len(wanted) > 1:
        raise ValueError(f"show one form at a time, not {' and '.join('--' + name for name in wanted)}.")
    grown = load_tree(tree)
    check_output(plot, tree, rows)
    with announced(False):
        if plot is not None:
            deliver(render(grown, picture_of(plot), only=only, leaf=leaf, missing=nulls, rows=rows), plot)
        else:
            form = wanted[0] if wanted else "text"
            wanted_sql = {"only": only, "leaf": leaf, "missing": nulls}
            deliver(render(grown, form, sql or "postgres", table, rows=rows, **wanted_sql), None)
