"""Variation: each operator changes what it is called after, and nothing else."""

import numpy as np

from clearwood import Column, Table
from clearwood.evolve.pareto.bits import as_bits
from clearwood.kernels.pareto.variation import Mutation
from clearwood.kernels.pareto.worker import Worker


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
        for operator in Mutation:
            found = worker.mutated(genes, operator, seed)
            if found is None:
                assert (operator == Mutation.SPLIT_LEAF and leaves == 6) or (
                    operator == Mutation.CUT_SUBTREE and leaves == 2
                )
                continue
            changed, node = found
            assert 2 <= (len(changed) + 1) // 2 <= 6
            if operator in (Mutation.NEW_TEST, Mutation.BOUNDARY_TEST):  # one test changes, nothing else
                differs = [
                    i
                    for i in range(len(genes))
                    if (genes[i]["column"], genes[i]["test"]) != (changed[i]["column"], changed[i]["test"])
                ]
                assert len(changed) == len(genes) and set(differs) <= {node}
                if operator == Mutation.BOUNDARY_TEST:
                    assert bits.threshold(int(changed[node]["column"]), int(changed[node]["test"])) in boundaries
            elif operator == Mutation.SPLIT_LEAF:
                assert len(changed) == len(genes) + 2 and changed[node]["column"] >= 0 > genes[node]["column"]
            elif operator == Mutation.CUT_SUBTREE:
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


def test_every_value_is_drawn_into_random_sets():
    rng = np.random.default_rng(2)
    values = ("a", "b", "c", "d")
    table = Table(
        [Column("n", values)], [rng.integers(4, size=80)], target=Column("c", ("x", "y")), y=rng.integers(2, size=80)
    )
    worker = Worker(as_bits(table).kernel, 2, False)
    masks = [int(worker.random_tree(2, seed)[0]["mask"]) for seed in range(400)]
    sets = [mask for mask in masks if mask]  # the others are tests of one value
    for value in range(4):
        share = np.mean([mask >> value & 1 for mask in sets])
        assert 0.25 < share < 0.75, values[value]
