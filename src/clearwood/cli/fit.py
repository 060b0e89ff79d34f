"""``clearwood fit``: grow a tree from a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clearwood.cli import options
from clearwood.cli.obeying import obeying
from clearwood.cli.printing import announced, check_output, note, print_json, save_or_keep
from clearwood.cli.reading import reads
from clearwood.learn.registry import make_learner

if TYPE_CHECKING:
    from clearwood.scan.scan import Scan

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
        typer.Option("--scan", help="Leave the table where it is and count there; for data larger than memory."),
    ] = False,
    *,
    reading: options.Reading,
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Grow a tree from a table and print it.

    Below it stands its cross-validated accuracy, if that is quickly found, beside that of the most frequent class.

    \b
    Example:
      clearwood fit churn.csv --target churned --option min_leaf=20 --save tree.json
      clearwood fit churn.csv --target churned --constraints edits.json
      clearwood fit trips.parquet --target tip --option max_depth=8 --scan
    """
    from clearwood.cli.checked import MANY_LEAVES, check_tree, smaller_tree
    from clearwood.learn.base import TreeClassifier
    from clearwood.read.given import read_table

    check_output(save, data)
    with announced(quiet):
        grower = make_learner(learner, option, random_state=seed, n_jobs=jobs, progress=False if quiet else None)
        if not isinstance(grower, TreeClassifier):
            raise ValueError(
                f"{learner} does not end in one tree to print and save; --learner ism or cmm makes one tree of many, "
                "and 'clearwood evaluate' and 'clearwood compare' judge the others."
            )
        if scan and type(grower)._grow_scan is TreeClassifier._grow_scan:
            raise ValueError(
                f"--learner {learner} needs the rows in memory; take c45, id3 or cart, or leave out --scan."
            )
        table: Any
        table = _looked_at(data, target, constraints, reading) if scan else read_table(data, target=target, **reading)
        if constraints is not None:
            grower = obeying(constraints, grower, table)
        begun = perf_counter()
        tree = grower.fit(table).tree_
        seconds = perf_counter() - begun
        check = None if no_check or scan else check_tree(grower, table, seconds, seed)
    if check is not None and check.words:
        tree = tree.with_facts(accuracy=check.words)
    text = tree.to_json()
    if save is not None:
        save_or_keep(text, save)
    if as_json:
        print_json(
            {
                "learner": learner,
                "table": table.source if scan else table.name,
                "rows": table.n_rows,
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


def _looked_at(data: str, target: str | None, constraints: Path | None, reading: Mapping[str, Any]) -> Scan:
    """The table as a Scan; what needs the rows in memory is refused."""
    from clearwood.scan import scan

    for name in ("query", "decimal", "thousands", "download"):
        if name in reading:
            raise ValueError(f"--{name} is about tables that are read into memory; leave it out, or leave out --scan.")
    if constraints is not None:
        raise ValueError("--constraints needs the rows in memory; leave it out, or leave out --scan.")
    return scan(data, target, **reading)
