"""``clearwood evaluate``: judge a learner by cross-validation."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli import options
from clearwood.cli.obeying import obeying
from clearwood.cli.printing import announced, print_json, progress_bar
from clearwood.cli.reading import reads
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
    """
    from clearwood.evaluate import evaluate as cross_validate
    from clearwood.evaluate.scores import SCORES
    from clearwood.read.given import read_table

    check_name("metric", metric, SCORES)
    with announced(quiet):
        grower = make_learner(learner, option, random_state=seed)
        table = read_table(data, target=target, n_jobs=jobs, **reading)
        if constraints is not None:
            grower = obeying(constraints, grower, table)
        with progress_bar("cross-validating", quiet) as progress:
            found = cross_validate(grower, table, cv, repeats, seed, jobs, progress)
    if as_json:
        print_json(found.to_dict())
    else:
        print(found.to_text(metric))
