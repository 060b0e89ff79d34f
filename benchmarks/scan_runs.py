"""One contestant of the scan benchmark, in a process of its own: ``python -m benchmarks.scan_runs FILE CONTESTANT``.

It goes from a Parquet file to one tree of depth 8, and prints as JSON the seconds that this took, the most memory that
the process ever held, and the share of the file's rows that the tree classifies rightly.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.machine import cores
from benchmarks.peak import status

DEPTH = 8
MEMORY_LIMIT = "2GB"
IN_MEMORY = 2_500_000  # so many rows are fetched at a time anyway
NOMINAL = {"v0": 8, "v1": 50}
COLUMNS = (*(f"x{i}" for i in range(6)), *NOMINAL)
BATCH = 1_000_000


def scan(file: Path) -> tuple[Any, Callable[[], float]]:
    """Ours: the file stays where it is, and DuckDB holds at most 2 GB."""
    import clearwood as cw

    looked = cw.scan(file, target="class", in_memory=IN_MEMORY, memory_limit=MEMORY_LIMIT, threads=cores())
    tree = cw.C45Classifier(max_depth=DEPTH, n_jobs=-1).fit(looked).tree_
    return tree, lambda: _counted(tree)


def in_memory(file: Path) -> tuple[Any, Callable[[], float]]:
    """Ours, with the file read into memory first."""
    import clearwood as cw

    tree = cw.C45Classifier(max_depth=DEPTH, n_jobs=-1).fit(cw.read(file, target="class")).tree_
    return tree, lambda: _counted(tree)


def _counted(tree: Any) -> float:
    leaves = tree.counts[tree.n_children == 0]
    return float(leaves.max(axis=1).sum() / leaves.sum())


def scikit_learn(file: Path) -> tuple[Any, Callable[[], float]]:
    """scikit-learn's tree of the same depth; nominal columns are numbers to it."""
    from sklearn.tree import DecisionTreeClassifier

    X, y = _arrays(file)
    tree = DecisionTreeClassifier(criterion="entropy", max_depth=DEPTH, random_state=0).fit(X, y)
    return tree, lambda: float((tree.predict(X) == y).mean())


def lightgbm(file: Path) -> tuple[Any, Callable[[], float]]:
    """One tree of LightGBM's in 255 bins, in memory."""
    import lightgbm as lgb

    X, y = _arrays(file)
    options = {"objective": "binary", "max_depth": DEPTH, "num_leaves": 2**DEPTH, "max_bin": 255, "learning_rate": 1.0}
    options |= {"num_threads": cores(), "verbosity": -1, "min_data_in_leaf": 2}
    nominal = [COLUMNS.index(name) for name in NOMINAL]
    data = lgb.Dataset(X, y, categorical_feature=nominal, free_raw_data=True)
    booster = lgb.train(options, data, num_boost_round=1)
    return booster, lambda: _agreement(file, booster.predict)


def xgboost(file: Path) -> tuple[Any, Callable[[], float]]:
    """One tree of XGBoost's in 255 bins, in memory."""
    import xgboost as xgb

    X, y = _arrays(file)
    data = xgb.QuantileDMatrix(X, y, max_bin=255, nthread=cores())
    return _boosted(file, xgb, data)


def xgboost_external(file: Path) -> tuple[Any, Callable[[], float]]:
    """The same with XGBoost's external memory: pages of a million rows, kept on disk."""
    import xgboost as xgb

    class Pages(xgb.DataIter):
        def __init__(self, folder: str) -> None:
            super().__init__(cache_prefix=str(Path(folder) / "cache"))
            self.reset()

        def next(self, input_data: Callable[..., Any]) -> bool:
            for X, y in self.pages:
                input_data(data=X, label=y)
                return True
            return False

        def reset(self) -> None:
            self.pages = _batches(file)

    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        data = xgb.ExtMemQuantileDMatrix(Pages(folder), max_bin=255, nthread=cores())
        return _boosted(file, xgb, data)


def _boosted(file: Path, xgb: Any, data: Any) -> tuple[Any, Callable[[], float]]:
    options = {"objective": "binary:logistic", "max_depth": DEPTH, "max_bin": 255, "learning_rate": 1.0}
    options |= {"tree_method": "hist", "nthread": cores(), "verbosity": 0}
    booster = xgb.train(options, data, num_boost_round=1)
    return booster, lambda: _agreement(file, booster.inplace_predict)


def _batches(file: Path) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The rows a million at a time: numbers, nominal cells by their codes, and the class, all in 32 bits."""
    import pyarrow.parquet as pq

    for batch in pq.ParquetFile(file).iter_batches(BATCH, columns=[*COLUMNS, "class"]):
        X = np.empty((len(batch), len(COLUMNS)), dtype=np.float32)
        for place, name in enumerate(COLUMNS):
            cells = batch.column(name)
            X[:, place] = _codes(cells) if name in NOMINAL else cells.to_numpy(zero_copy_only=False)
        yield X, (batch.column("class").to_numpy(zero_copy_only=False) == "yes").astype(np.float32)


def _codes(cells: Any) -> np.ndarray:
    """The number in a value's name, as in v17."""
    found = cells.dictionary_encode()
    names = np.array([int(name[1:]) for name in found.dictionary.to_pylist()])
    return names[found.indices.to_numpy(zero_copy_only=False)]


def _arrays(file: Path) -> tuple[np.ndarray, np.ndarray]:
    """All rows, without a second copy of them."""
    import pyarrow.parquet as pq

    n_rows = pq.ParquetFile(file).metadata.num_rows
    X, y = np.empty((n_rows, len(COLUMNS)), dtype=np.float32), np.empty(n_rows, dtype=np.float32)
    begin = 0
    for part, classes in _batches(file):
        X[begin : begin + len(part)], y[begin : begin + len(part)] = part, classes
        begin += len(part)
    return X, y


def _agreement(file: Path, predict: Callable[[np.ndarray], np.ndarray]) -> float:
    right, rows = 0, 0
    for X, y in _batches(file):
        right += int(((predict(X) > 0.5) == (y > 0.5)).sum())
        rows += len(y)
    return right / rows


CONTESTANTS: dict[str, Callable[[Path], tuple[Any, Callable[[], float]]]] = {
    "scan": scan,
    "in memory": in_memory,
    "scikit-learn": scikit_learn,
    "LightGBM": lightgbm,
    "XGBoost": xgboost,
    "XGBoost, external memory": xgboost_external,
}


def main() -> None:
    """Measure one contestant."""
    from benchmarks.scanned import write

    run = CONTESTANTS[sys.argv[2]]
    with TemporaryDirectory() as folder:  # everything is imported before the clock runs
        write(Path(folder) / "few.parquet", 2_000)
        run(Path(folder) / "few.parquet")
    start = perf_counter()
    _, accuracy = run(Path(sys.argv[1]))
    seconds, peak = perf_counter() - start, None
    with suppress(OSError, KeyError):  # not Linux
        peak = status("VmHWM")
    json.dump({"seconds": seconds, "peak": peak, "accuracy": accuracy()}, sys.stdout)


if __name__ == "__main__":
    main()
