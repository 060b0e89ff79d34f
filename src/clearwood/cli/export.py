"""``clearwood export``: write a saved tree in another form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli import options
from clearwood.cli.formats import format_of, render
from clearwood.cli.printing import announced, check_output, deliver
from clearwood.cli.saved_tree import load_tree
from clearwood.export.sql_dialects import DIALECTS

__all__ = ["export"]


def export(
    tree: options.TreeFile,
    kind: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="text, weka, rules, sql, dot, json, svg, png, pdf, html, python, javascript, onnx or pmml; by the "
            "file's ending if absent.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write; the standard output if absent.")
    ] = None,
    dialect: Annotated[
        str, typer.Option("--dialect", metavar="NAME", help=f"The SQL to write: {', '.join(DIALECTS)}.")
    ] = "postgres",
    table: options.SqlTable = "data",
    only: options.SqlOnly = None,
    leaf: options.SqlLeaf = None,
    nulls: options.SqlNulls = None,
    rows: options.PictureRows = None,
    quiet: options.Quiet = False,
) -> None:
    """Write a saved tree in another form.

    \b
    Example:
      clearwood export tree.json -o tree.svg
      clearwood export tree.json -o tree.pdf --rows patients.csv
      clearwood export tree.json --format sql --dialect sqlite --table patients -o score.sql
      clearwood export tree.json -o score.py
    """
    grown = load_tree(tree)
    if kind is None:
        kind = "text" if out is None or str(out) == "-" else format_of(out)
    check_output(out, tree, rows)
    with announced(quiet):
        deliver(render(grown, kind, dialect, table, only=only, leaf=leaf, missing=nulls, rows=rows), out, quiet)
