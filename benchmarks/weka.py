"""Weka's J48 as a further peer: the time that it says its model took to build.

Needs Java, and the path of a weka.jar in the environment variable CLEARWOOD_WEKA_JAR; without them the benchmark
says so and is left out. Each run is a Java machine of its own, started cold, so small tables are not tried. The tree
must have as many leaves and nodes as ours.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks import tables
from benchmarks.row import Row
from benchmarks.timing import alternate
from clearwood import C45Classifier

NAME = "weka"
VARIABLE = "CLEARWOOD_WEKA_JAR"


class Built(NamedTuple):
    """What J48 says about its model."""

    seconds: float
    n_leaves: int
    n_nodes: int


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark."""
    absent = missing()
    if absent:
        yield Row(NAME, "", "J48", peer="Weka", note=f"left out: {absent}")
        return
    yield from measure(tables.letters(2_000 if quick else None), repeat=min(repeat, 3))
    if not quick:
        yield from measure(tables.two_classes(100_000, 20), repeat=min(repeat, 2))
        yield from measure(tables.two_classes(1_000_000, 10), repeat=1)


def missing() -> str:
    """What is lacking to run Weka, or nothing."""
    jar = os.environ.get(VARIABLE)
    if not jar:
        return f"{VARIABLE} does not name a weka.jar"
    if not Path(jar).is_file():
        return f"{VARIABLE} names {jar}, which is no file"
    return "" if shutil.which("java") else "no java on the path"


def measure(data: tables.Arrays, *, repeat: int) -> Iterator[Row]:
    """One table: our fit beside J48's."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "data.arff"
        write_arff(data, file)
        theirs = min(build(file) for _ in range(repeat))
    ours = alternate({"ours": lambda: C45Classifier().fit(data.X, data.y)}, repeat)["ours"]
    tree = ours.result.tree_
    same = (tree.n_leaves, tree.n_nodes) == (theirs.n_leaves, theirs.n_nodes)
    note = f"Java started cold, {tree.n_leaves:,} leaves" + ("" if same else f", BUT THEIRS {theirs.n_leaves:,}")
    yield Row(
        NAME, data.size, f"{data.name}, J48", ours.seconds, "Weka", theirs.seconds, "s", theirs.seconds / ours.seconds,
        note=note,
    )  # fmt: skip


def build(file: Path) -> Built:
    """Run J48 on a file, without any evaluation."""
    done = subprocess.run(
        ["java", "-cp", os.environ[VARIABLE], "weka.classifiers.trees.J48", "-t", str(file), "-no-cv", "-v"],
        capture_output=True,
        text=True,
        check=False,
    )
    return parse(done.stdout, done.stderr)


def parse(said: str, errors: str = "") -> Built:
    """The figures in what J48 prints.

    >>> parse("Number of Leaves  : \\t5\\nSize of the tree : \\t9\\nTime taken to build model: 0.02 seconds")
    Built(seconds=0.02, n_leaves=5, n_nodes=9)
    """
    patterns = (r"to build model: ([\d.]+) seconds", r"Number of Leaves\s*:\s*(\d+)", r"Size of the tree\s*:\s*(\d+)")
    found = [re.search(pattern, said) for pattern in patterns]
    if not all(found):
        raise RuntimeError(f"J48 printed no model: {(errors or said).strip()[-500:]}")
    seconds, leaves, nodes = (match[1] for match in found if match)
    return Built(float(seconds), int(leaves), int(nodes))


def write_arff(data: tables.Arrays, file: Path) -> None:
    """The table as ARFF, every digit kept."""
    classes = ",".join(map(str, range(int(data.y.max()) + 1)))
    with file.open("w", encoding="utf-8") as out:
        out.write("@relation generated\n")
        out.writelines(f"@attribute x{i} numeric\n" for i in range(data.X.shape[1]))
        out.write(f"@attribute class {{{classes}}}\n@data\n")
        out.writelines(
            ",".join(map(repr, row.tolist())) + f",{label}\n" for row, label in zip(data.X, data.y, strict=True)
        )
