"""``clearwood explore``: a page to look at trees, choose among them and try them out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli import options
from clearwood.cli.printing import announced, check_output, note, print_json
from clearwood.cli.reading import reads

__all__ = ["explore"]


@reads
def explore(
    data: options.Data,
    target: options.Target = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The page: one HTML file that needs nothing else.")
    ] = Path("explore.html"),
    leaves: Annotated[int, typer.Option("--leaves", metavar="NUMBER", help="The most leaves of a tree.")] = 20,
    cv: Annotated[int, typer.Option("--cv", metavar="NUMBER", help="The folds by which errors are estimated.")] = 10,
    resamples: Annotated[
        int, typer.Option("--resamples", metavar="NUMBER", help="Samples that show how stable splits are; 0 for none.")
    ] = 30,
    no_data: Annotated[bool, typer.Option("--no-data", help="Leave every row out of the page: counts only.")] = False,
    max_rows: Annotated[int, typer.Option("--max-rows", metavar="NUMBER", help="The most rows in the page.")] = 5000,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="What the page is called.")] = "",
    *,
    reading: options.Reading,
    seed: options.Seed = 0,
    jobs: options.Jobs = -1,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Write a page to choose a tree from.

    Searches for the best tree of every size; the page shows them by size and error, beside those of C4.5 and CART
    and the error of a forest. It draws each tree, lists its rules, answers for a case, compares, and lets you steer:
    what you change leaves as a file for 'clearwood fit --constraints'.

    \b
    Example:
      clearwood explore churn.csv --target churned -o churn.html
    """
    from clearwood.learn.checks import check_number
    from clearwood.read.given import read_table
    from clearwood.view.page.explore import MOST_LEAVES
    from clearwood.view.page.explore import explore as explored

    check_output(out, data)
    check_number("--leaves", leaves, 2, MOST_LEAVES, whole=True)
    for option, value, least in (("--cv", cv, 2), ("--resamples", resamples, 0), ("--max-rows", max_rows, 1)):
        check_number(option, value, least, whole=True)
    with announced(quiet):
        table = read_table(data, target=target, n_jobs=jobs, **reading)
        page = explored(
            table,
            max_leaves=leaves,
            cv=cv,
            resamples=resamples,
            title=title,
            data=not no_data,
            max_rows=max_rows,
            random_state=seed,
            n_jobs=jobs,
            say=lambda text: note(text, quiet),
        )
    page.write(out)
    if as_json:
        print_json({"page": str(out), "leaves": page.tree.n_leaves, "trees": len(page.front), "reason": page.reason})
        return
    print(page.tree)
    print(f"\n{page.reason}\n\nThe page: {out}")
