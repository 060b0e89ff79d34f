"""What people do around learning, by several threads: predict, read, evaluate, compare; goals are not set for these."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import clearwood as cw
from benchmarks import tables
from benchmarks.thread_works import Do, Work, equal, fresh, named
from clearwood.evaluate import evaluate

MILLION = 1_000_000
FILE_ROWS = 10 * MILLION


def _predict(quick: bool) -> Do:
    data = tables.two_classes(20_000 if quick else MILLION, 10)
    clf = cw.C45Classifier(n_jobs=-1).fit(data.X, data.y)

    def do(n: int) -> Any:
        clf.set_params(n_jobs=n)
        return clf.predict(data.X), clf.predict_proba(data.X)

    return do


def write_rows(file: Path, n_rows: int) -> None:
    """A CSV or Parquet file, by its ending: nine numbers, a name and a class; 101 bytes a row as CSV, 73 as Parquet."""
    import duckdb

    with duckdb.connect() as db:
        db.execute("SELECT setseed(0.5)")
        numbers = ", ".join(f"round(random() * 1000, 5) AS x{i}" for i in range(9))
        db.execute(
            f"COPY (SELECT *, 'town ' || floor(x8 / 10)::INTEGER AS town, x0 > x1 AS class "
            f"FROM (SELECT {numbers} FROM range({n_rows}))) TO '{file}'"
        )


class _Folder:
    """A file in a folder that is gone with the work."""

    def __init__(self, name: str, n_rows: int) -> None:
        self.folder = TemporaryDirectory()
        self.file = Path(self.folder.name) / name
        write_rows(self.file, n_rows)

    def read(self, n: int) -> Any:
        table = cw.read(self.file, target="class", n_jobs=n)
        return table.columns, table.numeric, table.nominal, table.y


def _read_csv(quick: bool) -> Do:
    return _Folder("rows.csv", 20_000 if quick else FILE_ROWS).read


def _read_parquet(quick: bool) -> Do:
    return _Folder("rows.parquet", 20_000 if quick else FILE_ROWS).read


def _evaluate(quick: bool) -> Do:
    table = named("letter", 1000 if quick else None)

    def do(n: int) -> Any:
        found = evaluate(cw.C45Classifier(), fresh(table), cv=10, repeats=1, n_jobs=n)
        return found.accuracy, found.leaves

    return do


def _compare(quick: bool) -> Do:
    table = named("letter", 1000 if quick else None)

    def do(n: int) -> Any:
        found = cw.compare(
            ["c45", "cart", "bagging"], {"letter": fresh(table)}, cv=5, repeats=1, n_jobs=n, progress=False
        )
        frame = found.to_frame()
        return [np.asarray(frame[column]) for column in ("learner", "fold", "accuracy")]

    return do


EVERYDAY_WORKS = {
    "predict": Work("C4.5, predict and predict_proba, 1,000,000 × 10", None, _predict, equal),
    "read_csv": Work("read a CSV file of 1 GB, 10,000,000 × 11", None, _read_csv, equal),
    "read_parquet": Work("read a Parquet file of 0.7 GB, 10,000,000 × 11", None, _read_parquet, equal),
    "evaluate": Work("evaluate C4.5, letter, ten folds", None, _evaluate, equal),
    "compare": Work("compare C4.5, CART and bagging, letter, five folds", None, _compare, equal),
}
