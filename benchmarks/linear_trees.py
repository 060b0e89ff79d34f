"""Linear trees: a complete run on page-blocks, cost against rows, and trees a second beside matrix products.

The complete run has the default settings and one thread (the paper: about 58 minutes on a Pentium 4 of 3 GHz). Cost
against rows is the time of a fixed number of generations on the rotated chessboard, the first population included,
for each row; it should not rise with the rows by more than the caches explain. The peer of the last rows is the same
fitness formed with numpy: one matrix product for each plane over the rows at its node.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import numpy as np

from benchmarks.row import Row, faster
from benchmarks.timing import alternate
from clearwood import LinearTreeClassifier, Table, artificial, datasets
from clearwood.evolve.linear.scaling import Scaled, scale
from clearwood.evolve.linear.search import LinearSearch, Settings
from clearwood.kernels.reference.linear import LinearRows, linear_fitness

NAME = "linear_trees"
GENERATIONS = 20
SEEDS = 5


def run(*, quick: bool = False, repeat: int = 5) -> Iterator[Row]:
    """The rows of this benchmark."""
    yield from complete_run(quick)
    yield from cost_of_rows((1_000, 10_000) if quick else (1_000, 10_000, 100_000, 1_000_000))
    yield from trees_a_second("LS10", artificial.ls10(random_state=0), quick=quick, repeat=min(repeat, 3))
    if datasets.find("page-blocks") is not None:
        yield from trees_a_second("page-blocks", datasets.load("page-blocks"), quick=quick, repeat=min(repeat, 3))


def complete_run(quick: bool) -> Iterator[Row]:
    """page-blocks with the default settings; processor time, since the goal is for one core.

    How long a run goes on is a matter of luck: the mean over several seeds is told.
    """
    if datasets.find("page-blocks") is None:
        yield Row(NAME, "5,473 × 10", "page-blocks", note="no page-blocks in the data folder")
        return
    table = datasets.load("page-blocks")
    limits = {"generations": 50} if quick else {}
    start = process_time()
    for seed in range(SEEDS):
        clf = LinearTreeClassifier(random_state=seed, n_jobs=1, progress=False, **limits).fit(table)
    seconds = (process_time() - start) / SEEDS
    goal, reached = ("", None) if quick else ("< 30 s", seconds < 30)
    accuracy = np.mean(clf.tree_.predict(table) == table.y)
    note = f"mean of {SEEDS}; the last has {clf.tree_.n_leaves} leaves, {100 * accuracy:.1f} % of the training rows"
    yield Row(NAME, "5,473 × 10", "page-blocks, complete run", seconds, unit="s", goal=goal, reached=reached, note=note)


def cost_of_rows(sizes: tuple[int, ...]) -> Iterator[Row]:
    """Microseconds for each row of a fixed number of generations; the note says how the cost grows."""
    first = None
    for n_rows in sizes:
        table = artificial.chess2(n_rows, random_state=0)
        start = process_time()
        for seed in range(SEEDS):
            LinearTreeClassifier(
                generations=GENERATIONS, population_size=20, random_state=seed, n_jobs=1, progress=False
            ).fit(table)
        each = 1e6 * (process_time() - start) / n_rows / SEEDS
        first = first or each
        note = f"{each / first:.2f} times the cost of a row at {sizes[0]:,}"
        yield Row(NAME, f"{n_rows:,} × 2", f"{GENERATIONS} generations of 20 trees", each, unit="µs/row", note=note)


def trees_a_second(what: str, table: Table, *, quick: bool, repeat: int) -> Iterator[Row]:
    """Trees made and judged in a second, beside trees judged by matrix products."""
    scaled = scale(table)
    generations = 50 if quick else 300
    search = search_of(scaled, generations)
    rows = LinearRows(
        *scaled.data.cells(),
        table.y[scaled.rows],
        table.weights[scaled.rows],
        len(table.classes),
    )
    trees = [tree.arrays() for tree in search.population.trees]

    def ours() -> int:
        again = search_of(scaled, 0)
        again.restore(search.state())
        again.settings = search.settings
        before = again.n_evaluated
        for _ in range(generations // 10):
            again.advance()
        return again.n_evaluated - before

    def theirs() -> int:
        for tests in trees:
            linear_fitness(tests, rows, 0.005, 0.5)
        return len(trees)

    timings = alternate({"ours": ours, "theirs": theirs}, repeat)
    speed, peer = (timings[name].result / timings[name].seconds for name in ("ours", "theirs"))
    goal, reached = faster(None if quick else 10, speed / peer)
    size = f"{table.n_rows:,} × {table.n_features}"
    yield Row(NAME, size, what, speed, "numpy products", peer, "trees/s", speed / peer, goal, reached)


def search_of(scaled: Scaled, generations: int) -> LinearSearch:
    """A search in its first generations, where trees still differ."""
    defaults = LinearTreeClassifier().get_params()
    chosen = {name: defaults[name] for name in Settings.__slots__}
    settings = Settings(**{**chosen, "min_leaf": 15, "generations": 100_000, "patience": 100_000})
    search = LinearSearch(settings, scaled, 0, 1)
    while generations and search.done < 20:
        search.advance()
    return search
