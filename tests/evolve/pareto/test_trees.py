"""Trees from genes: those that a TreeBuilder puts together node by node."""

import numpy as np
import pytest
from nominal_planes import sky_tree
from splittable_tables import splittable_tables

from clearwood import TreeBuilder
from clearwood.evolve.pareto.bits import as_bits
from clearwood.evolve.pareto.trees import genes_of, leaf_tree, tree_of
from clearwood.kernels.pareto.worker import Worker
from clearwood.table import Column, Table
from clearwood.tree_check import check_tree

LABELS = tuple("uvwxyz")


def built(genes, bits, evaluator, table, labels):
    """The same tree by a TreeBuilder, children first."""
    weights, lacks = evaluator.class_weights(genes)
    counts = weights / bits.scale
    build = TreeBuilder(table.columns, labels, target=table.target.name, learner="Pareto")

    def node_of(node):
        column, held = int(genes["column"][node]), counts[node]
        if column < 0:
            label = int(genes["label"][node])
            if held[label] == held.max():
                return build.leaf(held)
            return build.leaf(np.eye(len(held))[label] * held.sum(), bag=held)
        left = node + 1
        right = left + int(genes["size"][left])
        missing = -1
        if bits.has_missing[column]:
            missing = int(weights[right].sum() > weights[left].sum())
            if lacks[node]:
                missing = int(genes["missing"][node])
        more = {"missing": missing, "counts": held, "bag": held}
        test, children = int(genes["test"][node]), [node_of(left), node_of(right)]
        if table.columns[column].is_nominal:
            return build.subset(column, bits.codes(column, test, int(genes["mask"][node])), children, **more)
        return build.threshold(column, bits.threshold(column, test), children, **more)

    return build.build(node_of(0))


@pytest.mark.parametrize("evolved_classes", [False, True])
def test_a_tree_is_the_one_that_is_built_node_by_node(evolved_classes):
    for table in splittable_tables(30, max_rows=60):
        bits = as_bits(table)
        worker, labels = Worker(bits.kernel, 12, evolved_classes), LABELS[: len(table.classes)]
        for leaves in (2, 5, 12):
            for seed in range(4):
                genes = worker.settled(worker.random_tree(leaves, seed))
                tree = tree_of(genes, bits, worker.evaluator, table, labels)
                check_tree(tree)
                assert tree == built(genes, bits, worker.evaluator, table, labels)
                assert tree.target == table.target.name and tree.learner == "Pareto" and tree.classes == labels


def test_genes_of_a_tree_give_that_tree_again():
    for table in splittable_tables(30, max_rows=60):
        bits = as_bits(table)
        worker = Worker(bits.kernel, 12, False)
        tree = tree_of(worker.settled(worker.random_tree(6, 0)), bits, worker.evaluator, table, table.classes)
        genes = genes_of(tree, bits, table, 12)
        if genes is None:
            assert tree.n_leaves == 1
        else:
            again = tree_of(worker.evaluated(genes), bits, worker.evaluator, table, table.classes)
            assert np.array_equal(again.predict(table), tree.predict(table))


def test_sums_cannot_enter():
    table = Table(sky_tree().columns, [[1.0, 2.0], [0, 1]], target=Column("class", ("go", "stay")), y=[0, 1])
    with pytest.raises(ValueError, match="a tree with hyper-planes cannot enter"):
        genes_of(sky_tree(), as_bits(table), table, 5)


def test_the_tree_of_one_leaf_has_the_weights_of_all_rows():
    for table in splittable_tables(5):
        tree = leaf_tree(table, table.classes)
        assert tree.n_nodes == 1 and tree.counts[0].sum() == pytest.approx(table.weights.sum())
