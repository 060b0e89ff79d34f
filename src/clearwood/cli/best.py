"""``clearwood best``: the tree to use, how good it is, and why this one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli import options
from clearwood.cli.command import called_as
from clearwood.cli.printing import announced, check_apart, check_output, deliver, note, print_json, save_or_keep
from clearwood.cli.reading import reads
from clearwood.cli.table_name import split_table
from clearwood.export.sql_dialects import DIALECTS, find_dialect

__all__ = ["best"]


@reads
def best(
    context: typer.Context,
    data: options.Data,
    target: options.Target = None,
    leaves: Annotated[
        int | None, typer.Option("--leaves", metavar="NUMBER", help="The best tree with at most so many leaves.")
    ] = None,
    features: Annotated[
        int | None, typer.Option("--features", metavar="NUMBER", help="The best tree with at most so many features.")
    ] = None,
    accuracy: Annotated[
        float | None, typer.Option("--accuracy", metavar="SHARE", help="The smallest tree that is right so often: 0.9.")
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", metavar="NAME", help="What counts: accuracy, balanced, auc, f1 or cost.")
    ] = None,
    cost_matrix: Annotated[
        Path | None,
        typer.Option(
            "--cost-matrix", metavar="FILE", help="A CSV of what errors cost: true classes down, said across."
        ),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            "--time",
            metavar="TIME|COLUMN",
            help="A time such as 60s or 5min, as --budget; or a column, as --order.",
        ),
    ] = None,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="TIME", help="About how long to search, on two cores: 60s, 5min.")
    ] = None,
    order: Annotated[
        str | None,
        typer.Option("--order", metavar="COLUMN", help="When rows were seen: later rows judge, and only they."),
    ] = None,
    group: Annotated[
        str | None, typer.Option("--group", metavar="COLUMN", help="Which rows belong together: all judge, or none.")
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="COLUMN", help="A column that is no identifier; repeatable.")
    ] = None,
    drop_leaks: Annotated[
        bool, typer.Option("--drop-leaks", help="Leave out columns that alone tell nearly every class.")
    ] = False,
    save: Annotated[Path | None, typer.Option("--save", "-s", metavar="FILE", help="Where to save the tree.")] = None,
    page: Annotated[
        Path | None, typer.Option("--page", "-p", metavar="FILE", help="A page with the answer and all candidates.")
    ] = None,
    sql: Annotated[
        Path | None, typer.Option("--sql", metavar="FILE", help="The tree as SQL that scores a table; - prints it.")
    ] = None,
    dialect: Annotated[
        str, typer.Option("--dialect", metavar="NAME", help=f"The SQL to write: {', '.join(DIALECTS)}.")
    ] = "postgres",
    table: options.SqlTable = "data",
    *,
    reading: options.Reading,
    seed: options.Seed = 0,
    jobs: options.Jobs = -1,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Find the tree to use, and say how good it is and why this one.

    Looks at the data, grows trees of all learners in all sizes, takes the smallest that is as good as the best within
    one standard error, and judges that by doing it all again without the rows that judge. Ctrl-C gives the best so far.

    \b
    Example:
      clearwood best churn.csv --target churned
      clearwood best churn.csv --target churned --leaves 8 --save tree.json --page churn.html
      clearwood best churn.csv --target churned --cost-matrix costs.csv --time 5min
    """
    from clearwood.best.cost_file import read_costs
    from clearwood.best.duration import seconds_or_column, typed_budget
    from clearwood.best.procedure import best as found_best
    from clearwood.best.words import answer_words
    from clearwood.read.given import read_table

    for file in (save, page, sql):
        check_output(file, data, cost_matrix)
    check_apart({"--save": save, "--page": page, "--sql": sql})
    find_dialect(dialect)
    schema, table = split_table(table)
    if as_json and sql == Path("-"):
        raise ValueError("--json prints one document, so --sql - would spoil it; name a file with --sql.")
    with announced(quiet):
        rows = read_table(data, target=target, n_jobs=jobs, **reading)
        seconds = typed_budget(budget)
        if time is not None:
            named, said = seconds_or_column(time, rows.feature_names)
            if said:
                note(said, quiet)
            other = "budget" if isinstance(named, float) else "order"
            if (budget if other == "budget" else order) is not None:
                raise ValueError(f"--time {time} is the same as --{other} {time}; give one of them, not both.")
            seconds, order = (named, order) if isinstance(named, float) else (seconds, named)
        answer = found_best(
            rows,
            leaves=leaves,
            features=features,
            accuracy=accuracy,
            metric=metric,
            cost_matrix=None if cost_matrix is None else read_costs(cost_matrix, rows.classes),
            group=group,
            time=order,
            keep=keep or (),
            drop_leaks=drop_leaks,
            random_state=seed,
            n_jobs=jobs,
            progress=False if quiet else None,
            **({} if seconds is None else {"budget": seconds}),
        )
    if save is not None:
        save_or_keep(answer.tree.to_json(), save)
    if page is not None:
        answer.page(page)
    if as_json:
        print_json(answer.to_dict() | {"command": called_as(context)})
    else:
        print(answer_words(answer, called_as(context)))
        for file, what in ((save, "tree"), (page, "page")):
            if file is not None:
                note(f"the {what}: {file}", quiet)
    if sql is not None:
        deliver(answer.tree.to_sql(table, dialect, schema=schema), sql, quiet)
