"""BestFirstGrower and all that it stands on: its trees against those of the plain twin, and what they promise."""

import itertools

import numpy as np
import pytest
from bagged_tables import BASES, cases
from ism_twin import all_tests, as_twin, plain_tree, twin_tree, whole_box

from clearwood.conditions import Kind
from clearwood.kernels.reference import ism
from clearwood.learn import distilling
from clearwood.learn.distilling import distil
from clearwood.learn.ism_forest import forest_of
from clearwood.table import Table


def same(ours: ism.Grown, twin: ism.Grown) -> bool:
    return (
        (ours.test, ours.missing) == (twin.test, twin.missing)
        and (ours.test is not None or ours.label == twin.label)
        and all(same(a, b) for a, b in zip(ours.children, twin.children, strict=True))
    )


@pytest.mark.parametrize("estimate", ["trees", "mixed", "data"])
@pytest.mark.parametrize("base", BASES)
def test_the_tree_is_that_of_the_twin(base, estimate):
    inner = 0
    for ensemble, table in cases(1, 40, base, max_rows=50):
        tree = distil(ensemble, table, estimate=estimate, stop="labels", max_leaves=None).tree
        inner += tree.n_leaves - 1
        assert same(as_twin(tree), twin_tree(ensemble, table, estimate)), table
    assert inner > 50


@pytest.mark.parametrize("estimate", ["trees", "mixed"])
def test_the_entropy_of_the_path_alone_is_the_twins_too(estimate):
    for ensemble, table in cases(2, 15, "two-way"):
        tree = distil(ensemble, table, estimate=estimate, stop="labels", max_leaves=None, gain="path").tree
        assert same(as_twin(tree), twin_tree(ensemble, table, estimate, mixture=False))


def test_a_test_may_part_no_row_unless_it_must():
    """The paper's ISM_t: probabilities from the trees know no rows."""
    sizes = {False: 0, True: 0}
    idle = 0
    for must_part, base in itertools.product(sizes, BASES):
        for ensemble, table in cases(12, 20, base, max_rows=50):
            grown = distil(ensemble, table, estimate="trees", stop="labels", max_leaves=None, must_part=must_part)
            assert same(as_twin(grown.tree), twin_tree(ensemble, table, "trees", must_part=must_part))
            sizes[must_part] += grown.tree.n_leaves
            reached = np.bincount(grown.tree.apply(table), minlength=grown.tree.n_nodes)
            without = np.count_nonzero(reached[grown.tree.kind == Kind.LEAF] == 0)
            assert not (must_part and without)
            idle += without
    assert idle > 10
    assert sizes[False] > sizes[True]


@pytest.mark.parametrize("estimate", ["trees", "mixed", "data"])
def test_the_gain_ratio_is_the_twins_too(estimate):
    differ = 0
    for ensemble, table in cases(13, 40, "two-way", n_trees=6, max_rows=60):
        by_gain = distil(ensemble, table, estimate=estimate, stop="labels", max_leaves=None).tree
        tree = distil(ensemble, table, estimate=estimate, stop="labels", max_leaves=None, criterion="gain_ratio").tree
        assert same(as_twin(tree), twin_tree(ensemble, table, estimate, ratio=True))
        differ += tree != by_gain
    assert differ >= 3


@pytest.mark.parametrize("estimate", ["trees", "mixed"])
def test_tests_of_one_value_are_scored_alike_by_steps_and_one_by_one(estimate, monkeypatch):
    def without_steps(ensemble, candidates):
        forest = forest_of(ensemble, candidates)
        np.asarray(forest.single)[:] = 0
        return forest

    for ensemble, table in cases(3, 20, "two-way", n_trees=8, max_rows=60, kinds=("two", "several", "wide")):
        by_steps = distil(ensemble, table, estimate=estimate, stop="labels", max_leaves=None).tree
        with monkeypatch.context() as patched:
            patched.setattr(distilling, "forest_of", without_steps)
            one_by_one = distil(ensemble, table, estimate=estimate, stop="labels", max_leaves=None).tree
        assert same(as_twin(by_steps), as_twin(one_by_one))
        assert by_steps.counts == pytest.approx(one_by_one.counts, abs=1e-12)  # of leaves without rows: the trees' word


def every_cell(ensemble) -> Table:
    """A row in every cell of the domain that the ensemble's tests can tell apart."""
    tests = all_tests(ensemble, [plain_tree(tree) for tree in ensemble.trees])
    choices = []
    for f, column in enumerate(ensemble.columns):
        cuts = [test.cut for test in tests if test.feature == f and not test.values]
        numbers = [*cuts, np.nextafter(cuts[-1], np.inf)] if cuts else [0.0]  # a threshold itself passes its test
        choices.append(range(column.n_values) if column.is_nominal else numbers)
    rows = list(itertools.product(*choices))
    return Table(ensemble.columns, list(zip(*rows, strict=True)))


@pytest.mark.parametrize("estimate", ["trees", "mixed", "data"])
@pytest.mark.parametrize("base", BASES)
def test_an_exact_tree_is_the_ensemble_in_every_cell_of_the_domain(base, estimate):
    cells = 0
    for ensemble, table in cases(4, 30, base, n_trees=6, max_columns=4, missing=False, max_rows=40):
        domain = every_cell(ensemble)
        cells += domain.n_rows
        tree = distil(ensemble, table, estimate=estimate, stop="exact", max_leaves=None).tree
        assert np.array_equal(tree.predict(domain), ensemble.predict(domain))
        assert (tree.apply(domain) >= 0).all()
    assert cells > 200


def test_an_exact_tree_is_exact_whether_tests_must_part_rows_or_not():
    for ensemble, table in cases(14, 12, "two-way", n_trees=6, max_columns=4, missing=False, max_rows=40):
        domain = every_cell(ensemble)
        for must_part in (False, True):
            grown = distil(ensemble, table, estimate="trees", stop="exact", max_leaves=None, must_part=must_part)
            assert np.array_equal(grown.tree.predict(domain), ensemble.predict(domain))


def test_rows_with_missing_values_do_not_spoil_an_exact_tree():
    for ensemble, table in cases(5, 10, "two-way", max_columns=3, max_rows=20):
        domain = every_cell(ensemble)
        tree = distil(ensemble, table, estimate="mixed", stop="exact", max_leaves=None).tree
        assert np.array_equal(tree.predict(domain), ensemble.predict(domain))


@pytest.mark.parametrize("stop", ["labels", "exact"])
def test_a_path_never_contradicts_itself(stop):
    for base in BASES:
        for ensemble, table in cases(6, 5, base, max_columns=3, max_rows=20, missing=False):
            tree = distil(ensemble, table, estimate="trees", stop=stop, max_leaves=None).tree
            boxes = {0: whole_box(ensemble)}
            for node in range(tree.n_nodes):
                if not tree.is_leaf(node):
                    halves = as_twin(tree, node).test.halves(boxes[node])
                    assert None not in halves  # an open test: both branches can be reached
                    boxes |= dict(zip(tree.children(node), halves, strict=True))


def test_all_rows_are_labelled_as_by_the_ensemble():
    for base in BASES:
        for estimate in ("trees", "mixed", "data"):
            for ensemble, table in cases(7, 8, base, missing=False):
                tree = distil(ensemble, table, estimate=estimate, stop="labels", max_leaves=None).tree
                assert np.array_equal(tree.predict(table), ensemble.predict(table))


def test_a_tree_of_a_size_is_a_point_of_the_curve():
    for ensemble, table in cases(8, 10, "two-way", n_trees=8, max_rows=80, missing=False):
        whole = distil(ensemble, table, estimate="mixed", stop="labels", max_leaves=None)
        wanted = ensemble.predict(table)
        for size in range(1, whole.tree.n_leaves + 1):
            part = distil(ensemble, table, estimate="mixed", stop="labels", max_leaves=size)
            assert part.tree.n_leaves == size
            alike = table.weights[part.tree.predict(table) == wanted].sum() / table.weights.sum()
            assert alike == pytest.approx(whole.fidelities[size - 1])


@pytest.mark.parametrize("stop", ["labels", "exact"])
@pytest.mark.parametrize("max_leaves", [None, 1, 2, 9])
def test_threads_grow_the_tree_of_one(stop, max_leaves):
    """What threads split before its turn came, and a limit then cut off, leaves no trace."""
    inner = 0
    for base, estimate in itertools.product(BASES, ["trees", "mixed", "data"]):
        for ensemble, table in cases(10, 2, base, n_trees=6, max_columns=4, max_rows=60):
            alone, *others = (
                distil(ensemble, table, estimate=estimate, stop=stop, max_leaves=max_leaves, n_jobs=n)
                for n in (1, 2, 7, 16)
            )
            inner += alone.tree.n_leaves - 1
            for together in others:
                assert together.tree.to_json() == alone.tree.to_json()
                assert np.array_equal(together.fidelities, alone.fidelities)
    assert inner >= (0 if max_leaves == 1 else 10)


def test_inner_nodes_have_the_class_weights_of_their_children():
    for ensemble, table in cases(11, 10, "two-way", n_trees=6, max_rows=60):
        tree = distil(ensemble, table, estimate="trees", stop="labels", max_leaves=None).tree
        for node in np.flatnonzero(tree.kind != Kind.LEAF):
            assert np.array_equal(tree.counts[node], tree.counts[list(tree.children(node))].sum(axis=0))


def test_the_tests_are_those_of_the_ensemble():
    for ensemble, table in cases(9, 10, "two-way", n_trees=8, max_rows=60):
        known = set(all_tests(ensemble, [plain_tree(tree) for tree in ensemble.trees]))
        tree = distil(ensemble, table, estimate="trees", stop="labels", max_leaves=None).tree
        inner = np.flatnonzero(tree.kind != Kind.LEAF)
        assert {as_twin(tree, int(node)).test for node in inner} <= known
