"""The kernels of the Pareto search against routing and against trying everything."""

import numpy as np
import pytest
from plain_fronts import all_tests, best_by_size, leaf_errors
from small_tables import random_small_table

from clearwood import Column, Table
from clearwood.evolve.pareto import bits as bits_module
from clearwood.evolve.pareto.bits import as_bits
from clearwood.evolve.pareto.search import FrontSearch
from clearwood.evolve.pareto.settings import FrontSettings
from clearwood.evolve.pareto.trees import tree_of
from clearwood.kernels.pareto.worker import Worker

NARROW = ("few values", "many values", "neighbouring floats", "large and small", "two", "several")


def tables(n, **options):
    """Tables that can be split; of few values where every set of them is tried."""
    found = []
    for seed in range(200):
        table = random_small_table(np.random.default_rng(seed), **options)
        table = table.take((table.y >= 0) & (table.weights > 0))
        if table.n_rows > 3 and len(np.unique(table.y)) > 1 and len(as_bits(table).usable):
            found.append(table)
        if len(found) == n:
            return found
    raise AssertionError("too few tables")


def wrong_rows(tree, table):
    return table.weights[tree.predict(table) != table.y].sum()


def run(table, **settings):
    search = FrontSearch(
        table, FrontSettings(**{"population_size": 40, "generations": 20, "max_leaves": 9} | settings), 3
    )
    while not search.finished:
        search.advance()
    return search


@pytest.mark.parametrize("few_bitsets", [False, True])
def test_what_was_counted_is_what_trees_do(few_bitsets, monkeypatch):
    if few_bitsets:  # a bitset for every 64th part of a column, and rows to add
        monkeypatch.setattr(bits_module, "ALL_TESTS_BYTES", 0)
    for table in tables(12, max_rows=90):
        search = run(table)
        for size, wrong, genes in search.found():
            tree = search.tree(genes, table.classes)
            assert tree.n_leaves == size
            assert wrong == pytest.approx(wrong_rows(tree, table))
            assert not tree.empty.any()


def test_few_bitsets_change_nothing(monkeypatch):
    for table in tables(4, max_rows=90):
        found = run(table).errors()
        with monkeypatch.context() as patch:
            patch.setattr(bits_module, "ALL_TESTS_BYTES", 0)
            assert run(table).errors() == found


def test_trees_of_two_and_three_leaves_are_the_best_there_are():
    for table in tables(15, max_rows=40, kinds=NARROW):
        found = {size: wrong for size, wrong, _ in run(table, generations=60, population_size=100).found()}
        for size, errors in best_by_size(table).items():
            if np.isfinite(errors):
                assert found[size] == pytest.approx(errors), (table, size)


def test_an_improved_node_has_the_best_test():
    checked = 0
    for seed, table in enumerate(tables(25, max_rows=30, kinds=NARROW)):
        bits = as_bits(table)
        worker = Worker(bits.kernel, 8, False)
        genes = worker.random_tree(2 + seed % 2, seed)  # the root of a tree with two leaves, or with three
        before = wrong_rows(tree_of(genes, bits, worker.judge, table, table.classes), table)
        after = tree_of(worker.improved(genes, 0, seed), bits, worker.judge, table, table.classes)
        tests = [left for left in all_tests(table) if left.any() and not left.all()]
        if genes[0]["size"] == 3:
            best = min(leaf_errors(table, left) + leaf_errors(table, ~left) for left in tests)
            assert wrong_rows(after, table) == pytest.approx(best)
            checked += 1
        else:
            assert wrong_rows(after, table) <= before + 1e-9
    assert checked > 8


def test_a_test_above_a_subtree_is_the_best_for_it():
    """The root of three leaves is improved against every other root, the subtree below being kept as it is."""
    for seed, table in enumerate(tables(10, max_rows=30, kinds=NARROW)):
        bits = as_bits(table)
        worker = Worker(bits.kernel, 8, False)
        genes = worker.random_tree(3, seed)
        whole = tree_of(genes, bits, worker.judge, table, table.classes)
        inner = 1 if not whole.is_leaf(1) else 2
        side = inner - 1
        below = [int(whole.leaf_class[child]) for child in whole.children(inner)]
        # rows by branch of the lower test, whatever the upper one says
        condition = whole.kind[inner], int(whole.feature[inner])
        cells = table.column(condition[1])
        unknown = cells < 0 if table.columns[condition[1]].is_nominal else np.isnan(cells)
        goes_left = np.isin(cells, whole.subset(inner)) if condition[0] == 3 else cells <= whole.threshold[inner]
        goes_left = np.where(unknown, whole.missing[inner] == 0, goes_left)
        said = np.where(goes_left, below[0], below[1])
        best = np.inf
        for left in all_tests(table):
            there = left if side == 0 else ~left
            if there.any() and not there.all():
                errors = table.weights[there & (said != table.y)].sum() + leaf_errors(table, ~there)
                best = min(best, errors)
        after = tree_of(worker.improved(genes, 0, seed), bits, worker.judge, table, table.classes)
        assert wrong_rows(after, table) <= best + 1e-9


def test_operators_do_what_they_are_called():
    rng = np.random.default_rng(0)
    table = Table(
        [Column("a"), Column("b")], rng.random((2, 60)), target=Column("c", ("x", "y")), y=rng.integers(2, size=60)
    )
    bits = as_bits(table)
    worker = Worker(bits.kernel, 6, False)
    boundaries = {bits.threshold(i, int(bits.start[i]) + int(k)) for i in (0, 1) for k in bits.columns[i].boundary}
    for seed in range(300):
        genes = worker.random_tree(2 + seed % 5, seed)
        leaves = (len(genes) + 1) // 2
        for operator in range(1, 6):
            found = worker.mutated(genes, operator, seed)
            if found is None:
                assert (operator == 3 and leaves == 6) or (operator == 4 and leaves == 2)
                continue
            changed, node = found
            assert 2 <= (len(changed) + 1) // 2 <= 6
            if operator in (2, 5):  # one test changes, nothing else
                differs = [
                    i
                    for i in range(len(genes))
                    if (genes[i]["column"], genes[i]["test"]) != (changed[i]["column"], changed[i]["test"])
                ]
                assert len(changed) == len(genes) and set(differs) <= {node}
                if operator == 5:
                    assert bits.threshold(int(changed[node]["column"]), int(changed[node]["test"])) in boundaries
            elif operator == 3:
                assert len(changed) == len(genes) + 2 and changed[node]["column"] >= 0 > genes[node]["column"]
            elif operator == 4:
                assert len(changed) < len(genes) and genes[node]["column"] >= 0 > changed[node]["column"] and node > 0
            else:
                assert node > 0 and np.array_equal(genes[:node][["column", "test"]], changed[:node][["column", "test"]])


def test_crossover_swaps_branches():
    rng = np.random.default_rng(1)
    table = Table([Column("a")], rng.random((1, 80)), target=Column("c", ("x", "y")), y=rng.integers(2, size=80))
    worker = Worker(as_bits(table).kernel, 8, False)
    kept = 0
    for seed in range(200):
        one, two = worker.random_tree(2 + seed % 4, seed), worker.random_tree(2 + seed % 3, seed + 1000)
        a, b = worker.crossed(one, two, seed)
        assert a[0]["test"] == one[0]["test"] and b[0]["test"] == two[0]["test"]  # roots stay
        tests = sorted([*one["test"][one["column"] >= 0], *two["test"][two["column"] >= 0]])
        kept += tests == sorted([*a["test"][a["column"] >= 0], *b["test"][b["column"] >= 0]])
        assert len(a) % 2 == len(b) % 2 == 1 and max(len(a), len(b)) <= 15
    assert kept == 200  # no pair exceeds the limit, so nothing is lost and nothing is new


def test_weights_count_like_copies():
    rng = np.random.default_rng(5)
    x, y = rng.random((2, 50)).round(1), rng.integers(3, size=50)
    weights = rng.integers(1, 4, size=50)
    columns, target = [Column("a"), Column("b")], Column("c", ("x", "y", "z"))
    weighted = Table(columns, x, target=target, y=y, weights=weights)
    copied = Table(columns, np.repeat(x, weights, axis=1), target=target, y=np.repeat(y, weights))
    assert run(weighted).errors() == run(copied).errors()
    scaled = Table(columns, x, target=target, y=y, weights=weights / 4)
    assert run(scaled).errors() == run(weighted).errors()
