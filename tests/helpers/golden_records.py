"""Golden records: exact trees of J48, and how a tree of ours differs from one."""

from __future__ import annotations

import gzip
import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from clearwood.conditions import Kind
from clearwood.table import Table
from clearwood.tree import Tree

Record = dict[str, Any]
Use = Callable[[Tree, Table], np.ndarray]

GENERATED = Path(__file__).parents[1] / "golden" / "generated"
MOST_DIFFERENCES = 20


def data_folder() -> Path:
    """Where the papers' data sets lie: $CLEARWOOD_DATA, else beside the checkout; it may not exist."""
    stated = os.environ.get("CLEARWOOD_DATA")
    return Path(stated) if stated else Path(__file__).resolve().parents[3] / "shared" / "data"


def golden_folder() -> Path:
    """Where their golden records lie: $CLEARWOOD_GOLDEN, else beside the data; it may not exist."""
    stated = os.environ.get("CLEARWOOD_GOLDEN")
    return Path(stated) if stated else data_folder().parent / "golden"


def generated_names() -> list[str]:
    """The tables of our own making, which come with the tests."""
    return sorted(path.stem for path in GENERATED.glob("*.arff"))


def dataset_names() -> list[str]:
    """The data sets for which both the data and the records are here; none on a machine without them."""
    names = (path.name.removesuffix(".json.gz") for path in golden_folder().glob("*.json.gz"))
    return sorted(name for name in names if (data_folder() / f"{name}.arff").exists())


def arff_path(name: str) -> Path:
    """The ARFF file of a generated table or a data set."""
    ours = GENERATED / f"{name}.arff"
    return ours if ours.exists() else data_folder() / f"{name}.arff"


def load_table(name: str) -> Table:
    """A generated table or a data set."""
    from clearwood.read.arff import read_arff

    table: Table = read_arff(arff_path(name))
    return table


def load_records(name: str) -> list[Record]:
    """The records of a generated table or a data set, one for each setting."""
    ours = GENERATED / f"{name}.json.gz"
    path = ours if ours.exists() else golden_folder() / f"{name}.json.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        records: list[Record] = json.load(file)
    return records


_FLAGS: dict[str, tuple[str, bool]] = {
    "-U": ("prune", False),
    "-O": ("collapse", False),
    "-S": ("raise_subtrees", False),
    "-B": ("binary_splits", True),
    "-J": ("mdl_correction", False),
    "-A": ("laplace", True),
}


def options_to_params(options: str) -> dict[str, Any]:
    """The parameters of ``C45Classifier`` that stand for J48's options.

    >>> options_to_params("-C 0.05 -B")
    {'confidence': 0.05, 'binary_splits': True}
    """
    params: dict[str, Any] = {}
    words = iter(options.split())
    for word in words:
        if word == "-C":
            params["confidence"] = float(next(words))
        elif word == "-M":
            params["min_leaf"] = int(next(words))
        elif word in _FLAGS:
            name, value = _FLAGS[word]
            params[name] = value
        else:
            raise ValueError(
                f"options holds {word!r}, which no golden record uses; known are -C -M {' '.join(_FLAGS)}."
            )
    return params


def compare(
    tree: Tree,
    record: Record,
    table: Table,
    *,
    predict: Use = Tree.predict,
    predict_proba: Use = Tree.predict_proba,
) -> list[str]:
    """How a tree differs from a record, in words; nothing if it does not.

    Structure, attributes, thresholds (bit for bit), value of two-way tests and empty flags must be the same,
    class weights equal to 1e-9 relative, the predicted class of every row the same, probabilities equal to 1e-12.
    """
    found: list[str] = []
    if tree.n_leaves != record["leaves"]:
        found.append(f"{tree.n_leaves} leaves, golden {record['leaves']}")
    if tree.n_nodes != record["size"]:
        found.append(f"{tree.n_nodes} nodes, golden {record['size']}")
    if record.get("tree"):
        _compare_nodes(tree, 0, record["tree"], "root", found)
    if record.get("predicted"):
        ours = predict(tree, table)
        wrong = np.flatnonzero(ours != np.array(record["predicted"]))
        found.extend(f"row {row}: predicted {ours[row]}, golden {record['predicted'][row]}" for row in wrong[:5])
    if record.get("probabilities"):
        golden = np.array(record["probabilities"])
        ours = predict_proba(tree, table)
        wrong = np.flatnonzero((np.abs(ours - golden) > 1e-12).any(axis=1))
        found.extend(f"row {row}: probabilities {ours[row]}, golden {golden[row]}" for row in wrong[:5])
    return found[:MOST_DIFFERENCES]


def _compare_nodes(tree: Tree, node: int, golden: Record, where: str, found: list[str]) -> None:
    if tree.is_leaf(node) != golden["leaf"]:
        found.append(f"{where}: {'leaf' if tree.is_leaf(node) else 'inner'}, golden the other")
        return
    if golden["leaf"]:
        if bool(tree.empty[node]) != golden["empty"]:
            found.append(f"{where}: empty {bool(tree.empty[node])}, golden {golden['empty']}")
        _compare_weights(tree.counts[node], golden["dist"], f"{where}: leaf", found)
        return
    if tree.feature[node] != golden["att"]:
        found.append(f"{where}: attribute {tree.feature[node]}, golden {golden['att']}")
        return
    ours = _split_point(tree, node)
    if ours != golden["sp"]:
        found.append(f"{where}: split at {ours!r}, golden {golden['sp']!r}")
    children = tree.children(node)
    if len(children) != len(golden["kids"]):
        found.append(f"{where}: {len(children)} branches, golden {len(golden['kids'])}")
        return
    for branch, child in enumerate(children):
        below = f"{where}.{branch}"
        _compare_weights(tree.bags[child], golden["bags"][branch], f"{below}: bag", found)
        _compare_nodes(tree, child, golden["kids"][branch], below, found)


def _split_point(tree: Tree, node: int) -> float | None:
    """A threshold, the value of a two-way test, or None for one branch for each value."""
    if tree.kind[node] == Kind.THRESHOLD:
        return float(tree.threshold[node])
    if tree.kind[node] == Kind.BRANCHES:
        return None
    (value,) = tree.subset(node)
    return float(value)


def _compare_weights(ours: np.ndarray, golden: list[float], where: str, found: list[str]) -> None:
    if len(ours) != len(golden) or not all(
        math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(ours.tolist(), golden, strict=True)
    ):
        found.append(f"{where} {ours.tolist()}, golden {golden}")
