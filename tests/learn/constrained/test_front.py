"""Fronts under constraints: the best tree of every size among those that obey."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import sample_trees
from page_samples import iris_table

import clearwood as cw
from clearwood.constraints import Constraints, Demand, ForcedTest
from clearwood.evaluate.fronts import error_on
from clearwood.evaluate.reached import reached
from clearwood.kernels.reference.pareto.exhaustive import best_by_size, leaf_errors
from clearwood.learn.constrained import constrained_front, fit_constrained
from clearwood.learn.constrained.parts import Part, demanded_parts, joined

FORCED = Demand(ForcedTest("sepal length", 5.4), forbid=("petal width",))


def search(**options):
    given = {"generations": 10, "population_size": 60, "max_leaves": 6, "selection": 4, "random_state": 0}
    return cw.ParetoTreeClassifier(progress=False, **(given | options))


def parts(rng, sizes):
    return [Part(size, float(rng.integers(0, 20)), lambda build, bag: 0) for size in sizes]


@pytest.mark.parametrize("missing", [None, "yes"])
def test_a_sum_of_values_is_forced_and_taken_over_with_all_its_terms(missing):
    rng = np.random.default_rng(0)
    table = sample_trees.random_table(rng, 200, missing=0.1)
    weights = (("x4", 2.0, "v1"), ("x0", 0.5), ("x4", -1.0, "v3"), ("x2", 1.0, "v0"))
    forced = ForcedTest(weights=weights, at_most=0.75, missing=missing)

    def grow(rows):  # a learner that has found a sum of its own
        build = cw.TreeBuilder(rows.columns, rows.classes)
        leaves = [build.leaf([2, 1, 0]), build.leaf([0, 1, 4])]
        yield build.build(build.linear({("x3", "v2"): 1.0, "x1": -0.5, ("x3", "v0"): 3.0}, 0.25, leaves)), 2.0

    (part,) = demanded_parts(Demand(forced, branches={"yes": Demand(leaf=True)}), table, grow, None, frozenset())
    build = cw.TreeBuilder(table.columns, table.classes)
    tree = build.build(part.add(build, np.bincount(table.y, minlength=3).astype(float)))
    told = "2·(x4 = v1) + 0.5·x0 − (x4 = v3) + (x2 = v0) ≤ 0.75" + (" (or missing)" if missing else "")
    assert str(tree.condition(0, 0)) == told
    assert str(tree.condition(2, 0)) == "(x3 = v2) − 0.5·x1 + 3·(x3 = v0) ≤ 0.25"
    counted = {node: np.bincount(table.y[rows], shares, 3) for node, rows, shares in reached(tree, table)}
    np.testing.assert_allclose(tree.bags[1], counted[1])
    assert tree.bags[[1, 2]].sum() == pytest.approx(200)


@pytest.mark.parametrize("seed", range(20))
def test_joined_parts_are_those_that_trying_all_finds(seed):
    rng = np.random.default_rng(seed)
    sizes = [rng.choice(np.arange(1, 7), rng.integers(1, 5), replace=False) for _ in range(rng.integers(1, 5))]
    children = [parts(rng, sorted(each)) for each in sizes]
    least = sum(min(part.n_leaves for part in child) for child in children)
    for most in (None, 3, 9):
        limit = np.inf if most is None else max(most, least)
        wanted: dict[int, float] = {}
        for chosen in product(*children):
            size, wrong = sum(p.n_leaves for p in chosen), sum(p.wrong for p in chosen)
            if size <= limit:
                wanted[size] = min(wrong, wanted.get(size, np.inf))
        found = {sum(p.n_leaves for p in chosen): sum(p.wrong for p in chosen) for chosen in joined(children, most)}
        assert found == wanted


@pytest.mark.parametrize("seed", range(6))
def test_no_tree_that_obeys_gets_less_wrong(seed):
    """On small tables the optimum of each size is found by trying everything on both sides of the forced test."""
    rng = np.random.default_rng(seed)
    table = sample_trees.random_table(rng, 30, missing=0.0)
    cut = float(np.median(table.column("x0"))) - 0.25
    front = constrained_front(
        search(generations=40, population_size=200, max_leaves=4), table, Constraints(Demand(ForcedTest("x0", cut)))
    )
    sides = []
    for side in (table.column("x0") <= cut, table.column("x0") > cut):
        part = table.take(side)
        sides.append({1: leaf_errors(part, np.ones(part.n_rows, dtype=bool))} | best_by_size(part))
    for size in (2, 3, 4):
        best = min(a + b for (m, a), (n, b) in product(sides[0].items(), sides[1].items()) if m + n == size)
        assert 30 * front.of_size(size).training_error == pytest.approx(best), size


def test_without_demands_the_front_is_the_learner_s():
    table = iris_table()
    front = constrained_front(search(), table, Constraints())
    seed = int(np.random.default_rng(0).integers(2**62))
    given = int(np.random.default_rng(seed).integers(2**62))
    wanted = search(random_state=given, selection=6).fit(table).front_
    assert front.sizes == (1, *wanted.sizes)
    for entry in wanted:
        found = front.of_size(entry.n_leaves)
        assert found.tree.by("") == entry.tree.by("") and found.training_error == pytest.approx(entry.training_error)


def test_every_tree_of_the_front_obeys():
    table = iris_table()
    front = constrained_front(search(), table, Constraints(FORCED, "species"))
    assert front.sizes == (2, 3, 4, 5, 6)
    for entry in front:
        assert str(entry.tree.condition(0, 0)) == "sepal length ≤ 5.4"
        assert "petal width" not in entry.tree.features and entry.tree.learner == "constrained Pareto"
        assert entry.training_error == pytest.approx(error_on(entry.tree, table))
        assert cw.Tree.from_json(entry.tree.to_json()) == entry.tree
    assert fit_constrained(search(), table, Constraints(FORCED)) == front.of_size(4).tree
    assert fit_constrained(search(selection=3, max_leaves=3), table, Constraints(FORCED)).n_leaves == 3


def test_more_is_forced_than_the_limit_allows():
    below = Demand(ForcedTest("petal length", 4.0), branches={name: Demand(leaf=True) for name in ("yes", "no")})
    root = Demand(ForcedTest("sepal length", 5.4), branches={"yes": below, "no": below})
    front = constrained_front(search(max_leaves=2, selection=2), iris_table(), Constraints(root))
    assert front.sizes == (4,)


def test_sizes_are_cross_validated_with_searches_of_their_own_for_any_number_of_threads():
    table = iris_table()
    options = {"selection": "one_se", "cv": 3, "generations": 4, "max_leaves": 4}
    front = constrained_front(search(**options), table, Constraints(FORCED))
    again = constrained_front(search(**options, n_jobs=2), table, Constraints(FORCED))
    assert front.fold_errors.shape == (3, len(front)) and front.test_share == 0.5
    np.testing.assert_array_equal(front.fold_errors, again.fold_errors)
    assert [entry.tree for entry in front] == [entry.tree for entry in again]
    assert front[-1].cv_error < 0.3 < front[0].cv_error
    tree = fit_constrained(search(**options), table, Constraints(FORCED))
    assert tree in [entry.tree for entry in front]
    repeated = constrained_front(search(**options, cv_repeats=2), table, Constraints(FORCED))
    assert repeated.fold_errors.shape == (6, len(front))


def test_classes_are_weighted_once_and_not_in_each_part():
    table = iris_table()
    weights = {"setosa": 1.0, "versicolor": 3.0, "virginica": 0.5}
    for learner in (search(class_weight=weights), cw.C45Classifier(class_weight=weights)):
        tree = fit_constrained(learner, table, Constraints(FORCED))
        np.testing.assert_allclose(tree.counts[0], [50, 150, 25])
        np.testing.assert_allclose(tree.bags[list(tree.children(0))].sum(axis=0), tree.counts[0])
    balanced = fit_constrained(search(class_weight="balanced"), table, Constraints(FORCED))
    np.testing.assert_allclose(balanced.counts[0] / balanced.counts[0].sum(), np.full(3, 1 / 3))


def test_what_cannot_be_honoured_is_refused():
    table = iris_table()
    refused = [
        (search(checkpoint="state.npz"), "checkpoint must be None"),
        (search(objectives=("leaves", "error", "features")), "objectives must be leaves and error"),
        (search(seeds=cw.C45Classifier().fit(table).tree_), "seeds must be names"),
        (search(cv=[(np.arange(75), np.arange(75, 150))]), "cv must be a number"),
        (cw.ISMClassifier(ensemble=[cw.C45Classifier().fit(table)]), "ensemble must be None"),
        (cw.OC1Classifier(), "obeyed by c45, cart, distilled, ism, pareto, not by OC1Classifier"),
    ]
    for learner, words in refused:
        with pytest.raises(ValueError, match=words):
            fit_constrained(learner, table, Constraints(FORCED))
    with pytest.raises(ValueError, match="finds one tree"):
        constrained_front(cw.C45Classifier(), table, Constraints(FORCED))
    assert fit_constrained(search(seeds="c45"), table, Constraints(FORCED)).n_leaves == 4
