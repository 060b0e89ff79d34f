"""Population: what it counts is what trees do, small trees are the best there are, and parts do only their part."""

import numpy as np
import pytest
from splittable_tables import NARROW, splittable_tables, wrong_rows

from clearwood import Column, Table
from clearwood.evolve.pareto import bits as bits_module
from clearwood.evolve.pareto import search as search_module
from clearwood.evolve.pareto import settings as settings_module
from clearwood.evolve.pareto.bits import as_bits
from clearwood.evolve.pareto.search import FrontSearch
from clearwood.evolve.pareto.settings import FrontSettings
from clearwood.kernels.pareto.population import Population
from clearwood.kernels.pareto.worker import Worker
from clearwood.kernels.reference.pareto.exhaustive import best_by_size


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
    for table in splittable_tables(12, max_rows=90):
        search = run(table)
        for size, wrong, genes in search.found():
            tree = search.tree(genes, table.classes)
            assert tree.n_leaves == size
            assert wrong == pytest.approx(wrong_rows(tree, table))
            assert not tree.empty.any()


def test_few_bitsets_change_nothing(monkeypatch):
    for table in splittable_tables(4, max_rows=90):
        found = run(table).errors()
        with monkeypatch.context() as patch:
            patch.setattr(bits_module, "ALL_TESTS_BYTES", 0)
            assert run(table).errors() == found


def test_trees_of_two_and_three_leaves_are_the_best_there_are():
    for table in splittable_tables(15, max_rows=40, kinds=NARROW):
        found = {size: wrong for size, wrong, _ in run(table, generations=60, population_size=100).found()}
        for size, errors in best_by_size(table).items():
            if np.isfinite(errors):
                assert found[size] == pytest.approx(errors), (table, size)


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


def small_population(table, **options):
    bits = as_bits(table).kernel
    made = Population(
        bits,
        size=24,
        max_leaves=7,
        group_size=4,
        crossover_rate=0.6,
        mutation_rate=0.2,
        trials=6,
        seed=5,
        prices=np.zeros((0, table.n_features)),
        price_kinds=np.zeros(0, dtype=np.int32),
        **options,
    )
    worker = Worker(bits, 7, False)
    made.fill(worker, 0, 24)
    made.end()
    return made, worker


def test_every_tree_of_the_pool_is_reproduced_in_every_generation():
    for table in splittable_tables(5, max_rows=60):
        made, worker = small_population(table)
        for _ in range(10):
            made.start()
            members = {tuple(one) for one in made.arrays()["measures"][["wrong", "leaves"]].tolist()}
            pool = {(int(one["wrong"]), int(one["leaves"])) for _, one in made.pool.entries()}
            assert pool and pool <= members
            assert sorted(made.arrays()["shuffled"].tolist()) == list(range(24))
            made.breed_groups(worker, 0, made.n_groups)
            made.improve_trials(worker, 0, made.n_trials)
            made.end()


def test_so_many_trees_of_the_pool_are_reproduced_each_as_often():
    table = next(iter(splittable_tables(5, max_rows=60)))
    for elites in (0, 1, 2, 100):
        made, _ = small_population(table, elites=elites)
        pool = [genes.tobytes() for genes, _ in made.pool.entries()]
        assert len(pool) > 2
        taken = np.zeros(len(pool))
        for _ in range(300):
            before = [tree.tobytes() for tree in made.arrays()["trees"]]
            made.start()
            after = [tree.tobytes() for tree in made.arrays()["trees"]]
            changed = [a for a, b in zip(after, before, strict=True) if a != b]
            assert len(changed) <= min(elites, len(pool))
            for place, genes in enumerate(pool):
                taken[place] += any(a.startswith(genes) for a in changed)
        assert (taken.sum() > 0) == (elites > 0)


def test_trials_leave_the_population_as_it_is():
    for table in splittable_tables(5, max_rows=60):
        made, worker = small_population(table)
        for _ in range(5):
            made.start()
            made.breed_groups(worker, 0, made.n_groups)
            before = made.arrays()["trees"].copy()
            made.improve_trials(worker, 0, made.n_trials)
            assert np.array_equal(made.arrays()["trees"], before)
            made.end()


def mixed_table(n_rows=3000):
    """Six columns of which two and a set of values make the class; one has gaps, one has ties."""
    rng = np.random.default_rng(0)
    X, codes = rng.random((5, n_rows)), rng.integers(7, size=(1, n_rows)).astype(np.int32)
    X[1] = X[1].round(1)
    y = ((X[0] > 0.6) ^ (X[1] > 0.3) ^ (codes[0] % 3 == 0) ^ (rng.random(n_rows) < 0.2)).astype(np.int32)
    X[0, ::11] = np.nan
    columns = [*(Column(f"x{i}") for i in range(5)), Column("kind", tuple("abcdefg"))]
    return Table.from_blocks(columns, X, codes, target=Column("class", ("a", "b")), y=y)


@pytest.mark.parametrize("improvements", [3, None])
def test_threads_that_take_part_in_trials_of_others_change_nothing(monkeypatch, improvements):
    """Two threads, each with a core if there are as many: then one helps the other, column by column."""
    monkeypatch.setattr(search_module, "SHARED_ROWS", 1)
    monkeypatch.setattr(settings_module, "CELLS", 1000)
    table = mixed_table()
    settings = FrontSettings(
        population_size=40, generations=150, max_leaves=9, improvements=improvements, polish=False
    )  # fmt: skip
    found = []
    for n_threads in (1, 2, 2, 5):
        search = FrontSearch(table, settings, 3, n_threads=n_threads)
        while not search.finished:
            search.advance()
        found.append([(size, wrong, genes.tobytes()) for size, wrong, genes in search.found()])
    assert found.count(found[0]) == len(found)


def test_trials_that_come_together_come_in_every_so_many_generations():
    """A trial is offered to the pool in the generation in which it was made, and in no other."""
    table = next(iter(splittable_tables(5, max_rows=60)))
    run_at_once, worker = small_population(table, trials_every=3)
    by_parts, _ = small_population(table, trials_every=3)
    run_at_once.run(worker, 7)
    for generation in range(7):
        by_parts.start()
        by_parts.breed_groups(worker, 0, by_parts.n_groups)
        if generation % 3 == 0:
            by_parts.improve_trials(worker, 0, by_parts.n_trials)
        by_parts.end()
    assert all(np.array_equal(run_at_once.arrays()[name], array) for name, array in by_parts.arrays().items())
    with pytest.raises(ValueError, match="trials_every must be at least 1, got 0"):
        small_population(table, trials_every=0)


@pytest.mark.parametrize("n_cells", [1, 60_000, 100_000, 10**6, 10**9])
def test_as_many_trials_come_together_as_would_come_one_generation_after_the_other(n_cells):
    apart, every = FrontSettings().trials(n_cells)
    together, seldom = FrontSettings().trials(n_cells, together=True)
    assert every == 1 and together == apart * seldom and 8 < together <= 16
    assert FrontSettings(improvements=5).trials(n_cells, together=True) == (5, 1)
