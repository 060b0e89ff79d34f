"""``clearwood evaluate``: judge a learner by cross-validation, or by rows that are held out."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli import options
from clearwood.cli.obeying import obeying
from clearwood.cli.printing import announced, print_json, progress_bar
from clearwood.cli.reading import reads
from clearwood.cli.scanning import check_learner, looked_at
from clearwood.learn.registry import make_learner
from clearwood.spelling import check_name

__all__ = ["evaluate"]


@reads
def evaluate(
    data: options.Data,
    target: options.Target = None,
    learner: options.Learner = "c45",
    option: options.Settings = None,
    cv: Annotated[int, typer.Option("--cv", metavar="NUMBER", help="Folds of one cross-validation.")] = 10,
    repeats: Annotated[
        int, typer.Option("--repeats", metavar="NUMBER", help="Cross-validations, each dealt anew.")
    ] = 5,
    metric: Annotated[
        str,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="What comes first, with its interval: accuracy, balanced_accuracy, log_loss, brier or auc.",
        ),
    ] = "accuracy",
    constraints: options.Constraints = None,
    holdout: Annotated[
        float | None,
        typer.Option(
            "--holdout",
            metavar="SHARE",
            help="Leave the table where it is, and judge once by this share of its rows, as 0.2.",
            show_default=False,
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="COLUMN", help="With --holdout: rows of the same key are not torn apart."),
    ] = None,
    table: options.ScanTable = None,
    *,
    reading: options.Reading,
    seed: options.Seed = 0,
    jobs: options.Jobs = -1,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Judge a learner by cross-validation.

    Prints the accuracy with its 95% interval beside that of the most frequent class, balanced accuracy and AUC, the
    size of the trees, how many features they test, the confusion matrix, and precision and recall of each class.

    \b
    Example:
      clearwood evaluate churn.csv --target churned --learner c45 --cv 10 --repeats 5
      clearwood evaluate churn.csv --target churned --constraints edits.json
      clearwood evaluate trips.parquet --target tip --option max_depth=8 --holdout 0.2
    """
    from clearwood.evaluate import evaluate as cross_validate
    from clearwood.evaluate.scores import SCORES
    from clearwood.read.given import read_table

    check_name("metric", metric, SCORES)
    with announced(quiet):
        grower = make_learner(learner, option, random_state=seed)
        if holdout is not None:
            check_learner(learner, grower)
            rows = looked_at(data, target, constraints, reading, table=table, key=key, quiet=quiet)
            found = cross_validate(grower, rows, cv, repeats, seed, jobs, holdout=holdout)
        else:
            if table is not None or key is not None:
                raise ValueError(f"--{'key' if table is None else 'table'} is for --holdout: give its share too.")
            in_memory = read_table(data, target=target, n_jobs=jobs, **reading)
            if constraints is not None:
                grower = obeying(constraints, grower, in_memory)
            with progress_bar("cross-validating", quiet) as progress:
                found = cross_validate(grower, in_memory, cv, repeats, seed, jobs, progress)
    if as_json:
        print_json(found.to_dict())
    else:
        print(found.to_text(metric))
