"""ExactTrees: the trees have the errors that were found for them, on any of the rows, and work has its price."""

import threading

import numpy as np
import pytest
from splittable_tables import NARROW, splittable_tables

from clearwood.evolve.pareto import exact_trees
from clearwood.evolve.pareto.bits import as_bits
from clearwood.evolve.pareto.exact_trees import ExactTrees
from clearwood.evolve.pareto.ranked_columns import ranked_columns
from clearwood.evolve.pareto.search import FrontSearch
from clearwood.evolve.pareto.settings import FrontSettings
from clearwood.kernels.pareto.exact_search import ExactSearch
from clearwood.kernels.pareto.gene import GENE
from clearwood.table import Column, Table

FAR = 1 << 50


def errors_of(genes, rows, table, search):
    """The weight of the rows that a tree gets wrong."""
    tree = search.tree(genes, table.classes)
    codes = np.array([int(gene["label"]) for gene in genes if gene["column"] < 0])
    place = {leaf: i for i, leaf in enumerate(n for n in tree.walk() if tree.is_leaf(n))}
    said = codes[[place[leaf] for leaf in tree.apply(table)]]
    return table.weights[rows][(said != table.y)[rows]].sum()


def test_trees_have_the_errors_that_were_found():
    """On all rows and on a part of them."""
    checked = set()
    for seed, table in enumerate(splittable_tables(30, max_rows=20, max_columns=3, kinds=NARROW)):
        search = FrontSearch(table, FrontSettings(), 0)
        columns = ranked_columns(table, search.bits)
        if columns is None:
            continue
        exact = ExactTrees(table, search.bits, columns, 3)
        some = np.flatnonzero(np.random.default_rng(seed).random(table.n_rows) < 0.7).astype(np.int32)
        for rows in (np.arange(table.n_rows, dtype=np.int32), some):
            for leaves, height in ((2, 1), (3, 2), (4, 2), (4, 3), (8, 3)):
                errors = exact.fewest(rows, leaves, height, FAR, FAR).errors
                found = exact.fewest(rows, leaves, height, errors + 1, FAR)  # as where worse trees are known
                assert found.errors == errors
                for first in (None, found):
                    genes = np.array(exact.genes(rows, leaves, height, first), dtype=GENE)
                    assert len(genes) <= 2 * leaves - 1 and genes["size"][0] == len(genes)
                    if len(genes) > 1:
                        wrong = errors_of(genes, rows, table, search)
                        assert wrong == pytest.approx(errors / search.bits.scale)
                        checked.add((len(genes), first is None, bool(search.bits.has_missing.any())))
    assert len(checked) > 16


@pytest.mark.parametrize("n_classes", [2, 3])
def test_rows_of_several_classes_cost_twice_as_much(n_classes):
    table = next(
        t for t in splittable_tables(60, max_rows=40, kinds=("many values",))
        if t.n_rows > 15 and len(t.classes) == n_classes
    )  # fmt: skip
    bits = FrontSearch(table, FrontSettings(), 0).bits
    columns = ranked_columns(table, bits)
    kernel = ExactSearch(columns.ranks, table.y.astype(np.int32), bits.weights, n_classes, 2)
    rows = np.arange(table.n_rows, dtype=np.int32)
    looked = kernel.search(rows, 4, 2, FAR, FAR)[-1]
    exact, price = ExactTrees(table, bits, columns, 2), n_classes - 1
    assert exact.fewest(rows, 4, 2, FAR, FAR).work == price * looked
    assert exact.fewest(rows, 4, 2, FAR, price * looked).work == price * looked
    less = price * looked - 1
    assert exact.fewest(rows, 4, 2, FAR, less // 2).work > less // 2


@pytest.mark.parametrize("n_classes", [2, 3])
def test_any_number_of_threads_finds_the_same_with_the_same_work(n_classes):
    """On more cells than one thread is given alone, to the end and not."""
    n = 30_000
    rng = np.random.default_rng(n_classes)
    X = rng.random((7, n)).round(3)  # with ties
    y = (np.where(rng.random(n) < 0.1, rng.integers(n_classes, size=n), (X[0] + X[3] > 1) * (n_classes - 1))).astype(
        int
    )
    table = Table([Column(f"x{i}") for i in range(7)], list(X), target=Column("y", tuple("abc"[:n_classes])), y=y)
    assert X.size > exact_trees.WORTH_SHARING
    bits = as_bits(table)
    columns, rows = ranked_columns(table, bits), np.arange(n, dtype=np.int32)
    found = []
    for n_threads in (1, 2, 7, 16):
        exact = ExactTrees(table, bits, columns, 3, n_threads)
        with exact.together():
            found.append(
                [
                    [exact.fewest(rows[: n - skip], leaves, height, n, 3_000_000) for skip in (0, 2000, 25_000)]
                    for leaves, height in ((2, 1), (3, 2), (4, 3))
                ]
            )
    assert found.count(found[0]) == 4
    assert found[0][1][0][1] > 3_000_000 > found[0][0][0][1]


@pytest.mark.parametrize("n_classes", [2, 4])
def test_threads_that_part_rows_find_what_weights_of_like_rows_say(n_classes):
    """Trees of three levels, to the end: rows that are alike are one row of their weight, too few to be shared."""
    n = 26_000
    rng = np.random.default_rng(n_classes)
    X = rng.integers(3, size=(4, n)) * 1.0
    y = np.where(rng.random(n) < 0.3, rng.integers(n_classes, size=n), (X[0] + X[1] * X[2] + X[3]) % n_classes)
    columns, target = [Column(f"x{i}") for i in range(4)], Column("y", tuple("abcd"[:n_classes]))
    kinds, weights = np.unique(np.vstack([X, y]), axis=1, return_counts=True)
    alike = Table(columns, list(kinds[:-1]), target=target, y=kinds[-1].astype(int), weights=weights * 1.0)
    table = Table(columns, list(X), target=target, y=y.astype(int))
    assert alike.n_rows * 4 < exact_trees.WORTH_SHARING < X.size
    shapes = [(4, 2), (4, 3), (6, 3), (8, 3)]
    found = []
    for rows_of, n_threads in ((alike, 1), (table, 1), (table, 2), (table, 4)):
        bits = as_bits(rows_of)
        exact = ExactTrees(rows_of, bits, ranked_columns(rows_of, bits), 3, n_threads)
        rows = np.arange(rows_of.n_rows, dtype=np.int32)
        with exact.together():
            found.append([exact.fewest(rows, *shape, FAR, FAR) for shape in shapes])
    assert found[1:] == found[1:2] * 3
    assert [one.errors for one in found[0]] == [one.errors for one in found[1]]


def break_off(exact, rows, searches):
    with exact.together():
        for _ in range(searches):
            exact.fewest(rows, 2, 1, FAR, FAR)
        raise KeyboardInterrupt


def test_nobody_waits_for_searches_that_an_error_has_ended():
    """Neither where no search was made yet, nor after one."""
    rng = np.random.default_rng(0)
    X = rng.random((6, 20_000))
    table = Table([Column(f"x{i}") for i in range(6)], list(X), target=Column("y", ("a", "b")), y=(X[0] > X[1]) * 1)
    bits = as_bits(table)
    exact = ExactTrees(table, bits, ranked_columns(table, bits), 2, 4)
    rows = np.arange(table.n_rows, dtype=np.int32)
    begun = threading.active_count()
    for searches in (0, 1):
        with pytest.raises(KeyboardInterrupt):
            break_off(exact, rows, searches)
    with exact.together():
        assert exact.fewest(rows, 2, 1, FAR, FAR).errors < table.n_rows / 2
    assert threading.active_count() <= begun + 3  # the crew itself stays


@pytest.mark.parametrize("telling", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_who_allows_less_than_a_search_takes_need_not_begin(n_classes, telling):
    """No search takes less than it is said to, also where bounds spare most of it."""
    rng = np.random.default_rng(0)
    y, cells = rng.integers(n_classes, size=120), rng.integers(2, size=(16, 120)) * 1.0
    if telling:  # the first columns are the classes, but for a tenth of the rows
        cells[:n_classes] = np.where(rng.random((n_classes, 120)) < 0.1, cells[:n_classes], y == np.c_[:n_classes])
    columns, target = [Column(f"x{i}") for i in range(16)], Column("y", ("a", "b", "c")[:n_classes])
    table = Table(columns, list(cells), target=target, y=y)
    bits = FrontSearch(table, FrontSettings(), 0).bits
    exact, rows = ExactTrees(table, bits, ranked_columns(table, bits), 3), np.arange(120, dtype=np.int32)
    price = n_classes - 1
    assert exact.least_work == exact.fewest(rows, 2, 1, FAR, FAR).work == price * 120 * 16
    for leaves, height in ((2, 1), (3, 2), (4, 3), (8, 3)):
        found = exact.fewest(rows, leaves, height, FAR, FAR)
        again = exact.fewest(rows, leaves, height, found.errors, FAR)  # also where a tree of that kind is known
        assert min(found.work, again.work) >= exact.least_work
        if leaves == 4:  # as if each column were looked at below each below each, with the rows in two parts at last
            assert (found.work < price * 120 * 16**3 // 2) == telling


def test_what_was_found_is_not_looked_for_again(monkeypatch):
    rng = np.random.default_rng(0)
    x, target = rng.normal(size=(4, 80)), Column("y", ("a", "b"))
    table = Table([Column(f"x{i}") for i in range(4)], list(x), target=target, y=(x[0] * x[1] * x[2] > 0).astype(int))
    bits = FrontSearch(table, FrontSettings(), 0).bits
    exact, rows = ExactTrees(table, bits, ranked_columns(table, bits), 3), np.arange(80, dtype=np.int32)
    found = exact.fewest(rows, 8, 3, FAR, FAR)
    heights = []
    first = exact._first
    monkeypatch.setattr(
        exact, "_first", lambda rows, leaves, height: heights.append(height) or first(rows, leaves, height)
    )
    assert len(exact.genes(rows, 8, 3, found)) == 15 and max(heights) == 2
    exact.genes(rows, 8, 3)
    assert max(heights) == 3
