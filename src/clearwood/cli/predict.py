"""``clearwood predict``: apply a saved tree to a table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli import options
from clearwood.cli.printing import announced, check_output, note, print_json
from clearwood.cli.reading import reads_rows
from clearwood.cli.saved_tree import load_tree

__all__ = ["predict"]


@reads_rows
def predict(
    tree: options.TreeFile,
    data: options.Data,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The file to write: .csv, .parquet, .jsonl or .arrow; if absent or -, CSV to standard output.",
        ),
    ] = None,
    *,
    reading: options.Reading,
    allow_unknown: Annotated[
        bool,
        typer.Option(
            "--allow-unknown",
            help="Predict even where nearly all rows of a tested column hold values that the tree does not know.",
        ),
    ] = False,
    jobs: options.Jobs = -1,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Predict the class of each row of a table.

    The rows are written as they stand in DATA, with the predicted class and the class probabilities beside them.
    DATA needs no class, and only the columns that the tree tests; a value that the tree does not know is missing.

    \b
    Example:
      clearwood predict tree.json new.csv -o scored.csv
    """
    from clearwood.cli.scored import read_for, score
    from clearwood.cli.scored_file import check_ending, write_csv, write_scored

    check_output(out, data)
    check_ending(out)
    grown = load_tree(tree)
    with announced(quiet):
        rows = read_for(grown, data, n_jobs=jobs, **reading)
        scored = score(grown, rows, allow_unknown, jobs)
    if out is not None and str(out) != "-":
        write_scored(scored, out)
        note(f"{rows.own.n_rows} rows written to {out}", quiet or as_json)
    elif not as_json:
        write_csv(scored, sys.stdout)
    if as_json:
        print_json(
            {
                "target": grown.target,
                "classes": list(grown.classes),
                "rows": rows.own.n_rows,
                "unknown": [unknown.to_dict() for unknown in scored.unknown],
                "predicted": scored.predicted,
                "probabilities": scored.probabilities,
            }
        )
