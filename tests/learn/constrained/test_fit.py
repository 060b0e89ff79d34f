"""Trees under constraints: what is demanded stands, and the rest is what the learner grows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import sample_trees
from page_samples import iris_table, quiet_fit, sample_table

import clearwood as cw
from clearwood.conditions import Kind
from clearwood.constraints import Constraints, Demand, ForcedTest
from clearwood.learn.constrained import ConstrainedClassifier, fit_constrained

SETS = ["iris", "wine", "credit-g", "colic", "hepatitis", "soybean", "autos", "heart-c", "primary-tumor"]


def demanded(tree, node, depth):
    """The upper levels of a tree as demands."""
    if depth == 0 or tree.is_leaf(node):
        return Demand()
    column = tree.columns[tree.feature[node]]
    if tree.kind[node] == Kind.THRESHOLD:
        test = ForcedTest(column.name, float(tree.threshold[node]))
    elif tree.kind[node] == Kind.BRANCHES:
        test = ForcedTest(column.name, each=True)
    else:
        test = ForcedTest(column.name, values=tuple(column.values[code] for code in tree.subset(node)))
    names = test.branch_names(tree.columns)
    return Demand(
        test, branches={n: demanded(tree, c, depth - 1) for n, c in zip(names, tree.children(node), strict=True)}
    )


@pytest.mark.parametrize("depth", [0, 1, 3])
@pytest.mark.parametrize("name", SETS)
def test_cart_s_own_tests_as_demands_give_cart_s_tree(name, depth):
    table = sample_table(name)
    learner = cw.CARTClassifier(pruning=None, min_value_rows=1)  # which values are rare is a matter of a part's rows
    tree = quiet_fit(learner, table)
    found = fit_constrained(learner, table, Constraints(demanded(tree, 0, depth)))
    assert found.n_nodes == tree.n_nodes
    for key in ("kind", "feature", "first_child", "empty", "set_values", "missing"):
        np.testing.assert_array_equal(getattr(found, key), getattr(tree, key))
    np.testing.assert_array_equal(found.threshold, tree.threshold)
    np.testing.assert_allclose(found.counts, tree.counts, atol=1e-9)
    np.testing.assert_allclose(found.bags, tree.bags, atol=1e-9)
    np.testing.assert_array_equal(found.predict(table), tree.predict(table))


@pytest.mark.parametrize("name", SETS)
def test_c45_s_own_first_test_as_a_demand_divides_the_rows_as_c45_does(name):
    table = sample_table(name)
    learner = cw.C45Classifier(prune=False, collapse=False)
    tree = quiet_fit(learner, table)
    found = fit_constrained(learner, table, Constraints(demanded(tree, 0, 1)))
    np.testing.assert_array_equal(found.kind, tree.kind)
    np.testing.assert_array_equal(found.feature, tree.feature)
    np.testing.assert_allclose(found.bags, tree.bags, atol=1e-9)  # cuts may differ where no row of the part lies


def test_demands_hold():
    table = iris_table()
    root = Demand(
        ForcedTest("sepal length", 5.4),
        forbid=("petal width",),
        branches={
            "yes": Demand(leaf=True),
            "no": Demand(ForcedTest(weights=(("petal length", 1.0), ("sepal width", -0.5)), at_most=3.0)),
        },
    )
    search = cw.ParetoTreeClassifier(generations=10, max_leaves=5, selection=4, random_state=0, progress=False)
    for learner, name in (
        (cw.C45Classifier(), "C4.5"),
        (cw.CARTClassifier(random_state=0), "CART"),
        (cw.DistilledTreeClassifier(n_synthetic=300, selection=3, random_state=0), "distilled"),
        (cw.ISMClassifier(random_state=0), "ISM_t"),
        (search, "Pareto"),
    ):
        tree = fit_constrained(learner, table, Constraints(root, "species"))
        first, second = tree.children(0)
        assert str(tree.condition(0, 0)) == "sepal length ≤ 5.4"
        assert tree.is_leaf(first) and tree.kind[second] == Kind.LINEAR
        assert "petal width" not in tree.features
        assert tree.learner == f"constrained {name}"
        assert cw.Tree.from_json(tree.to_json()) == tree
        counts = np.bincount(table.y[table.column("sepal length") <= 5.4], minlength=3)
        np.testing.assert_array_equal(tree.counts[first], counts)


def test_rows_without_the_value_are_shared_out_or_sent_where_the_demand_says():
    rng = np.random.default_rng(0)
    table = sample_trees.random_table(rng, 300, missing=0.2)
    search = cw.ParetoTreeClassifier(generations=5, max_leaves=5, selection=4, random_state=0, progress=False)
    for learner, missing in product((cw.C45Classifier(), search), (None, "yes", "no")):
        tree = fit_constrained(learner, table, Constraints(Demand(ForcedTest("x0", 0.5, missing=missing))))
        left, right = tree.children(0)
        cells = table.column("x0")
        known, gaps = (cells <= 0.5).sum(), np.isnan(cells).sum()
        share = {None: known / (len(cells) - gaps), "yes": 1.0, "no": 0.0}[missing]
        assert tree.counts[left].sum() == pytest.approx(known + gaps * share)
        assert tree.counts[[left, right]].sum() == pytest.approx(300)
        assert tree.missing[0] == {None: -1, "yes": 0, "no": 1}[missing]


def test_a_branch_without_rows_is_an_empty_leaf_and_all_features_forbidden_one_leaf():
    table = iris_table()
    tree = fit_constrained(cw.C45Classifier(), table, Constraints(Demand(ForcedTest("sepal length", 0.0))))
    assert tree.empty[1] and tree.n_leaves > 2
    tree = fit_constrained(cw.C45Classifier(), table, Constraints(Demand(forbid=table.feature_names)))
    assert tree.n_nodes == 1


def test_what_does_not_fit_the_table_is_refused():
    table = iris_table()
    with pytest.raises(ValueError, match="no feature 'colour'"):
        fit_constrained(cw.C45Classifier(), table, Constraints(Demand(forbid=("colour",))))
    taught = cw.DistilledTreeClassifier(teacher=cw.C45Classifier().fit(table))
    with pytest.raises(ValueError, match="teacher must be None"):
        fit_constrained(taught, table, Constraints())
    with pytest.raises(ValueError, match="no target"):
        fit_constrained(cw.C45Classifier(), cw.Table([cw.Column("x")], [[1.0]]), Constraints())


def test_a_constrained_learner_is_judged_like_any_other():
    from clearwood.evaluate import evaluate

    table = iris_table()
    blind = Constraints(Demand(forbid=("petal length", "petal width")))
    clf = ConstrainedClassifier(cw.CARTClassifier(random_state=0), blind)
    found, free = (evaluate(one, table, cv=5, repeats=1) for one in (clf, cw.CARTClassifier(random_state=0)))
    assert 0.6 < found.interval.mean < 0.85 < free.interval.mean
    X, y = np.array([table.column(name) for name in table.feature_names]).T, table.y * 10
    columns = Constraints(Demand(ForcedTest("x0", 5.4), forbid=("x3",)))
    fitted = ConstrainedClassifier(cw.C45Classifier(), columns).fit(X, y)
    assert set(fitted.predict(X)) == {0, 10, 20} and str(fitted.tree_.condition(0, 0)) == "x0 ≤ 5.4"
    with pytest.raises(TypeError, match="constraints must be Constraints, got dict"):
        ConstrainedClassifier(cw.C45Classifier(), {}).fit(table)
