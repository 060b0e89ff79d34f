"""Evaluator and BitTable: rows and class weights of every node against rows that are routed test by test."""

import numpy as np
import pytest
from splittable_tables import splittable_tables

from clearwood.evolve.pareto import bits as bits_module
from clearwood.evolve.pareto.bits import as_bits
from clearwood.kernels.pareto.bit_table import BitTable
from clearwood.kernels.pareto.worker import Worker
from clearwood.kernels.reference.pareto.exhaustive import routed


def rows_of_nodes(genes, bits, table, node=0, rows=None, found=None):
    """The rows of each node, in pre-order."""
    found = [] if found is None else found
    rows = np.ones(table.n_rows, dtype=bool) if rows is None else rows
    found.append(rows)
    gene = genes[node]
    if gene["column"] >= 0:
        column, test = int(gene["column"]), int(gene["test"])
        nominal = table.columns[column].is_nominal
        asked = bits.codes(column, test, int(gene["mask"])) if nominal else bits.threshold(column, test)
        left = routed(table, column, asked, int(gene["missing"]))
        rows_of_nodes(genes, bits, table, node + 1, rows & left, found)
        rows_of_nodes(genes, bits, table, node + 1 + int(genes[node + 1]["size"]), rows & ~left, found)
    return found


@pytest.mark.parametrize("few_bitsets", [False, True])
@pytest.mark.parametrize("evolved_classes", [False, True])
def test_rows_weights_and_errors_of_random_trees(few_bitsets, evolved_classes, monkeypatch):
    if few_bitsets:  # a bitset for every 64th part of a column, and rows to add
        monkeypatch.setattr(bits_module, "ALL_TESTS_BYTES", 0)
    for seed, table in enumerate(splittable_tables(15, max_rows=120)):
        bits = as_bits(table)
        worker = Worker(bits.kernel, 9, evolved_classes)
        genes = worker.random_tree(2 + seed % 8, seed)
        weights, lacks = worker.evaluator.class_weights(genes)
        some = list(range(seed % 2, len(genes), 2))
        bitsets, n_rows = worker.evaluator.rows_of(genes, some)
        for node, rows in enumerate(rows_of_nodes(genes, bits, table)):
            if node in some:
                assert bits.rows(bitsets[some.index(node)]).tolist() == np.flatnonzero(rows).tolist()
                assert n_rows[some.index(node)] == rows.sum()
            counts = np.bincount(table.y[rows], table.weights[rows], minlength=len(table.classes))
            assert np.allclose(weights[node] / bits.scale, counts)
            assert genes[node]["rows"] / bits.scale == pytest.approx(counts.sum())
            if genes[node]["column"] < 0:
                label = int(genes[node]["label"])
                assert genes[node]["wrong"] / bits.scale == pytest.approx(counts.sum() - counts[label])
                assert evolved_classes or counts[label] == counts.max()
            else:
                cells = table.column(int(genes[node]["column"]))[rows]
                nominal = table.columns[int(genes[node]["column"])].is_nominal
                assert bool(lacks[node]) == bool((cells < 0).any() if nominal else np.isnan(cells).any())


def test_bitsets_of_unequal_length_are_refused():
    table = splittable_tables(1)[0]
    arrays = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bits_module, "BitTable", lambda **given: arrays.update(given))
        as_bits(table)
    short = arrays | {"words": np.ascontiguousarray(arrays["words"][:, :-1])}
    assert BitTable(**arrays).n_bitsets == len(arrays["words"])
    with pytest.raises(ValueError, match="all bitsets must have"):
        BitTable(**short)
