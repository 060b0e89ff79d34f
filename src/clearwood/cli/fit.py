"""``clearwood fit``: grow a tree from a table."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from clearwood.cli import options
from clearwood.cli.obeying import obeying
from clearwood.cli.printing import announced, check_apart, check_output, note, print_json, save_or_keep
from clearwood.cli.reading import reads
from clearwood.cli.scanning import check_learner, looked_at, why_scanned
from clearwood.learn.registry import make_learner

__all__ = ["fit"]


@reads
def fit(
    data: options.Data,
    target: options.Target = None,
    learner: options.Learner = "c45",
    option: options.Settings = None,
    save: Annotated[Path | None, typer.Option("--save", "-s", metavar="FILE", help="Where to save the tree.")] = None,
    constraints: options.Constraints = None,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="Do not cross-validate: print the tree without its accuracy.")
    ] = False,
    scan: Annotated[
        bool,
        typer.Option(
            "--scan",
            help="Leave the table where it is and count there, as is done with a file of more than a quarter of the "
            "memory.",
        ),
    ] = False,
    table: options.ScanTable = None,
    *,
    reading: options.Reading,
    seed: options.Seed = 0,
    jobs: options.Jobs = -1,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Grow a tree from a table and print it.

    Below it stands its cross-validated accuracy, if that is quickly found, beside that of the most frequent class.
    Ctrl-C ends a search or the cross-validation, and prints and saves the tree that is there.

    \b
    Example:
      clearwood fit churn.csv --target churned --option min_leaf=20 --save tree.json
      clearwood fit churn.csv --target churned --constraints edits.json
      clearwood fit trips.parquet --target tip --option max_depth=8 --scan
      clearwood fit sqlite:///trips.sqlite --table trips --target tip
    """
    from clearwood.cli.checked import MANY_LEAVES, check_tree, smaller_tree
    from clearwood.learn.base import TreeClassifier
    from clearwood.read.given import read_table

    check_output(save, data, constraints)
    with announced(quiet):
        grower = make_learner(learner, option, random_state=seed, n_jobs=jobs, progress=False if quiet else None)
        checkpoint = getattr(grower, "checkpoint", None)
        check_apart({"--save": save, "--option checkpoint": None if checkpoint is None else Path(checkpoint)})
        if not isinstance(grower, TreeClassifier):
            raise ValueError(
                f"{learner} does not end in one tree to print and save; --learner distilled, ism or cmm makes one tree "
                "of many, and 'clearwood evaluate' and 'clearwood compare' judge the others."
            )
        scan = scan or table is not None
        why = "" if scan else why_scanned(data, grower, constraints, reading)
        if why:
            note(why, quiet)
            scan = True
        rows: Any
        if scan:
            check_learner(learner, grower)
            rows = looked_at(data, target, constraints, reading, table=table, quiet=quiet)
        else:
            rows = read_table(data, target=target, n_jobs=jobs, **reading)
        if constraints is not None:
            grower = obeying(constraints, grower, rows)
        begun = perf_counter()
        tree = grower.fit(rows).tree_
        seconds = perf_counter() - begun
        if save is not None and (save.is_file() or not save.exists()):  # a pipe takes one document, the last
            save_or_keep(tree.to_json(), save)  # before the check: whatever happens there, the tree is safe
        check = None if no_check or scan else check_tree(grower, rows, seconds, seed, jobs)
    if check is not None and check.words:
        tree = tree.with_facts(accuracy=check.words)
    text = tree.to_json()
    if save is not None:
        save_or_keep(text, save)
    if as_json:
        print_json(
            {
                "learner": learner,
                "table": rows.source if scan else rows.name,
                "rows": rows.n_rows,
                "leaves": tree.n_leaves,
                "nodes": tree.n_nodes,
                "depth": tree.depth,
                "features": list(tree.features),
                "saved": None if save is None else str(save),
                **({} if check is None else check.to_dict()),
                "tree": json.loads(text),
            }
        )
        return
    print(tree)
    if check is not None:
        print(f"\n{check}")
    if tree.n_leaves >= MANY_LEAVES:
        print(f"\n{smaller_tree(grower, tree.n_leaves)}")
    if save is not None:
        note(f"saved to {save}", quiet)
