"""The demonstration: known data, every learner, their trees and how they compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clearwood.evaluate import Evaluation
    from clearwood.table import Table
    from clearwood.tree import Tree

__all__ = ["run_demo"]

QUICK: dict[str, dict[str, Any]] = {
    "pareto": {"generations": 20, "max_leaves": 10, "cv": 3},
    "linear": {"generations": 300, "population_size": 40},
    "oc1": {"restarts": 5},
    "distilled": {"n_synthetic": 1000, "cv": 3},
    "forest": {"n_estimators": 100},
    "setgen": {"evaluations": 300, "population_size": 50},
}
"""Shorter searches than the defaults, so that the demonstration takes seconds."""

SCANNED_ROWS = 5_000_000
"""So many rows are written into a file, and a tree grown from it there."""

_TRIPS = """
SELECT id, miles, hour, payment, zone, CASE WHEN chance > hash(6 * id + 5) / 2.0**64 THEN 'yes' ELSE 'no' END AS tip
FROM (SELECT *, CASE WHEN payment = 'cash' THEN 0.05 WHEN miles > 6 AND hour >= 18 THEN 0.9 WHEN zone = 'airport'
        THEN 0.8 WHEN miles <= 1.5 THEN 0.2 ELSE 0.45 END AS chance
      FROM (SELECT i AS id, round(0.5 + 12 * (hash(6 * i) / 2.0**64) ** 2, 1) AS miles, hash(6 * i + 1) % 24 AS hour,
              list_extract(['app', 'card', 'cash'], CAST(1 + hash(6 * i + 2) % 3 AS INT)) AS payment,
              list_extract(['airport', 'centre', 'harbour', 'park'], CAST(1 + hash(6 * i + 3) % 4 AS INT)) AS zone
            FROM range({n}) AS numbers(i)))
"""


def run_demo(folder: Path, say: Callable[[str], None]) -> None:
    """Grow and compare trees on data that comes with scikit-learn; pictures, rules and SQL go to a folder.

    Parameters
    ----------
    folder : Path
        Where the files are written; made if it does not exist.
    say : callable
        Takes each line of the report, as ``print`` does.
    """
    from clearwood.evaluate import evaluate
    from clearwood.learn.registry import LEARNERS

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "trees").mkdir(exist_ok=True)
    _answer(folder / "wine-best.html", say)
    found: list[tuple[str, Evaluation]] = []
    shown: list[tuple[str, Tree]] = []
    for table in _tables():
        for name in LEARNERS:
            tree = getattr(_seeded(name).fit(table), "tree_", None)
            if tree is not None and (name == "c45" or table.name == "iris"):  # others have too many leaves for a start
                say(f"{name} on {table.name} ({table.n_rows} rows, {table.n_features} features)\n\n{tree}\n")
            if tree is not None:  # bagging and the forest have many
                _write(tree, folder / "trees" / f"{table.name}-{name}", table.name)
                shown.append((f"{table.name}-{name}", tree))
            found.append((name, evaluate(_seeded(name), table, cv=10, repeats=1)))
    say("\n".join(_comparison(found)))
    index = folder / "index.html"
    index.write_text(_index(shown), encoding="utf-8")
    say(f"\nPictures, rules and SQL of every tree: {index.resolve().as_uri()}")
    _scan(say)
    page = _page(folder / "breast_cancer.html")
    say(f"Trees of every size to look at, choose from and try out: {page.resolve().as_uri()}")


def _answer(file: Path, say: Callable[[str], None]) -> None:
    """What ``best`` says of the wine data: the first thing that there is to see."""
    from clearwood.best.procedure import best

    table = next(table for table in _tables() if table.name == "wine")
    answer = best(table, budget=10, progress=False)
    answer.page(file, title="Wine: which cultivar?")
    say(
        f"clearwood best: one command, one honest answer\n\n{answer}\n\nThe same as a page: {file.resolve().as_uri()}\n"
    )


def _scan(say: Callable[[str], None]) -> None:
    """A tree from a file of millions of rows, which is not read into memory."""
    from tempfile import TemporaryDirectory
    from time import perf_counter

    import duckdb

    from clearwood.evaluate import evaluate
    from clearwood.learn.c45 import C45Classifier
    from clearwood.scan import scan

    with TemporaryDirectory() as folder:
        file = f"{folder}/trips.parquet"
        with duckdb.connect() as db:
            db.execute("SET enable_progress_bar = false")
            db.sql(_TRIPS.format(n=SCANNED_ROWS)).write_parquet(file)
        big = scan(file, target="tip", key="id", progress=False)
        learner = C45Classifier(max_depth=5, binary_splits=True)
        begun = perf_counter()
        tree = learner.fit(big).tree_
        seconds = perf_counter() - begun
        judged = evaluate(learner, big, holdout=0.2)
    say(
        f"\nA file of {big.n_rows:,} rows, counted where it lies in {seconds:.1f} s; in memory the tree would be the "
        f"same.\n\n{tree}\n\n{judged.accuracy_words}"
    )


def _page(file: Path) -> Path:
    """A page to explore the best trees for the breast cancer data."""
    from clearwood.view.page.explore import explore

    table = next(table for table in _tables() if table.name == "breast_cancer")
    return explore(table, max_leaves=8, cv=3, resamples=8, title="Breast cancer: which cells are malignant?").write(
        file
    )


def _seeded(name: str) -> Any:
    """The learner of that name, made to do the same each time."""
    from clearwood.learn.registry import make_learner

    made = make_learner(name, **QUICK.get(name, {}))
    return made.set_params(random_state=0) if "random_state" in made.get_params() else made


def _tables() -> Iterator[Table]:
    from sklearn import datasets

    for name in ("iris", "wine", "breast_cancer"):
        yield _table(name, getattr(datasets, f"load_{name}")())


def _table(name: str, bunch: Any) -> Table:
    from clearwood.table import Column, Table

    return Table(
        [Column(str(feature)) for feature in bunch.feature_names],
        list(bunch.data.T),
        target=Column("class", tuple(str(label) for label in bunch.target_names)),
        y=bunch.target,
        name=name,
    )


def _write(tree: Tree, stem: Path, table: str) -> None:
    stem.with_suffix(".svg").write_text(tree.to_svg(), encoding="utf-8")
    stem.with_name(f"{stem.name}-rules.txt").write_text(f"{tree.rules()}\n", encoding="utf-8")
    stem.with_name(f"{stem.name}.sql").write_text(tree.to_sql(table, dialect="duckdb") + "\n", encoding="utf-8")


def _index(shown: list[tuple[str, Tree]]) -> str:
    """A page with the picture of every tree, and links to its rules and its SQL."""
    from html import escape

    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>Clearwood: the demonstration's trees</title>",
        "<style>body{font:16px system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}",
        ":root{color-scheme:light dark} svg{max-width:100%;height:auto}</style><h1>The demonstration's trees</h1>",
        "<p>One honest answer: <a href=wine-best.html>the page of the wine data</a>.</p>",
        "<p>Trees of every size to choose from: <a href=breast_cancer.html>the page of the breast cancer data</a>.</p>",
    ]
    for name, tree in shown:
        links = " · ".join(
            f'<a href="trees/{escape(name)}{end}">{word}</a>'
            for word, end in (("picture", ".svg"), ("rules", "-rules.txt"), ("SQL", ".sql"))
        )
        picture = tree.to_svg(max_depth=None if tree.n_leaves <= 40 else 4)
        parts.append(f"<h2>{escape(name.replace('-', ': '))}</h2><p>{links}</p>{picture}")
    return "\n".join(parts) + "\n</html>\n"


def _comparison(found: list[tuple[str, Evaluation]]) -> list[str]:
    """A line for each data set and learner: 10-fold accuracy with its interval, size, features, time."""
    lines = [
        "10-fold cross-validation, means over the folds:\n",
        f"{'data':<15}{'learner':<10}{'accuracy':>10}{'95 % interval':>18}{'leaves':>8}{'features':>10}{'fit':>11}",
    ]
    for name, result in found:
        interval = result.interval
        bounds = f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"
        lines.append(
            f"{result.table:<15}{name:<10}{100 * interval.mean:>8.1f} %{bounds:>18}{result.leaves.mean():>8.1f}"
            f"{result.features.mean():>10.1f}{result.fit_seconds.mean() * 1e3:>8.1f} ms"
        )
    return lines
