"""``clearwood compare``: which of several learners to trust, on one's own data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli import options
from clearwood.cli.command import called_as
from clearwood.cli.failures import end_with_failures
from clearwood.cli.printing import announced, check_apart, note, print_json, ready_folder
from clearwood.cli.reading import reads
from clearwood.learn.registry import LEARNERS

__all__ = ["compare"]


@reads
def compare(
    context: typer.Context,
    given: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LEARNER",
            help=f"{', '.join(LEARNERS)}, with parameters as in c45:min_leaf=5,prune=false, or module:Class for any "
            "classifier that follows scikit-learn. A file stands for --data.",
            show_default=False,
        ),
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option("--data", "-d", metavar="DATA...", help="Files or names of data sets.", show_default=False),
    ] = None,
    named: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="LEARNER",
            help="A learner, as in the other commands; repeatable.",
            show_default=False,
        ),
    ] = None,
    target: options.Target = None,
    *,
    reading: options.Reading,
    cv: Annotated[int, typer.Option("--cv", metavar="NUMBER", help="Folds of one cross-validation.")] = 10,
    repeats: Annotated[
        int, typer.Option("--repeats", metavar="NUMBER", help="Cross-validations, each dealt anew.")
    ] = 5,
    reference: Annotated[
        str | None,
        typer.Option("--reference", metavar="LEARNER", help="What the others are tested against; the first if absent."),
    ] = None,
    level: Annotated[float, typer.Option("--level", metavar="SHARE", help="The level of significance.")] = 0.05,
    store: options.StoreFile = None,
    study: Annotated[
        str, typer.Option("--study", metavar="NAME", help="What the study is called in the store.")
    ] = "compare",
    backend: options.Backend = "threads",
    address: options.Address = None,
    jobs: options.Workers = -1,
    seed: options.Seed = 0,
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", metavar="SECONDS", help="The most that one unit may take.")
    ] = None,
    retry_failed: options.RetryFailed = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="Where the report, its numbers and the store are written."),
    ] = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Compare learners on the same folds of the same tables.

    Prints accuracy with its interval, sizes, features and stability, and marks what differs significantly from the
    reference. With --out or --store each result is kept as it is finished, and the same command goes on where it
    was stopped. A learner that fails does not stop the others; the exit status is 1 then.

    \b
    Example:
      clearwood compare c45 cart sklearn.tree:DecisionTreeClassifier --data iris.csv wine.csv --out results
    """
    from clearwood.learn.checks import check_choice, check_number
    from clearwood.read.given import read_table
    from clearwood.studies.compare import compare as run_comparison
    from clearwood.studies.named import learners_by_name, tables_by_name
    from clearwood.studies.tree_pages import write_tree_pages

    learner = [*(name for name in given or () if not Path(name).is_file()), *(named or ())]
    data = [*(data or ()), *(name for name in given or () if Path(name).is_file())]
    if not learner or not data:
        missing = "table ('--data')" if learner else "learner (LEARNER)"
        raise ValueError(f"no {missing} is named, as in: clearwood compare c45 cart --data churn.csv.")
    learners_by_name(learner)  # a mistake leaves no folder behind
    check_number("level", level, 0, 1, open_ends=True)
    if reference is not None:
        check_choice("reference", reference, learner)
    if out is not None:
        ready_folder(out)
        store = store or out / "results.sqlite"
        check_apart({"--store": store, **{f"--out ({name})": out / name for name in ("units.csv", "report.html")}})
    with announced(quiet):
        told = {"target": target, **reading}
        tables = data if told == {"target": None} else [read_table(source, **told) for source in data]
        found = run_comparison(
            learner,
            tables,
            cv,
            repeats,
            store=store,
            seed=seed,
            backend=backend,
            address=address,
            n_jobs=jobs,
            time_limit=time_limit,
            retry_failed=retry_failed,
            study=study,
            progress=False if quiet else None,
        ).against(reference or learner[0], level)
    found.command = called_as(context)
    if out is not None:  # before printing: whoever reads the first lines only still gets the files
        found.write_csv(out / "units.csv")
        with announced(quiet):
            found.pages = write_tree_pages(found, learners_by_name(learner), tables_by_name(tables), out, seed)
        found.write_page(out / "report.html")
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
    if out is not None:
        note(f"report.html, units.csv and the trees' pages written to {out}", quiet or as_json)
    end_with_failures(found)
