"""``clearwood reproduce``: run a paper's experiment again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli import options
from clearwood.cli.command import called_as
from clearwood.cli.failures import end_with_failures
from clearwood.cli.printing import announced, check_apart, note, print_json, ready_folder
from clearwood.spelling import check_name
from clearwood.studies.reproduce import STUDIES

__all__ = ["reproduce"]


def reproduce(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"The study: {', '.join(STUDIES)}.", show_default=False)],
    quick: Annotated[bool, typer.Option("--quick", help="Few data sets and one repeat: seconds.")] = False,
    data: Annotated[
        Path | None, typer.Option("--data", "-d", metavar="FOLDER", help="Where the data sets are.")
    ] = None,
    store: options.StoreFile = None,
    backend: options.Backend = "threads",
    address: options.Address = None,
    jobs: options.Workers = -1,
    seed: options.Seed = 0,
    retry_failed: options.RetryFailed = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="Where the report, a CSV and the store are written."),
    ] = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Run a paper's experiment, and print ours beside its figures.

    Says for each figure how far ours is from it and whether the difference is significant. With --out or --store
    each result is kept as it is finished, and the same command goes on where it was stopped.

    \b
    Example:
      clearwood reproduce c45 --quick --out results
    """
    from clearwood.studies.reproduce import reproduce as run_again
    from clearwood.studies.reproduce import write_trees

    check_name("study", name, STUDIES)
    if out is not None:
        ready_folder(out)
        store = store or out / f"{name}.sqlite"
        check_apart({"--store": store, **{f"--out ({file})": out / file for file in (f"{name}.csv", f"{name}.html")}})
    with announced(quiet):
        found = run_again(
            name,
            quick=quick,
            data=data,
            store=store,
            seed=seed,
            backend=backend,
            address=address,
            n_jobs=jobs,
            retry_failed=retry_failed,
            progress=False if quiet else None,
        )
    found.comparison.command = called_as(context)
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
    if out is not None:
        found.write_csv(out / f"{name}.csv")
        with announced(quiet):
            found.comparison.pages = write_trees(found, out, data, seed)
        found.write_page(out / f"{name}.html")
        note(f"{name}.html, {name}.csv and the trees' pages written to {out}", quiet or as_json)
    end_with_failures(found.comparison)
