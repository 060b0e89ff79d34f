"""``clearwood predict``: apply a saved tree to a table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli import options
from clearwood.cli.printing import announced, check_writable, note, print_json
from clearwood.cli.saved_tree import load_tree

__all__ = ["predict"]


def predict(
    tree: options.TreeFile,
    data: options.Data,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="The CSV file to write; the standard output if absent or -."),
    ] = None,
    missing: options.Missing = None,
    decimal: options.Decimal = None,
    thousands: options.Thousands = None,
    query: options.Query = None,
    ignore: options.Ignore = None,
    allow_unknown: Annotated[
        bool,
        typer.Option(
            "--allow-unknown",
            help="Predict even where nearly all rows of a tested column hold values that the tree does not know.",
        ),
    ] = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Predict the class of each row of a table.

    The rows are written as CSV with the predicted class and the class probabilities beside them. The table needs
    no class, and only the columns that the tree tests; a value that the tree does not know counts as missing.

    \b
    Example:
      clearwood predict tree.json new.csv -o scored.csv
    """
    from clearwood.cli.scored import read_for, score, write_csv

    check_writable(out)
    grown = load_tree(tree)
    with announced(quiet):
        table = read_for(grown, data, missing=missing, decimal=decimal, thousands=thousands, query=query, ignore=ignore)
        scored = score(grown, table, allow_unknown)
    to_file = out is not None and str(out) != "-"
    if to_file:
        assert out is not None
        with out.open("w", encoding="utf-8", newline="") as file:
            write_csv(scored, file)
        note(f"{table.n_rows} rows written to {out}", quiet or as_json)
    elif not as_json:
        write_csv(scored, sys.stdout)
    if as_json:
        print_json(
            {
                "target": grown.target,
                "classes": list(grown.classes),
                "rows": table.n_rows,
                "unknown": [unknown.to_dict() for unknown in scored.unknown],
                "predicted": scored.predicted,
                "probabilities": scored.probabilities,
            }
        )
